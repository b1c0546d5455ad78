/** SQL that reads the whole audit log for its verification. */
import { type TenantId, tenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { ChainedEntry, EntryContent } from './chain.js';
import { contentColumns } from './store.js';

interface ChainedRow {
  merchant_id: bigint;
  sequence: bigint;
  previous_hash: Buffer;
  hash: Buffer;
  content: EntryContent;
}

/** An entry of a merchant's chain. */
export interface MerchantEntry extends ChainedEntry {
  readonly merchantId: TenantId;
}

const columns = `merchant_id, sequence, previous_hash, hash, ${contentColumns} AS content`;

const listChained = statement<ChainedRow>(
  'verify-store.list-chained',
  `SELECT ${columns} FROM audit_entries
    WHERE (merchant_id, sequence) > ($1, $2) AND sequence > 0 AND NOT of_shared_chain
    ORDER BY merchant_id, sequence LIMIT $3`,
);
const listShared = statement<ChainedRow>(
  'verify-store.list-shared',
  `SELECT ${columns} FROM audit_entries WHERE of_shared_chain AND sequence > $1 ORDER BY sequence LIMIT $2`,
);
const findExistence = statement<{ has_entries: boolean; has_accounts: boolean }>(
  'verify-store.find-traces',
  `SELECT EXISTS (SELECT FROM audit_entries) AS has_entries,
          EXISTS (SELECT FROM merchants) OR EXISTS (SELECT FROM operators) AS has_accounts`,
);

/** Pages through the chains of all merchants, one merchant after the other. */
export async function* chainedEntries(database: Queryable, pageSize: number): AsyncGenerator<MerchantEntry> {
  let last: { merchantId: number; sequence: bigint } = { merchantId: -1, sequence: 0n };
  for (;;) {
    const rows = await database.query(listChained, [last.merchantId, last.sequence, pageSize]);
    const page = rows.map((row) => ({ ...toEntry(row), merchantId: tenantId(row.merchant_id) }));
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Pages through the chain that covered all merchants. */
export async function* sharedEntries(database: Queryable, pageSize: number): AsyncGenerator<ChainedEntry> {
  let last = 0n;
  for (;;) {
    const rows = await database.query(listShared, [last, pageSize]);
    yield* rows.map(toEntry);
    const end = rows.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}

/** Whether the log has entries, chained or not, and whether accounts exist whose creation it must contain. */
export async function findLogExistence(
  database: Queryable,
): Promise<{ hasEntries: boolean; hasAccounts: boolean }> {
  const [row] = await database.query(findExistence);
  return { hasEntries: row?.has_entries ?? false, hasAccounts: row?.has_accounts ?? false };
}

function toEntry({ sequence, previous_hash, hash, content }: ChainedRow): ChainedEntry {
  return { sequence, previousHash: previous_hash, hash, content };
}
