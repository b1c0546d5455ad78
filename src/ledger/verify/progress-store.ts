/** SQL on how far each ledger was verified, and on what was found. */
import { type TenantId, tenantId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { VerifiedTo } from '../ledger-store.js';

/** Selected, because a distributed schema allows no time in CASE, coalesce and RETURNING. */
const clock = '(SELECT statement_timestamp() AS at) AS clock';

/** A journal that is not numbered for a minute is one that no change names, or that was changed. */
const listChanged = statement(
  'progress-store.list-changed',
  `SELECT merchant_id FROM ledgers
    WHERE (verified_number < number OR verified_totals < totals_number OR fault IS NOT NULL)
      AND merchant_id > $after
   UNION SELECT merchant_id FROM ledger_journals
    WHERE number IS NULL AND recorded_at < statement_timestamp() - interval '1 minute' AND merchant_id > $after
   ORDER BY merchant_id LIMIT $limit`,
).rows<{ merchant_id: bigint }>();
const listUnverified = statement(
  'progress-store.list-due-in-full',
  `SELECT merchant_id FROM ledgers WHERE fully_verified_at < statement_timestamp() - make_interval(hours => $hours)
    ORDER BY fully_verified_at LIMIT $limit`,
).rows<{ merchant_id: bigint }>();
/** Accounts are opened with the first journal, so a ledger whose row was deleted is still listed. */
const listAll = statement(
  'progress-store.list-all',
  `SELECT merchant_id FROM ledgers WHERE merchant_id > $after
   UNION SELECT merchant_id FROM ledger_accounts WHERE merchant_id > $after
   ORDER BY merchant_id LIMIT $limit`,
).rows<{ merchant_id: bigint }>();
const sumVerified = statement(
  'progress-store.sum-verified',
  `SELECT coalesce(sum(verified_change), 0)::float8 AS changes FROM ledgers
    WHERE merchant_id = ANY ($merchantIds::bigint[])`,
).rows<{ changes: number }>();
const saveVerified = statement(
  'progress-store.save-verified',
  `UPDATE ledgers SET verified_number = $journals, verified_change = $change, verified_hash = $hash
     WHERE merchant_id = $merchantId AND verified_change < $change AND number >= $journals`,
);
const saveContent = statement(
  'progress-store.save-content',
  `UPDATE ledgers SET verified_at = clock.at, verified_totals = greatest(verified_totals, $totalsNumber),
          fully_verified_at = CASE WHEN $isFull::boolean THEN clock.at ELSE fully_verified_at END
     FROM ${clock}
    WHERE merchant_id = $merchantId`,
);
/** The first fault stays until it is cleared. The next verification begins before it. */
const saveFault = statement(
  'progress-store.save-fault',
  `UPDATE ledgers SET fault = coalesce(fault, $fault), fault_at = coalesce(fault_at, clock.at), verified_at = NULL,
          verified_number = CASE WHEN $soundChange < verified_change THEN $soundJournals ELSE verified_number END,
          verified_hash = CASE WHEN $soundChange < verified_change THEN $soundHash ELSE verified_hash END,
          verified_change = least(verified_change, $soundChange),
          verified_totals = least(verified_totals, $soundTotals)
     FROM ${clock}
    WHERE merchant_id = $merchantId
   RETURNING fault_at = clock.at AS is_new`,
).rows<{ is_new: boolean }>();

/** Merchants whose ledger grew since it was verified, or has a fault, in rising order. */
export function listMerchantsToVerify(database: Queryable, after: number, limit: number) {
  return merchantsOf(database.query(listChanged, { after, limit }));
}

/** Merchants whose whole history was not verified for so many hours, those that have waited longest first. */
export function listMerchantsToVerifyInFull(database: Queryable, hours: number, limit: number) {
  return merchantsOf(database.query(listUnverified, { hours, limit }));
}

/** All merchants that have a ledger, in rising order. */
export function listMerchantsWithLedger(database: Queryable, after: number, limit: number) {
  return merchantsOf(database.query(listAll, { after, limit }));
}

/** How many changes of these merchants were verified before. */
export async function countVerified(database: Queryable, merchants: readonly TenantId[]): Promise<number> {
  return (await database.query(sumVerified, { merchantIds: merchants }))[0]?.changes ?? 0;
}

export async function saveProgress(tx: Transaction, merchantId: TenantId, reached: VerifiedTo): Promise<void> {
  const { journals, change } = reached;
  await tx.query(saveVerified, { merchantId, journals, change: change.number, hash: change.hash });
}

/** Nothing wrong was found up to the end. */
export async function saveSoundness(
  tx: Transaction,
  merchantId: TenantId,
  { totalsNumber, isFull }: { totalsNumber: bigint; isFull: boolean },
): Promise<void> {
  await tx.query(saveContent, { merchantId, totalsNumber, isFull });
}

/** Returns whether the merchant had no fault before. `sound` is where the next verification begins. */
export async function recordFault(
  tx: Transaction,
  merchantId: TenantId,
  fault: string,
  sound: VerifiedTo & { readonly totalsNumber: bigint },
): Promise<boolean> {
  const [row] = await tx.query(saveFault, {
    merchantId,
    fault,
    soundJournals: sound.journals,
    soundChange: sound.change.number,
    soundHash: sound.change.hash,
    soundTotals: sound.totalsNumber,
  });
  return row?.is_new ?? false;
}

async function merchantsOf(rows: Promise<{ merchant_id: bigint }[]>): Promise<TenantId[]> {
  return (await rows).map((row) => tenantId(row.merchant_id));
}
