/** SQL on cases and what they hold. */
import { type MerchantId, merchantId, type OperatorId, operatorId, storedPublicId } from '../../ids.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import { pageValues, type Task, type TaskPage } from '../../tasks/task.js';
import type { CaseId, ComplianceCase, ComplianceCaseState, ItemKind } from './case.js';

interface CaseRow {
  case_id: string;
  state: ComplianceCaseState;
  sealed_title: Buffer;
  owner: bigint | null;
  due_at: Date;
  version: number;
  opened_by: bigint;
  opened_at: Date;
  changed_at: Date;
}
interface ItemRow {
  number: number;
  kind: ItemKind;
  of_merchant: bigint | null;
  reference: string | null;
  sealed_text: Buffer | null;
  added_by: bigint;
  added_at: Date;
  removed_by: bigint | null;
  removed_at: Date | null;
  sealed_why: Buffer | null;
}
const columns = 'case_id, state, sealed_title, owner, due_at, version, opened_by, opened_at, changed_at';

const insertCase = statement(
  'cases.insert',
  `INSERT INTO compliance_cases (case_id, sealed_title, owner, due_at, opened_by)
   VALUES ($caseId, $sealedTitle, $owner, statement_timestamp() + make_interval(days => $dueInDays::int), $openedBy)
   RETURNING ${columns}`,
).rows<CaseRow>();
const lockOne = statement(
  'cases.lock',
  `SELECT ${columns} FROM compliance_cases WHERE case_id = $caseId FOR UPDATE`,
).rows<CaseRow>();
const updateCase = statement(
  'cases.update',
  `UPDATE compliance_cases SET state = $state, owner = $owner, due_at = $dueAt, version = version + 1,
          changed_at = statement_timestamp()
    WHERE case_id = $caseId AND version = $version RETURNING ${columns}`,
).rows<CaseRow>();
const listPage = statement(
  'cases.list',
  `SELECT ${columns} FROM compliance_cases
    WHERE state = ANY ($states::text[]) AND case_id > $after ORDER BY case_id LIMIT $limit::int`,
).rows<CaseRow>();
const listHolding = statement(
  'cases.list-holding',
  `SELECT DISTINCT case_id FROM compliance_case_items
    WHERE kind = $kind AND reference = $reference AND of_merchant IS NOT DISTINCT FROM $ofMerchant AND removed_at IS NULL
    ORDER BY case_id`,
).rows<{ case_id: string }>();
const insertItem = statement(
  'cases.insert-item',
  `INSERT INTO compliance_case_items (case_id, number, kind, of_merchant, reference, sealed_text, added_by)
   VALUES ($caseId, $number, $kind, $ofMerchant, $reference, $sealedText, $addedBy) ON CONFLICT DO NOTHING`,
);
const removeOne = statement(
  'cases.remove-item',
  `UPDATE compliance_case_items
      SET removed_by = $removedBy, removed_at = statement_timestamp(), sealed_why = $sealedWhy
    WHERE case_id = $caseId AND number = $number AND reference IS NOT NULL AND removed_at IS NULL RETURNING number`,
).rows<{ number: number }>();
const findOne = statement(
  'cases.find',
  `SELECT ${columns} FROM compliance_cases WHERE case_id = $caseId`,
).rows<CaseRow>();
const countItems = statement(
  'cases.count-items',
  'SELECT coalesce(max(number), 0) AS last FROM compliance_case_items WHERE case_id = $caseId',
).rows<{ last: number }>();
const listItems = statement(
  'cases.list-items',
  `SELECT number, kind, of_merchant, reference, sealed_text, added_by, added_at, removed_by, removed_at, sealed_why
     FROM compliance_case_items WHERE case_id = $caseId ORDER BY number`,
).rows<ItemRow>();
const listTasks = statement(
  'cases.list-tasks',
  `SELECT case_id, state, due_at, (extract(epoch FROM opened_at) * 1000000)::bigint::text AS at_micros
     FROM compliance_cases
    WHERE state IN ('open', 'investigating')
      AND (opened_at, case_id) > (to_timestamp(0) + $sinceMicros::bigint * interval '1 microsecond', $afterId)
      AND ($only::text IS NULL OR case_id = $only)
    ORDER BY opened_at, case_id LIMIT $limit`,
).rows<Pick<CaseRow, 'case_id' | 'state' | 'due_at'> & { at_micros: string }>();

export interface StoredCase extends ComplianceCase {
  readonly sealedTitle: Buffer;
}
export interface StoredItem {
  readonly number: number;
  readonly kind: ItemKind;
  readonly merchantId: MerchantId | undefined;
  readonly reference: string | undefined;
  readonly sealedText: Buffer | undefined;
  readonly addedBy: OperatorId;
  readonly addedAt: Date;
  readonly removed: { readonly by: OperatorId; readonly at: Date; readonly sealedWhy: Buffer } | undefined;
}

export async function findCase(database: Queryable, caseId: CaseId): Promise<StoredCase | undefined> {
  const [row] = await database.query(findOne, { caseId });
  return row && toCase(row);
}

export async function addCase(
  tx: Transaction,
  added: { caseId: CaseId; sealedTitle: Buffer; owner: OperatorId; dueInDays: number; openedBy: OperatorId },
): Promise<StoredCase> {
  const [row] = await tx.query(insertCase, added);
  if (!row) throw new Error('the database returned no case');
  return toCase(row);
}

export async function lockCase(tx: Transaction, caseId: CaseId): Promise<StoredCase | undefined> {
  const [row] = await tx.query(lockOne, { caseId });
  return row && toCase(row);
}

/** Undefined when the case is no longer at that version. */
export async function saveCase(
  tx: Transaction,
  { caseId, version }: ComplianceCase,
  change: Pick<ComplianceCase, 'state' | 'owner' | 'dueAt'>,
): Promise<StoredCase | undefined> {
  const { state, owner = null, dueAt } = change;
  const [row] = await tx.query(updateCase, { caseId, version, state, owner, dueAt });
  return row && toCase(row);
}

export async function listCases(
  database: Queryable,
  states: readonly ComplianceCaseState[],
  page: { readonly after: string; readonly limit: number },
): Promise<StoredCase[]> {
  return (await database.query(listPage, { states, after: page.after, limit: page.limit })).map(toCase);
}

/** The cases that name something, such as a user. */
export async function listCasesHolding(
  database: Queryable,
  named: { readonly kind: ItemKind; readonly merchantId: MerchantId | undefined; readonly reference: string },
): Promise<CaseId[]> {
  const { kind, reference, merchantId: ofMerchant = null } = named;
  const rows = await database.query(listHolding, { kind, reference, ofMerchant });
  return rows.map((row) => storedPublicId('cas', row.case_id));
}

/** The caller has locked the case. What it names already is not added again. */
export async function addItem(
  tx: Transaction,
  caseId: CaseId,
  item: Pick<StoredItem, 'number' | 'kind' | 'merchantId' | 'reference' | 'sealedText' | 'addedBy'>,
): Promise<void> {
  await tx.query(insertItem, {
    caseId,
    number: item.number,
    kind: item.kind,
    ofMerchant: item.merchantId ?? null,
    reference: item.reference ?? null,
    sealedText: item.sealedText ?? null,
    addedBy: item.addedBy,
  });
}

/** Returns false when there is no such reference, or when it was removed before. */
export async function removeItem(
  tx: Transaction,
  caseId: CaseId,
  removal: { readonly number: number; readonly removedBy: OperatorId; readonly sealedWhy: Buffer },
): Promise<boolean> {
  return (await tx.query(removeOne, { caseId, ...removal })).length > 0;
}

export async function lastItemNumber(database: Queryable, caseId: CaseId): Promise<number> {
  return (await database.query(countItems, { caseId }))[0]?.last ?? 0;
}

/** In the order in which they were added. */
export async function listStoredItems(database: Queryable, caseId: CaseId): Promise<StoredItem[]> {
  return (await database.query(listItems, { caseId })).map((row) => ({
    number: row.number,
    kind: row.kind,
    merchantId: row.of_merchant === null ? undefined : merchantId(row.of_merchant),
    reference: row.reference ?? undefined,
    sealedText: row.sealed_text ?? undefined,
    addedBy: operatorId(row.added_by),
    addedAt: row.added_at,
    removed: removalOf(row),
  }));
}

export async function listCaseTasks(database: Queryable, page: TaskPage): Promise<Task[]> {
  const rows = await database.query(listTasks, pageValues(page));
  return rows.map((row) => ({
    id: row.case_id,
    merchantId: undefined,
    sinceMicros: BigInt(row.at_micros),
    summary: 'Investigate a case: report it, or close it with a reason.',
    path: `/operator/cases/${row.case_id}`,
    dueAt: row.due_at,
  }));
}

function removalOf({ removed_by, removed_at, sealed_why }: ItemRow): StoredItem['removed'] {
  if (removed_by === null || !removed_at || !sealed_why) return undefined;
  return { by: operatorId(removed_by), at: removed_at, sealedWhy: sealed_why };
}

function toCase(row: CaseRow): StoredCase {
  return {
    caseId: storedPublicId('cas', row.case_id),
    state: row.state,
    sealedTitle: row.sealed_title,
    owner: row.owner === null ? undefined : operatorId(row.owner),
    dueAt: row.due_at,
    version: row.version,
    openedBy: operatorId(row.opened_by),
    openedAt: row.opened_at,
    changedAt: row.changed_at,
  };
}
