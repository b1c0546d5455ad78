/** SQL on the state of each merchant's ledger: its end, how far it was verified, and its fault. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { LedgerEnd } from './sealing/seal.js';

interface LedgerRow {
  number: bigint;
  hash: Buffer;
  totals_number: bigint;
  verified_number: bigint;
  verified_hash: Buffer;
  verified_totals: bigint;
  verified_at: Date | null;
  fault: string | null;
  fault_at: Date | null;
  numbers_beyond: bigint | null;
}

export interface LedgerFault {
  readonly fault: string;
  readonly faultAt: Date;
}

export interface Ledger {
  readonly merchantId: TenantId;
  readonly end: LedgerEnd;
  readonly totalsNumber: bigint;
  readonly verified: LedgerEnd;
  /** The totals were compared with the journals up to this number. */
  readonly verifiedTotals: bigint;
  readonly verifiedAt: Date | undefined;
  readonly fault: LedgerFault | undefined;
  /** A number after the end, which nobody has given. */
  readonly numberBeyondEnd: bigint | undefined;
}

const findLedger = statement(
  'ledger-store.find',
  `SELECT number, hash, totals_number, verified_number, verified_hash, verified_totals, verified_at, fault,
          fault_at, (SELECT min(journal.number) FROM ledger_journals AS journal
            WHERE journal.merchant_id = $merchantId AND journal.number > ledgers.number) AS numbers_beyond
     FROM ledgers WHERE merchant_id = $merchantId`,
).rows<LedgerRow>();
const findFaultOf = statement(
  'ledger-store.find-fault',
  'SELECT fault FROM ledgers WHERE merchant_id = $merchantId AND fault IS NOT NULL',
).rows<{ fault: string }>();
const listFaulty = statement(
  'ledger-store.list-faults',
  `SELECT merchant_id, fault, fault_at FROM ledgers WHERE fault IS NOT NULL
     ORDER BY fault_at, merchant_id LIMIT $limit`,
).rows<{ merchant_id: bigint; fault: string; fault_at: Date }>();
const startLedger = statement(
  'ledger-store.start',
  `INSERT INTO ledgers (merchant_id, hash, verified_hash) VALUES ($merchantId, $hash, $hash)
     ON CONFLICT (merchant_id) DO NOTHING`,
);
const lockLedger = statement(
  'ledger-store.lock',
  'SELECT number, hash, totals_number FROM ledgers WHERE merchant_id = $merchantId FOR UPDATE SKIP LOCKED',
).rows<{ number: bigint; hash: Buffer; totals_number: bigint }>();
const moveEnd = statement(
  'ledger-store.move-end',
  'UPDATE ledgers SET number = $number, hash = $hash WHERE merchant_id = $merchantId',
);
const dropFault = statement(
  'ledger-store.clear-fault',
  `UPDATE ledgers SET fault = NULL, fault_at = NULL
    WHERE merchant_id = $merchantId AND fault IS NOT NULL AND verified_at > fault_at RETURNING 1 AS dropped`,
).rows<{ dropped: number }>();

export async function findLedgerOf(database: Queryable, merchantId: TenantId): Promise<Ledger | undefined> {
  const [row] = await database.query(findLedger, { merchantId });
  if (!row) return undefined;
  const { fault, fault_at: faultAt } = row;
  return {
    merchantId,
    end: { number: row.number, hash: row.hash },
    totalsNumber: row.totals_number,
    verified: { number: row.verified_number, hash: row.verified_hash },
    verifiedTotals: row.verified_totals,
    verifiedAt: row.verified_at ?? undefined,
    fault: fault !== null && faultAt !== null ? { fault, faultAt } : undefined,
    numberBeyondEnd: row.numbers_beyond ?? undefined,
  };
}

export async function findFault(database: Queryable, merchantId: TenantId): Promise<string | undefined> {
  return (await database.query(findFaultOf, { merchantId }))[0]?.fault;
}

export async function listFaults(
  database: Queryable,
  limit: number,
): Promise<(LedgerFault & { merchantId: TenantId })[]> {
  const rows = await database.query(listFaulty, { limit });
  return rows.map(({ merchant_id, fault, fault_at }) => ({
    merchantId: tenantId(merchant_id),
    fault,
    faultAt: fault_at,
  }));
}

/** Locks the ledger for numbering, and starts it if there is none. Returns undefined when another worker has it. */
export async function lockEnd(
  tx: Transaction,
  merchantId: TenantId,
  empty: LedgerEnd,
): Promise<(LedgerEnd & { totalsNumber: bigint }) | undefined> {
  const lock = async () => (await tx.query(lockLedger, { merchantId }))[0];
  let row = await lock();
  if (!row) {
    await tx.query(startLedger, { merchantId, hash: empty.hash });
    row = await lock();
  }
  return row && { number: row.number, hash: row.hash, totalsNumber: row.totals_number };
}

export async function saveEnd(tx: Transaction, merchantId: TenantId, end: LedgerEnd): Promise<void> {
  await tx.query(moveEnd, { merchantId, number: end.number, hash: end.hash });
}

/** Returns false when there is no fault, or when verification was not content since. */
export async function clearFault(tx: Transaction, merchantId: TenantId): Promise<boolean> {
  return (await tx.query(dropFault, { merchantId })).length > 0;
}
