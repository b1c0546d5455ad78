import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { rotateSigningKeys } from '../../src/tokens/service.js';
import {
  auditRows,
  type Client,
  newMerchant,
  newOperator,
  operatorToken,
  type Running,
  statusOf,
  tokenOf,
  useNodes,
} from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { rounds } from '../harness/rounds.js';
import { headerOf, sealingKeyOf } from './forge.js';

const { database, sql, startNode } = useNodes();
let nodes: [Running, Running];
let acme: Client;
let sealingKey: Buffer;

beforeAll(async () => {
  nodes = [await startNode(), await startNode()];
  acme = await newMerchant(nodes[0].service.database, 'acme');
  sealingKey = await sealingKeyOf(database);
});

const actor = { kind: 'system', name: 'test' } as const;
const rotate = (publishAheadSeconds: number, graceSeconds: number) =>
  nodes[0].service.database.transaction((tx) =>
    rotateSigningKeys(tx, { sealingKey, actor, emergency: false, publishAheadSeconds, graceSeconds }),
  );
const onBoth = (token: string) => Promise.all(nodes.map((node) => statusOf(node, token)));
const publishedBy = async (node: Running): Promise<string[]> =>
  (await node.api.get('/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid);

/** Clients that ask one node for a token and use it on both, again and again. */
class Clients {
  readonly refusals: string[] = [];
  readonly keyIds = new Set<unknown>();
  count = 0;
  #running = true;
  readonly #all: Promise<void>[];

  constructor(atOnce: number) {
    this.#all = Array.from({ length: atOnce }, (_, index) => this.#client(nodes[index % 2] as Running));
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#all);
  }

  async #client(issuer: Running): Promise<void> {
    while (this.#running) {
      const token = await tokenOf(issuer, acme);
      const { kid } = headerOf(token);
      this.keyIds.add(kid);
      for (const node of nodes) {
        if (!(await publishedBy(node)).includes(String(kid))) this.refusals.push(`${kid} is not published`);
        const status = await statusOf(node, token);
        if (status !== 200) this.refusals.push(`${status} for a token of ${kid}`);
        this.count += 1;
      }
      await setTimeout(rounds(20, 0));
    }
  }
}

describe('a planned rotation', () => {
  it('interrupts nothing: two nodes serve traffic over three rotations without a false 401', async () => {
    const clients = new Clients(4);
    const rotated: string[] = [];
    for (const _ of [1, 2, 3]) {
      // Longer than the busiest machine takes to use a token that it has just been given.
      const { keyId } = await rotate(1, 60);
      rotated.push(keyId);
      await eventually(() => clients.keyIds.has(keyId), { what: `tokens of ${keyId}` });
    }
    await clients.stop();
    expect(clients.refusals).toEqual([]);
    expect(clients.keyIds.size).toBe(4);
    expect([...clients.keyIds]).toEqual(expect.arrayContaining(rotated));
    expect(clients.count).toBeGreaterThan(50);
  });

  it('publishes the new key before it signs, and refuses the old one’s tokens after the grace period', async () => {
    const old = await tokenOf(nodes[0], acme);
    expect(await onBoth(old)).toEqual([200, 200]);
    const { keyId } = await rotate(2, 2);
    for (const node of nodes) {
      await eventually(async () => (await publishedBy(node)).includes(keyId), { withinMs: 1_500 });
      expect(headerOf(await tokenOf(node, acme)).kid).toBe(headerOf(old).kid);
    }
    await eventually(async () => headerOf(await tokenOf(nodes[1], acme)).kid === keyId, { everyMs: 100 });
    expect(await onBoth(old)).toEqual([200, 200]);
    await eventually(async () => (await onBoth(old)).every((status) => status === 401), {
      everyMs: 100,
      what: 'the end of the grace',
    });
    for (const node of nodes) {
      await eventually(async () => !(await publishedBy(node)).includes(String(headerOf(old).kid)), {
        withinMs: 5_000,
      });
      expect(await onBoth(await tokenOf(node, acme))).toEqual([200, 200]);
    }
  });
});

describe('an emergency rotation', () => {
  it('ends every token within 5 s everywhere, and new ones work at once on both nodes', async () => {
    const adminId = await newOperator(nodes[0].service.database, 'ana', 'admin');
    const admin = await operatorToken(nodes[0], 'ana');
    const old = await tokenOf(nodes[1], acme);
    expect(await onBoth(old)).toEqual([200, 200]);

    const answer = await nodes[0].api.post('/operator/keys/rotate', {
      token: admin,
      body: { emergency: true },
    });
    expect(answer.json).toEqual({
      keyId: expect.any(String),
      activatesInSeconds: 0,
      othersExpireInSeconds: 0,
    });
    await eventually(async () => (await onBoth(old)).every((status) => status === 401), { withinMs: 5_000 });
    expect((await nodes[0].api.get('/operator/keys', { token: admin })).status).toBe(401);

    for (const node of nodes) {
      const token = await tokenOf(node, acme);
      expect(headerOf(token).kid).toBe(answer.json.keyId);
      expect(await onBoth(token)).toEqual([200, 200]);
      expect(await publishedBy(node)).toEqual([answer.json.keyId]);
    }
    expect((await auditRows(sql, 'keys.rotated')).at(-1)).toMatchObject({
      actor: `operator:${adminId}`,
      subject: `signing_key:${answer.json.keyId}`,
      details: { emergency: true, activatesInSeconds: 0, othersExpireInSeconds: 0 },
    });
  });

  it('ends them also when no node was notified', async () => {
    const old = await tokenOf(nodes[0], acme);
    expect(await onBoth(old)).toEqual([200, 200]);
    // This connection sends no wake-up.
    await database.transaction((tx) => rotateSigningKeys(tx, { sealingKey, actor, emergency: true }));
    await eventually(async () => (await onBoth(old)).every((status) => status === 401), { withinMs: 5_000 });
  });
});

describe('the keys that operators see', () => {
  it('do not contain the private key', async () => {
    const admin = await operatorToken(nodes[0], 'ana');
    const keys = (await nodes[0].api.get('/operator/keys', { token: admin })).json;
    expect(keys).toEqual([{ keyId: expect.any(String), activatesAt: expect.any(String) }]);
  });
});
