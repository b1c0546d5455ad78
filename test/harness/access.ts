/** Starts services with real tokens on the database of the test file, and makes the merchants and operators who call them. */
import { hash } from '@node-rs/argon2';
import type pg from 'pg';
import { afterAll } from 'vitest';
import { type ExtraRooms, type Service, startService } from '../../src/app.js';
import type { OperatorRole } from '../../src/caller.js';
import type { Clock } from '../../src/clock.js';
import { type MerchantId, merchantId, userId } from '../../src/ids.js';
import { createLog } from '../../src/log.js';
import { createMerchant, type NewSecret } from '../../src/merchants/service.js';
import { findMerchant } from '../../src/merchants/store.js';
import type { FindUser } from '../../src/merchants/token-endpoint.js';
import type { PasswordHash } from '../../src/operators/password.js';
import { createOperator } from '../../src/operators/service.js';
import type { Database } from '../../src/postgres/database.js';
import { notesRoutes } from '../rooms/notes.js';
import { type Answer, Api, done } from './api.js';
import { closeConnections } from './connections.js';
import { newFolder } from './new-folder.js';
import { documentOf } from './openapi-document.js';
import { testConfig } from './service.js';

export interface Running {
  readonly service: Service;
  readonly api: Api;
  /** Does not compare the answers with the OpenAPI document, for requests that it does not describe. */
  readonly anywhere: Api;
  readonly logText: () => string;
}

export interface RunningOptions {
  readonly settings?: Record<string, string>;
  readonly clock?: Clock;
  readonly findUser?: FindUser;
}

/** The settings that the nodes of one instance share. */
export const oneInstance = { BASE_URL: 'http://remesa.example', TOKENS_PER_MINUTE: '1000000' } as const;

/** Starts a node. `stopNodesAfterAll` stops it after the tests of the file. */
export async function startNode(url: string, options: RunningOptions = {}): Promise<Running> {
  const folder = newFolder();
  const lines: string[] = [];
  const { log } = createLog({ level: 'debug', stream: { write: (line) => void lines.push(line) } });
  const service = await startService(testConfig({ DATABASE_URL: url, DATA_DIR: folder, ...options.settings }), {
    log,
    say: () => {},
    eventLoopDelayMs: 60_000,
    extraRooms: () => notesAndUsers(options.findUser),
    ...(options.clock ? { clock: options.clock } : {}),
  });
  started.push(async () => {
    closeConnections();
    await service.stop();
  });
  return {
    service,
    api: new Api(service.url, documentOf(service.routes)),
    anywhere: new Api(service.url, undefined),
    logText: () => lines.join(''),
  };
}

const started: (() => Promise<void>)[] = [];

/** Call it before `useTestDatabase`, so that the services stop before their database does. */
export function stopNodesAfterAll(): void {
  afterAll(() => Promise.all(started.splice(0).map((stop) => stop())));
}

/** Adds the notes room of the tests, and replaces the real users if a test has its own. */
function notesAndUsers(findUser: FindUser | undefined): ExtraRooms {
  return { routes: notesRoutes(), jobs: [], ...(findUser ? { findUser } : {}) };
}

export interface TestUser {
  readonly merchant: MerchantId;
  readonly id: number;
  readonly externalClientId: string;
}

/** Replaces the users room in tests that are not about users. */
export class TestUsers {
  readonly all: TestUser[] = [];

  readonly find: FindUser = async (merchant, selector) => {
    const found = this.all.find(
      (user) =>
        user.merchant === merchant &&
        ('userId' in selector ? user.id === selector.userId : user.externalClientId === selector.externalClientId),
    );
    return found && { id: userId(found.id), externalClientId: found.externalClientId };
  };
}

export const bySystem = { actor: { kind: 'system', name: 'test' } } as const;

export interface Client extends NewSecret {
  readonly merchant: MerchantId;
}

export function newMerchant(database: Database, clientId: string): Promise<Client> {
  return database.transaction(async (tx) => {
    const made = await createMerchant(tx, bySystem, { name: `The merchant ${clientId}`, clientId });
    const merchant = (await findMerchant(tx, clientId))?.merchantId;
    return { ...made, merchant: merchantId(merchant) };
  });
}

export function basic({ clientId, clientSecret }: NewSecret): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

export function postForm(
  api: Api,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return api.post(path, {
    text: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

export function askToken(
  { api }: Pick<Running, 'api'>,
  client: NewSecret,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return postForm(api, '/oauth/token', { grant_type: 'client_credentials', ...fields }, basic(client));
}

export async function tokenOf(
  running: Pick<Running, 'api'>,
  client: NewSecret,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  return done(await askToken(running, client, fields)).access_token;
}

export const password = 'correct horse battery staple';

/** A cheap hash, made once: every test file makes operators who log in, and a real one costs tens of milliseconds. */
const cheapHash = hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }) as Promise<PasswordHash>;

export async function newOperator(
  database: Database,
  login: string,
  role: OperatorRole,
  hashed: Promise<PasswordHash> = cheapHash,
): Promise<number> {
  const passwordHash = await hashed;
  const operator = await database.transaction((tx) => createOperator(tx, bySystem, { login, passwordHash, role }));
  return operator.operatorId;
}

export function logIn({ api }: Pick<Running, 'api'>, login: string, enteredPassword = password): Promise<Answer> {
  return api.post('/operator/login', { body: { login, password: enteredPassword } });
}

export async function operatorToken(running: Pick<Running, 'api'>, login: string): Promise<string> {
  return done(await logIn(running, login)).accessToken;
}

/** Makes operators, and returns the token of each by its login. */
export async function operatorTokens<Login extends string>(
  running: Pick<Running, 'api'> & { readonly service: Pick<Service, 'database'> },
  roles: Readonly<Record<Login, OperatorRole>>,
): Promise<Record<Login, string>> {
  const tokens: Record<string, string> = {};
  for (const [login, role] of Object.entries<OperatorRole>(roles)) {
    await newOperator(running.service.database, login, role);
    tokens[login] = await operatorToken(running, login);
  }
  return tokens as Record<Login, string>;
}

export interface AuditRow {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly from_state: string | null;
  readonly to_state: string | null;
  readonly details: unknown;
  readonly request_id: string | null;
  /** The operator who approved it, where it needed two. */
  readonly approver: string | null;
  readonly approval_id: string | null;
}

export async function auditRows(sql: pg.Pool, action: string): Promise<AuditRow[]> {
  const { rows } = await sql.query(
    `SELECT actor_kind || ':' || actor_id AS actor, action, subject, from_state, to_state, details, request_id,
            'operator:' || approved_by AS approver, approval_id
       FROM changes WHERE action LIKE $1 ORDER BY id`,
    [action],
  );
  return rows;
}

/** Returns the status that a token gets on a route that needs nothing but a valid token. */
export async function statusOf({ api }: Pick<Running, 'api'>, token: string): Promise<number> {
  return (await api.get('/notes/empty', { token })).status;
}
