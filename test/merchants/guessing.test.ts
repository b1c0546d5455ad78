import { beforeAll, describe, expect, it } from 'vitest';
import {
  askToken,
  basic,
  type Client,
  newMerchant,
  postForm,
  type Running,
  startNode,
  stopNodesAfterAll,
} from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { useTestDatabase } from '../harness/test-database.js';

stopNodesAfterAll();
const { url } = useTestDatabase();
let node: Running;

beforeAll(async () => {
  node = await startNode(url, { settings: { TRUST_PROXY: 'true', TOKENS_PER_MINUTE: '5' } });
});

/** Sends a request from an address, as the proxy reports it. */
const guess = (clientId: string, address: string, clientSecret = 'a wrong guess'): Promise<Answer> =>
  postForm(
    node.api,
    '/oauth/token',
    { grant_type: 'client_credentials' },
    { ...basic({ clientId, clientSecret }), 'x-forwarded-for': address, 'x-request-id': 'r-1' },
  );
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const shown = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

describe('wrong secrets', () => {
  it('are limited after ten for one client in a minute, from any addresses; the right one is still accepted', async () => {
    const acme = await newMerchant(node.service.database, 'guessed');
    for (const index of times(10)) expect((await guess('guessed', `10.0.0.${index}`)).status).toBe(401);
    const eleventh = await guess('guessed', '10.0.0.11');
    expect([eleventh.status, eleventh.json.error]).toEqual([429, 'rate_limited']);
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(eleventh.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await guess('guessed', '10.0.0.1', acme.clientSecret)).status).toBe(200);
    expect((await guess('guessed', '10.0.0.12')).status).toBe(429);
  });

  it('are limited after twenty from one address in a minute, for any clients; other addresses are not affected', async () => {
    const acme = await newMerchant(node.service.database, 'bystander');
    for (const index of times(20)) expect((await guess(`some-client-${index}`, '10.1.0.1')).status).toBe(401);
    const next = await guess('yet-another', '10.1.0.1');
    expect([next.status, next.headers.has('retry-after')]).toEqual([429, true]);
    expect((await guess('yet-another', '10.1.0.2')).status).toBe(401);
    expect((await guess('bystander', '10.1.0.1', acme.clientSecret)).status).toBe(200);
  });

  it('are limited also when they all arrive at once', async () => {
    const answers = await Promise.all(times(30).map((index) => guess('at-once', `10.2.0.${index}`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  it('are limited also when the caller forges addresses before the one that our proxy adds', async () => {
    for (const index of times(20)) {
      const answer = await guess(`forwarded-${index}`, `10.3.1.${index}, 10.3.0.1`);
      expect(answer.status).toBe(401);
    }
    expect((await guess('forwarded-20', '10.3.1.20, 10.3.0.1')).status).toBe(429);
  });

  it('are limited for revocations as for tokens', async () => {
    const revoke = () =>
      postForm(node.api, '/oauth/revoke', { token: 'x' }, basic({ clientId: 'revoked', clientSecret: 'x' }));
    for (const _ of times(10)) expect((await revoke()).status).toBe(401);
    expect((await revoke()).status).toBe(429);
  });
});

describe('a refusal', () => {
  it('tells nobody by status, body or headers whether a client exists, before and after the limit', async () => {
    await newMerchant(node.service.database, 'is-there');
    for (const index of times(12)) {
      const known = shown(await guess('is-there', `10.4.0.${index}`));
      const unknown = shown(await guess('is-not-there', `10.4.1.${index}`));
      const withoutWait = (answer: typeof known) => ({
        ...answer,
        headers: answer.headers.filter(([name]) => name !== 'retry-after'),
      });
      expect(withoutWait(known)).toEqual(withoutWait(unknown));
      expect(known.status).toBe(index < 10 ? 401 : 429);
    }
  });
});

describe('tokens of one client', () => {
  it('are limited to TOKENS_PER_MINUTE, and other clients are not affected', async () => {
    const [eager, calm]: Client[] = [
      await newMerchant(node.service.database, 'eager'),
      await newMerchant(node.service.database, 'calm'),
    ];
    if (!eager || !calm) throw new Error('no merchants');
    for (const _ of times(5)) expect((await askToken(node, eager)).status).toBe(200);
    const sixth = await askToken(node, eager);
    expect([sixth.status, sixth.json]).toEqual([
      429,
      { error: 'rate_limited', error_description: 'More than 5 requests in 60 s.' },
    ]);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await askToken(node, calm)).status).toBe(200);
  });
});
