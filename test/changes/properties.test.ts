import { createHash, createHmac, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenantId } from '../../src/ids.js';
import { rounds } from '../harness/rounds.js';
import { rootKey, useAuditLog } from './audit-log.js';

const log = useAuditLog();

type Step =
  | { kind: 'record'; merchant: number; count: number }
  | { kind: 'round'; worker: number }
  | { kind: 'both workers' }
  | { kind: 'crash before the head' }
  | { kind: 'crash before the mark' }
  | { kind: 'crash before the file' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      merchant: fc.nat(3),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('round' as const), worker: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('both workers' as const) }) },
  ...(['crash before the head', 'crash before the mark', 'crash before the file'] as const).map((kind) => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant(kind) }),
  })),
);

/** Runs the steps. A crash is a round whose last effects are taken back, and a worker that starts afresh. */
async function play(steps: readonly Step[]): Promise<void> {
  const { signal } = new AbortController();
  let workers = [log.worker(), log.worker()];
  const lines = () => (existsSync(log.file.path) ? readFileSync(log.file.path, 'utf8') : '');
  for (const current of steps) {
    if (current.kind === 'record')
      await log.record(current.count, { merchant: tenantId(current.merchant), channel: 'kyc' });
    else if (current.kind === 'round') await workers[current.worker]?.run(signal);
    else if (current.kind === 'both workers') await Promise.all(workers.map((worker) => worker.run(signal)));
    else {
      const before = lines();
      const last = await lastHead();
      await log.worker().run(signal);
      writeFileSync(log.file.path, before);
      if (current.kind === 'crash before the head')
        await log.tamper('DELETE FROM signed_heads WHERE number > $1', [last]);
      if (current.kind !== 'crash before the file') await log.tamper('UPDATE change_chains SET signed_number = 0');
      workers = [log.worker(), log.worker()];
    }
  }
  while ((await log.worker().run(signal)) > 0);
}

async function lastHead(): Promise<number> {
  const { rows } = await log.sql.query('SELECT coalesce(max(number), 0)::int AS last FROM signed_heads');
  return rows[0].last;
}

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const textDigest = (text: string | null) => text && createHash('sha256').update(text).digest('hex');

/** Under the key of the merchant, by HKDF (RFC 5869). */
function hmac(merchant: string, content: unknown): string {
  const key = hkdfSync('sha256', rootKey, '', `remesa changes ${merchant}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(JSON.stringify(content)).digest('hex');
}

const start = '0'.repeat(64);

/** Written anew from the description in the decision: true when every chain and head is intact and covered. */
async function isIntact(): Promise<boolean> {
  const hashes = new Map<string, string>();
  const lengths = new Map<string, number>();
  const entries = await log.sql.query(
    `SELECT merchant_id::text AS merchant, number::text, encode(hash, 'hex') AS hash, encode(seal, 'hex') AS seal,
            sequence::text, id::text, object, encode(object_digest, 'hex') AS object_digest,
            to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS occurred,
            to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS recorded,
            json_build_array(merchant_id, actor_kind, actor_id, approved_by, approval_id, action, subject, from_state,
              to_state, details::text, request_id, version, public_version, event_id, channel, event_type,
              encode(object_digest, 'hex'), previous_status, '{}'::text[], NULL, NULL) AS content
       FROM changes ORDER BY merchant_id, changes.number`,
  );
  const areLinked = entries.rows.every((entry) => {
    const { merchant, number, hash, seal, sequence, id, occurred, recorded, content } = entry;
    const length = (lengths.get(merchant) ?? 0) + 1;
    lengths.set(merchant, length);
    hashes.set(`${merchant}/${number}`, hash);
    const previous = hashes.get(`${merchant}/${length - 1}`) ?? start;
    const isSealed = seal === hmac(merchant, content) && entry.object_digest === textDigest(entry.object);
    const isNext = hash === sha256([previous, number, sequence, id, occurred, recorded, seal]);
    return isSealed && isNext && number === String(length);
  });
  return areLinked && (await areCovered(hashes, lengths));
}

async function areCovered(hashes: ReadonlyMap<string, string>, lengths: ReadonlyMap<string, number>): Promise<boolean> {
  const heads = await log.sql.query(
    `SELECT number::text, ends, signed_at, encode(hash, 'hex') AS hash, signature FROM signed_heads
      ORDER BY signed_heads.number`,
  );
  const publicKey = createPublicKey(log.key);
  const covered = new Map<string, number>();
  let previous = start;
  const areGenuine = heads.rows.every(({ number, ends, signed_at, hash, signature }, index) => {
    const isNext = number === String(index + 1) && hash === sha256([previous, number, signed_at.getTime(), ends]);
    previous = hash;
    for (const [merchant, sequence] of ends) covered.set(merchant, Number(sequence));
    const message = Buffer.from(`remesa audit signed head ${number} ${hash}`);
    const isTrue = ends.every(([merchant, sequence, end]: string[]) => hashes.get(`${merchant}/${sequence}`) === end);
    return isNext && isTrue && verify(null, message, publicKey, signature);
  });
  return areGenuine && [...lengths].every(([merchant, length]) => covered.get(merchant) === length);
}

const changes = [
  "UPDATE changes SET subject = subject || 'x' WHERE id = $1",
  "UPDATE changes SET occurred_at = occurred_at - interval '1 second' WHERE id = $1",
  'UPDATE changes SET merchant_id = merchant_id + 10 WHERE id = $1',
  'DELETE FROM changes WHERE id = $1',
  "UPDATE changes SET hash = sha256('x') WHERE id = $1",
  "UPDATE changes SET seal = sha256('x') WHERE id = $1",
  'UPDATE changes SET sequence = sequence + 1000 WHERE id = $1',
  `UPDATE changes SET object = '{}' WHERE id = $1`,
  'DELETE FROM signed_heads WHERE number = 1',
  'UPDATE signed_heads SET ends = ends || \'[["9", "1", "00"]]\' WHERE number = 1',
];

describe('whatever happens', () => {
  it('an untouched log is intact, and any change to it is found, as an independent check agrees', async () => {
    const run = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...changes),
      fc.nat(),
      async (steps, change, which) => {
        await log.tamper('TRUNCATE changes, change_chains, signed_heads RESTART IDENTITY');
        rmSync(log.file.path, { force: true });
        await log.record(2, { merchant: tenantId(1), channel: 'kyc' });
        await log.chain();
        await play(steps);
        expect(await log.findings()).toEqual({ faults: [], losses: [], unchecked: [] });
        expect(await isIntact()).toBe(true);
        const { rows } = await log.sql.query('SELECT id::text FROM changes ORDER BY id');
        await log.tamper(change, change.includes('$1') ? [rows[which % rows.length].id] : []);
        const { faults, losses } = await log.findings();
        expect(faults.length + losses.length).toBeGreaterThan(0);
        expect(await isIntact()).toBe(false);
      },
    );
    await fc.assert(run, { numRuns: rounds(12, 300) });
  });
});
