/** SQL on the state of each merchant's ledger: its last number, how far it was verified, and its fault. */
import type { ChainEnd } from '../changes/chain/chain.js';
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

interface LedgerRow {
  number: bigint;
  totals_number: bigint;
  verified_number: bigint;
  verified_change: bigint;
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

/** A place in the history: so many journals, and the change after which there are so many. */
export interface VerifiedTo {
  readonly journals: bigint;
  readonly change: ChainEnd;
}

export interface Ledger {
  readonly merchantId: TenantId;
  /** Of the newest numbered journal. */
  readonly number: bigint;
  readonly totalsNumber: bigint;
  readonly verified: VerifiedTo;
  /** The totals were compared with the journals up to this number. */
  readonly verifiedTotals: bigint;
  readonly verifiedAt: Date | undefined;
  readonly fault: LedgerFault | undefined;
  /** A number after the end, which nobody has given. */
  readonly numberBeyondEnd: bigint | undefined;
}

const findLedger = statement(
  'ledger-store.find',
  `SELECT number, totals_number, verified_number, verified_change, verified_hash, verified_totals, verified_at, fault,
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
  'INSERT INTO ledgers (merchant_id) VALUES ($merchantId) ON CONFLICT (merchant_id) DO NOTHING',
);
const moveNumber = statement(
  'ledger-store.move-end',
  `INSERT INTO ledgers (merchant_id, number) VALUES ($merchantId, $count)
   ON CONFLICT (merchant_id) DO UPDATE SET number = ledgers.number + excluded.number
   RETURNING number, totals_number`,
).rows<{ number: bigint; totals_number: bigint }>();
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
    number: row.number,
    totalsNumber: row.totals_number,
    verified: {
      journals: row.verified_number,
      change: { number: row.verified_change, hash: row.verified_hash },
    },
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

export async function startLedgerOf(tx: Transaction, merchantId: TenantId): Promise<void> {
  await tx.query(startLedger, { merchantId });
}

/** Gives so many more numbers, and returns the last. Starts the ledger if there is none. */
export async function moveEnd(
  tx: Transaction,
  merchantId: TenantId,
  count: number,
): Promise<{ readonly number: bigint; readonly totalsNumber: bigint }> {
  const [row] = await tx.query(moveNumber, { merchantId, count });
  if (!row) throw new Error('the end of the ledger was not moved');
  return { number: row.number, totalsNumber: row.totals_number };
}

/** Returns false when there is no fault, or when verification was not content since. */
export async function clearFault(tx: Transaction, merchantId: TenantId): Promise<boolean> {
  return (await tx.query(dropFault, { merchantId })).length > 0;
}
