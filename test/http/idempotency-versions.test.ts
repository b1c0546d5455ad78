/** During a rolling update, a node of the previous version and a new one never both commit an equal request. */
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claim, type KeyClaim, keepAnswer } from '../../src/http/commands/idempotency.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';
import { newKey } from './key-rows.js';

/** The statements of the previous version: it took the lock first, and inserted the row at the end. */
const previousClaim = `
  SELECT kept.answer, CASE WHEN kept.answer IS NULL THEN pg_try_advisory_xact_lock($3) END AS claimed
    FROM (VALUES (1)) AS always
    LEFT JOIN idempotency_keys AS kept
      ON kept.merchant_id = $1 AND kept.scope_hash = $2 AND kept.expires_at > clock_timestamp()`;
const previousKeep = `
  INSERT INTO idempotency_keys AS kept (merchant_id, scope_hash, fingerprint, answer, expires_at)
  VALUES ($1, $2, $3, 'previous', clock_timestamp() + make_interval(hours => 24))
  ON CONFLICT (merchant_id, scope_hash) DO UPDATE
     SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
   WHERE kept.expires_at <= clock_timestamp()
  RETURNING 1 AS kept`;

const { sql, database } = useTestDatabase();
let previous: pg.PoolClient;
beforeEach(async () => {
  previous = await sql.connect();
  await previous.query('BEGIN');
});
afterEach(async () => {
  await previous.query('ROLLBACK');
  previous.release();
});

const claimAsPrevious = async (key: KeyClaim) =>
  (await previous.query(previousClaim, [key.merchantId, key.scopeHash, key.scopeHash.readBigInt64BE(0)]))
    .rows[0];
const keepAsPrevious = (key: KeyClaim) =>
  previous.query(previousKeep, [key.merchantId, key.scopeHash, key.fingerprint]);
const claimed = (key: KeyClaim) => database.transaction((tx) => claim(tx, key));

describe('a node of the previous version and a new one', () => {
  it('answer 409 on the new one while the previous one runs, and its answer afterwards', async () => {
    const key = newKey();
    expect(await claimAsPrevious(key)).toEqual({ answer: null, claimed: true });
    await expect(claimed(key)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await keepAsPrevious(key);
    await expect(claimed(key)).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    await previous.query('COMMIT');
    expect(await claimed(key)).toEqual({ status: 200, body: 'previous' });
  });

  it('give no lock to the previous one while the new one runs, and the new answer afterwards', async () => {
    const key = newKey();
    await database.transaction(async (tx) => {
      await claim(tx, key);
      expect(await claimAsPrevious(key)).toEqual({ answer: null, claimed: false });
      await keepAnswer(tx, key, { status: 200, body: 'new' });
    });
    expect(await claimAsPrevious(key)).toEqual({ answer: 'new', claimed: null });
  });

  it('commit one of two when both run: the previous one cannot store its answer', async () => {
    const key = newKey();
    let late: ReturnType<typeof keepAsPrevious> | undefined;
    await database.transaction(async (tx: Transaction) => {
      await claim(tx, key);
      late = keepAsPrevious(key);
      await eventually(async () => {
        const { rowCount } = await sql.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      });
      await keepAnswer(tx, key, { status: 200, body: 'new' });
    });
    expect((await late)?.rows).toEqual([]);
  });
});
