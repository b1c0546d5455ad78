import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  newMerchant,
  newOperator,
  operatorToken,
  type Running,
  statusOf,
  TestUsers,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { payloadOf } from './forge.js';

const { startNode } = useNodes();
const users = new TestUsers();
const clock = {
  aheadMs: 0,
  now: () => new Date(Date.now() + clock.aheadMs),
};
let node: Running;
let acme: Client;

beforeAll(async () => {
  node = await startNode({ clock, findUser: users.find });
  acme = await newMerchant(node.service.database, 'acme');
  users.all.push({ merchant: acme.merchant, id: 7, externalClientId: 'cli_ada' });
});

/** Runs with the clock moved by so many seconds. */
async function at<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  clock.aheadMs = seconds * 1000;
  try {
    return await work();
  } finally {
    clock.aheadMs = 0;
  }
}
const statusAt = (seconds: number, token: string) => at(seconds, () => statusOf(node, token));

describe('the lifetime of a token', () => {
  it('is 3600 s, whether the token was cached or not', async () => {
    const [seen, unseen] = [await tokenOf(node, acme), await tokenOf(node, acme)];
    expect(await statusAt(3590, seen)).toBe(200);
    expect(await statusAt(3600, seen)).toBe(401);
    expect(await statusAt(3600, unseen)).toBe(401);
    expect(await statusAt(3590, unseen)).toBe(200);
  });

  it('is 900 s for a user token', async () => {
    const token = await tokenOf(node, acme, { user_id: '7' });
    const status = async () => (await node.api.get('/notes/user', { token })).status;
    expect([await at(890, status), await at(900, status)]).toEqual([200, 401]);
  });

  it('is 3600 s for an operator token', async () => {
    await newOperator(node.service.database, 'ana', 'admin');
    const token = await operatorToken(node, 'ana');
    const status = async () => (await node.api.get('/operator/keys', { token })).status;
    expect([await at(3590, status), await at(3600, status)]).toEqual([200, 401]);
  });

  it('has no tolerance at its end, although it has 5 s at its beginning', async () => {
    const token = await tokenOf(node, acme);
    const left = Number(payloadOf(token).exp) - Date.now() / 1000;
    expect(await statusAt(left + 1, token)).toBe(401);
    expect(await statusAt(left + 4, await tokenOf(node, acme))).toBe(401);
  });

  it('may begin a little later by our clock, but not much later', async () => {
    const early = await tokenOf(node, acme);
    expect(await statusAt(-10, early)).toBe(401);
    expect(await statusAt(-3, early)).toBe(200);
  });

  it('never begins on a node whose clock is before the time of every key', async () => {
    const answer = await at(-3600, () =>
      node.api.post('/oauth/token', {
        body: {
          grant_type: 'client_credentials',
          client_id: acme.clientId,
          client_secret: acme.clientSecret,
        },
      }),
    );
    expect([answer.status, answer.json.error]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});
