/** Notifications of a service that is killed while it commits, numbers, sends and records. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { registerUrl } from '../../src/webhooks/registration.js';
import { eventually } from '../harness/eventually.js';
import { type RunningService, startServiceOf } from '../harness/processes.js';
import { useReceiver } from '../harness/receiver.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { changesTable } from '../rooms/changes.js';
import { verifiesAsymmetric } from '../webhooks/verifying.js';

const receiver = useReceiver();
const { url, sql, database } = useTestDatabase();
const folder = mkdtempSync(join(tmpdir(), 'remesa-webhooks-'));
/** The one that runs now: each test goes on with what the last one left. */
let service: RunningService;
beforeAll(async () => {
  await sql.query(changesTable);
  service = await start();
  await registerReceiver();
});
afterAll(async () => {
  await service?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** What a killed process had claimed is due again when its lease has ended; the test does not wait for that. */
async function start(): Promise<RunningService> {
  await sql.query('UPDATE deliveries SET leased_until = clock_timestamp() WHERE lease_token IS NOT NULL');
  return startServiceOf('test/programs/changes-service.ts', { DATABASE_URL: url, DATA_DIR: folder });
}

const by = { actor: { kind: 'system', name: 'test' } } as const;
const demo = { merchantId: merchantId(1), channel: 'kyc' } as const;
const registerReceiver = () =>
  database.transaction((tx) => registerUrl(tx, by, demo, { url: `${receiver.url}/hook` }, 'public'));

let changes = 0;

/** Undone ones too; what came of it is for the database to say. */
async function change(url: string, isUndone = Math.random() < 0.15): Promise<void> {
  changes += 1;
  const body = { changeId: `c${changes}`, subject: `s${changes % 5}`, isUndone };
  await fetch(`${url}/changes`, {
    method: 'POST',
    headers: { authorization: 'Bearer merchant-1', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).then((response) => response.arrayBuffer());
}

/** Several clients, until the service is gone. Each change is sent and verified later, hence the pauses. */
function changeContinually(url: string): Promise<unknown> {
  const client = async () => {
    for (;;) {
      await change(url);
      await setTimeout(rounds(10, 0));
    }
  };
  return Promise.allSettled([1, 2, 3, 4].map(client));
}

async function committed(): Promise<Map<string, string>> {
  const { rows } = await sql.query('SELECT event_id, change_id FROM made_changes');
  return new Map(rows.map((row) => [row.event_id, row.change_id]));
}

function receivedIds(): Set<string> {
  return new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));
}

async function publishedKey(): Promise<string> {
  const answer = await fetch(`${service.url}/.well-known/webhook-keys/demo`);
  const { keys } = (await answer.json()) as { keys: { publicKey: string }[] };
  return keys[0]?.publicKey ?? '';
}

describe('kill -9 at any moment', () => {
  it('loses no committed change, tells of none that was not committed, and leaves no gap', {
    timeout: 1_800_000,
  }, async () => {
    receiver.behaviour = () => ({ kind: 'answer', status: Math.random() < 0.05 ? 500 : 200 });
    for (let round = 1; round <= rounds(1, 100); round += 1) {
      const before = receiver.received.length;
      const traffic = changeContinually(service.url);
      const enough = before + Math.floor(Math.random() * rounds(80, 150));
      await eventually(() => receiver.received.length > enough, { withinMs: 60_000, what: 'notifications' });
      await service.end('SIGKILL');
      await traffic;
      service = await start();
    }

    receiver.behaviour = { kind: 'answer', status: 200 };
    const expected = await committed();
    await eventually(
      async () => {
        await sql.query(`UPDATE deliveries SET due_at = clock_timestamp() WHERE state = 'pending' AND attempts > 0`);
        const { rowCount } = await sql.query(
          `SELECT 1 FROM events LEFT JOIN deliveries USING (merchant_id, event_id)
            WHERE state IS DISTINCT FROM 'delivered' LIMIT 1`,
        );
        return rowCount === 0;
      },
      { withinMs: 120_000, what: 'every committed change' },
    );
    expect([...receivedIds()].filter((id) => !expected.has(id))).toEqual([]);
    expect([...expected.keys()].filter((id) => !receivedIds().has(id))).toEqual([]);

    const publicKey = await publishedKey();
    const bodies = new Map<string, string>();
    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id']);
      expect(verifiesAsymmetric(headers, body, publicKey)).toBe(true);
      expect(JSON.parse(body).data.object.changeId).toBe(expected.get(id));
      expect(bodies.get(id) ?? body).toBe(body);
      bodies.set(id, body);
    }
    const sequences = [...bodies.values()].map((body) => JSON.parse(body).data.sequence as number);
    expect(sequences.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: expected.size }, (_, index) => index + 1),
    );
    const { rows } = await sql.query('SELECT max(sequence)::int AS last, count(*)::int AS events FROM events');
    expect(rows).toEqual([{ last: expected.size, events: expected.size }]);
  });
});

describe('kill -9 between the receiver’s 200 and our record of it', () => {
  it('delivers again, under the same id', { timeout: 120_000 }, async () => {
    receiver.received.splice(0);
    let killing: Promise<unknown> | undefined;
    receiver.behaviour = () => {
      // The process is gone before it can read the answer, let alone record it.
      killing ??= service.end('SIGKILL');
      return { kind: 'answer', status: 200 };
    };
    await change(service.url, false).catch(() => {});
    await eventually(() => killing !== undefined, { withinMs: 30_000, what: 'the kill' });
    await killing;
    const { rows } = await sql.query(`SELECT last_attempt_no FROM deliveries WHERE state = 'pending'`);
    expect(rows).toEqual([{ last_attempt_no: 0 }]);
    service = await start();
    const [first, second] = await eventually(() => (receiver.received.length > 1 ? receiver.received : undefined), {
      withinMs: 30_000,
    });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const publicKey = await publishedKey();
    for (const { headers, body } of receiver.received) {
      expect(verifiesAsymmetric(headers, body, publicKey)).toBe(true);
    }
    await eventually(
      async () => (await sql.query(`SELECT 1 FROM deliveries WHERE state <> 'delivered'`)).rowCount === 0,
    );
  });
});
