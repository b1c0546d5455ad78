import { beforeAll, describe, expect, it } from 'vitest';
import { remesaHere } from '../commands/remesa.js';
import { logIn, newMerchant, operatorTokens, type Running, startNode, stopNodesAfterAll } from '../harness/access.js';
import { testMasterKey } from '../harness/master-key.js';
import { useTestDatabase } from '../harness/test-database.js';

stopNodesAfterAll();
const { url, sql } = useTestDatabase();
let node: Running;
let admin: string;
let viewer: string;

beforeAll(async () => {
  node = await startNode(url);
  const { database } = node.service;
  await newMerchant(database, 'acme');
  await newMerchant(database, 'globex');
  ({ ana: admin, vera: viewer } = await operatorTokens(node, { ana: 'admin', vera: 'viewer' }));
  for (const [clientId, verb] of [
    ['acme', 'suspend'],
    ['acme', 'resume'],
    ['globex', 'suspend'],
  ])
    await node.api.post(`/operator/merchants/${clientId}/${verb}`, { token: admin, body: {} });
  await logIn(node, 'ana', 'not the password');
});

const list = (query: Record<string, string> = {}, token = viewer) =>
  node.api.get(`/operator/audit?${new URLSearchParams(query)}`, { token });
const actions = async (query: Record<string, string>) =>
  (await list(query)).json.map(({ action }: { action: string }) => action);

describe('GET /operator/audit', () => {
  it('shows a change with the login of the operator and the client id of the merchant', async () => {
    const { json } = await list({ action: 'merchant.suspended', merchant: 'acme' });
    expect(json).toEqual([
      {
        id: expect.any(Number),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        actor: 'operator:ana',
        action: 'merchant.suspended',
        subject: 'merchant:acme',
        merchant: 'acme',
        fromState: 'active',
        toState: 'suspended',
        details: {},
        requestId: expect.any(String),
      },
    ]);
  });

  it('lists the newest first, in pages connected by the header Link, each entry once', async () => {
    const allEntries = (await list({ limit: '200' })).json;
    const ids: number[] = allEntries.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((left, right) => right - left));
    const collected: unknown[] = [];
    let path: string | undefined = '/operator/audit?limit=3&from=2020-01-01T00:00:00Z';
    while (path !== undefined) {
      const answer = await node.api.get(path, { token: viewer });
      expect(answer.json.length).toBeLessThanOrEqual(3);
      collected.push(...answer.json);
      path = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(collected).toEqual(allEntries);
  });

  it('filters by merchant, actor, action and subject, alone and together', async () => {
    expect(await actions({ merchant: 'acme' })).toEqual(['merchant.resumed', 'merchant.suspended']);
    // The creation of a merchant is an action of the instance.
    expect(await actions({ subject: 'merchant:acme' })).toEqual([
      'merchant.resumed',
      'merchant.suspended',
      'merchant.created',
    ]);
    expect(await actions({ actor: 'operator:ana' })).toEqual([
      'merchant.suspended',
      'merchant.resumed',
      'merchant.suspended',
      'operator.logged_in',
    ]);
    expect(await actions({ actor: 'operator:ana', subject: 'merchant:globex' })).toEqual(['merchant.suspended']);
    expect(await actions({ subject: 'operator:ana' })).toEqual([
      'operator.login_failed',
      'operator.logged_in',
      'operator.created',
    ]);
    expect(await actions({ action: 'merchant.resumed' })).toEqual(['merchant.resumed']);
    expect(await actions({ actor: 'system:login' })).toEqual(['operator.login_failed']);
  });

  it('filters by time: from is inclusive, to is exclusive', async () => {
    const { rows } = await sql.query<{ at: Date }>(
      `SELECT date_trunc('milliseconds', occurred_at) + interval '1 millisecond' AS at FROM changes
        WHERE action = 'merchant.resumed'`,
    );
    const at = rows[0]?.at.toISOString() ?? '';
    expect(await actions({ to: at, subject: 'merchant:globex' })).toEqual(['merchant.created']);
    expect(await actions({ from: at, subject: 'merchant:globex' })).toEqual(['merchant.suspended']);
    const [entry] = (await list({ action: 'merchant.resumed' })).json;
    expect(await actions({ to: entry.at, action: 'merchant.resumed' })).toEqual([]);
  });

  it('records nothing when it is read', async () => {
    const before = (await list({ limit: '200' })).json.length;
    await list();
    expect((await list({ limit: '200' })).json).toHaveLength(before);
  });

  it('refuses a merchant that does not exist with 404', async () => {
    for (const query of [{ merchant: 'nobody' }, { actor: 'merchant:nobody' }]) {
      const { status, json } = await list(query);
      expect([status, json.code]).toEqual([404, 'merchant_not_found']);
    }
  });

  it.each([
    ['actor', 'ana'],
    ['action', 'everything'],
    ['subject', 'acme'],
    ['subject', 'merchant:\0'],
    ['from', 'yesterday'],
    ['to', '2026-12-31T23:59:60Z'],
    ['limit', '201'],
    ['after', '0'],
    ['after', '1e300'],
  ])('refuses the filter %s=%j with 400', async (name, value) => {
    expect((await list({ [name]: value })).status).toBe(400);
  });
});

describe('remesa audit list', () => {
  const run = (...args: string[]) =>
    remesaHere({ DATABASE_URL: url, MASTER_KEY: testMasterKey }, 'audit', 'list', ...args);

  it('prints one line for each entry, the newest first', async () => {
    const { code, stdout } = await run('--merchant', 'acme', '--limit', '2');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(1))).toEqual([
      ['operator:ana', 'merchant.resumed', 'merchant:acme', 'suspended → active'],
      ['operator:ana', 'merchant.suspended', 'merchant:acme', 'active → suspended'],
      [],
    ]);
  });

  it('prints with --json what the API returns', async () => {
    const { stdout } = await run('--action', 'merchant.resumed', '--since', '2020-01-01', '--json');
    expect([JSON.parse(stdout)]).toEqual((await list({ action: 'merchant.resumed' })).json);
    expect((await run('--subject', 'merchant:acme', '--since', '2100-01-01')).stdout).toBe('');
  });

  it('refuses an unknown merchant with a message', async () => {
    expect(await run('--merchant', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no merchant with this client id.'),
    });
  });
});
