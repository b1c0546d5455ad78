/**
 * What GET /user and POST /user do at the least: the same SELECT over the same pipelined connection, the same INSERTs
 * in one transaction on the same pool, behind bare Fastify routes that seal nothing and ask nobody who is calling.
 */
import { randomBytes } from 'node:crypto';
import fastify from 'fastify';
import { merchantId, newPublicId, newUserId, userId } from '../../src/ids.js';
import { Database } from '../../src/postgres/database.js';
import { addUser, findUser } from '../../src/users/store.js';
import { report } from '../parts/child.js';

const [connectionString = '', poolSize = '', merchant = ''] = process.argv.slice(2);
const database = new Database(connectionString, { poolSize: Number(poolSize) });
const ofMerchant = merchantId(Number(merchant));
const text = { type: 'string' };
const shape = { type: 'object', properties: { id: { type: 'integer' }, externalClientId: text } };
const fields = Object.fromEntries(
  ['firstName', 'lastName', 'email', 'address', 'city', 'stateProvince', 'countryCode', 'postalCode'].map((field) => [
    field,
    text,
  ]),
);
const profile = { type: 'object', properties: fields, required: Object.keys(fields) };
const wrapped = randomBytes(60);
/** The nonce and the tag before the sealed text. */
const sealedBytesMore = 28;

const server = fastify({ logger: false });
server.get<{ Querystring: { userId: string } }>('/user', { schema: { response: { 200: shape } } }, async (request) =>
  findUser(database, ofMerchant, { userId: userId(Number(request.query.userId)) }),
);
server.post('/user', { schema: { body: profile, response: { 200: shape } } }, async (request) => {
  const externalClientId = newPublicId('cli');
  const sealed = Buffer.alloc(Buffer.byteLength(JSON.stringify(request.body)) + sealedBytesMore, wrapped);
  const keys = (['profile', 'beneficiaries', 'retained'] as const).map((purpose) => ({
    purpose,
    version: 1,
    wrapped,
  }));
  const id = newUserId(new Date());
  const user = { merchantId: ofMerchant, userId: id, externalClientId, sealedProfile: sealed };
  await database.transaction((tx) => addUser(tx, user, keys));
  return { id, externalClientId };
});
const url = await server.listen({ host: '127.0.0.1', port: 0 });
report(url, () => database.close());
