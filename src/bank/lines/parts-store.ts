/** SQL that replaces a payment of a line by its parts. */
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { LineId, StoredDetail } from './line.js';

/** As it was read: whoever explained it meanwhile was first. */
const removeDetail = statement(
  'parts-store.remove',
  `DELETE FROM bank_line_details WHERE line_id = $lineId AND number = $number AND version = $version
      AND state IN ('waiting', 'break') RETURNING line_id`,
).rows<{ line_id: string }>();
const lockContent = statement(
  'parts-store.lock-content',
  'SELECT sealed_content FROM bank_lines WHERE line_id = $lineId FOR UPDATE',
).rows<{ sealed_content: Buffer | null }>();
const findContent = statement(
  'parts-store.find-content',
  'SELECT sealed_content FROM bank_lines WHERE line_id = $lineId',
).rows<{ sealed_content: Buffer | null }>();
const findLast = statement(
  'parts-store.find-last',
  'SELECT coalesce(max(number), 0)::int AS number FROM bank_line_details WHERE line_id = $lineId',
).rows<{ number: number }>();
const saveContent = statement(
  'parts-store.save-content',
  'UPDATE bank_lines SET sealed_content = $sealedContent WHERE line_id = $lineId',
);

/** Returns false when somebody has explained or replaced it. */
export async function removeOpenDetail(
  tx: Transaction,
  { lineId, number, version }: Pick<StoredDetail, 'lineId' | 'number' | 'version'>,
): Promise<boolean> {
  return (await tx.query(removeDetail, { lineId, number, version })).length > 0;
}

/** What is known of the payments of a line; undefined when all were explained. Of two at once, the second waits. */
export async function lockSealedContent(tx: Transaction, lineId: LineId): Promise<Buffer | undefined> {
  return (await tx.query(lockContent, { lineId }))[0]?.sealed_content ?? undefined;
}

export async function findSealedContent(database: Queryable, lineId: LineId): Promise<Buffer | undefined> {
  return (await database.query(findContent, { lineId }))[0]?.sealed_content ?? undefined;
}

export async function findLastNumber(tx: Transaction, lineId: LineId): Promise<number> {
  return (await tx.query(findLast, { lineId }))[0]?.number ?? 0;
}

export async function saveSealedContent(tx: Transaction, lineId: LineId, sealedContent: Buffer): Promise<void> {
  await tx.query(saveContent, { lineId, sealedContent });
}
