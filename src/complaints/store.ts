/** SQL on complaints, always within one merchant but for the lists of operators. */
import { type MerchantId, merchantId, type OperatorId, operatorId, storedPublicId, userId } from '../ids.js';
import type { Account } from '../persons/service.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type {
  Complaint,
  ComplaintChannel,
  ComplaintId,
  ComplaintKind,
  ComplaintOutcome,
  ComplaintState,
  ComplaintTopic,
  Remedy,
} from './complaint.js';

interface ComplaintRow {
  merchant_id: bigint;
  complaint_id: string;
  user_id: bigint;
  order_id: string | null;
  kind: ComplaintKind;
  topic: ComplaintTopic;
  channel: ComplaintChannel;
  country: string;
  article: string;
  state: ComplaintState;
  received_at: Date;
  answer_by: Date;
  latest_by: Date | null;
  is_in_time: boolean;
  held_at: Date | null;
  answered_at: Date | null;
  answered_by: bigint | null;
  outcome: ComplaintOutcome | null;
  remedy: Remedy | null;
  remedy_due_by: Date | null;
  remedy_reference: string | null;
  version: number;
}
const columns =
  `merchant_id, complaint_id, user_id, order_id, kind, topic, channel, country, article, state, received_at,
  answer_by, latest_by, is_in_time, held_at, answered_at, answered_by, outcome, remedy, remedy_due_by,
  remedy_reference, version` as const;

const insertOne = statement(
  'complaints.insert',
  `INSERT INTO complaints (merchant_id, complaint_id, user_id, order_id, kind, topic, channel, country, article,
                           received_at, answer_by, latest_by, is_in_time)
   VALUES ($merchantId, $complaintId, $userId, $orderId, $kind, $topic, $channel, $country, $article,
     $receivedAt, $answerBy, $latestBy, $isInTime) RETURNING ${columns}`,
).rows<ComplaintRow>();
const findOne = statement(
  'complaints.find',
  `SELECT ${columns} FROM complaints WHERE merchant_id = $merchantId AND complaint_id = $complaintId`,
).rows<ComplaintRow>();
const lockOne = statement(
  'complaints.lock',
  `SELECT ${columns} FROM complaints WHERE merchant_id = $merchantId AND complaint_id = $complaintId FOR UPDATE`,
).rows<ComplaintRow>();
const listOfOrder = statement(
  'complaints.list-of-order',
  `SELECT ${columns} FROM complaints WHERE merchant_id = $merchantId AND order_id = $orderId
    ORDER BY received_at, complaint_id`,
).rows<ComplaintRow>();
const listOfUser = statement(
  'complaints.list-of-user',
  `SELECT ${columns} FROM complaints WHERE merchant_id = $merchantId AND user_id = $userId
    ORDER BY received_at, complaint_id`,
).rows<ComplaintRow>();
const updateOne = statement(
  'complaints.update',
  `UPDATE complaints SET state = $state, held_at = $heldAt, answered_at = $answeredAt, answered_by = $answeredBy,
          outcome = $outcome, remedy = $remedy, remedy_due_by = $remedyDueBy, remedy_reference = $remedyReference,
          version = version + 1
    WHERE merchant_id = $merchantId AND complaint_id = $complaintId AND version = $version RETURNING ${columns}`,
).rows<ComplaintRow>();
const insertText = statement(
  'complaints.insert-text',
  `INSERT INTO complaint_texts (merchant_id, complaint_id, number, kind, sealed_text, written_by)
   VALUES ($merchantId, $complaintId, $number, $kind, $sealedText, $writtenBy)`,
);
const listTexts = statement(
  'complaints.list-texts',
  `SELECT number, kind, sealed_text, written_by, written_at FROM complaint_texts
    WHERE merchant_id = $merchantId AND complaint_id = $complaintId ORDER BY number`,
).rows<{
  number: number;
  kind: StoredText['kind'];
  sealed_text: Buffer;
  written_by: bigint | null;
  written_at: Date;
}>();
const listPage = statement(
  'complaints.list-page',
  `SELECT ${columns} FROM complaints
    WHERE complaint_id > $after AND state = ANY ($states::text[])
      AND ($ofMerchant::bigint IS NULL OR merchant_id = $ofMerchant)
    ORDER BY complaint_id LIMIT $limit::int`,
).rows<ComplaintRow>();
const countAll = statement(
  'complaints.count',
  `SELECT kind, topic, country, coalesce(outcome, 'unanswered') AS outcome, count(*)::int AS complaints,
          (count(*) FILTER (WHERE coalesce(answered_at, statement_timestamp())
             <= CASE WHEN held_at <= answer_by THEN latest_by ELSE answer_by END))::int AS in_time,
          (count(*) FILTER (WHERE held_at IS NOT NULL))::int AS held
     FROM complaints WHERE received_at >= $from AND received_at < $until
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
).rows<ComplaintCountRow>();

interface ComplaintCountRow {
  kind: ComplaintKind;
  topic: ComplaintTopic;
  country: string;
  outcome: ComplaintOutcome | 'unanswered';
  complaints: number;
  in_time: number;
  held: number;
}

export type NewComplaint = Omit<
  Complaint,
  | 'state'
  | 'heldAt'
  | 'answeredAt'
  | 'answeredBy'
  | 'outcome'
  | 'remedy'
  | 'remedyDueBy'
  | 'remedyReference'
  | 'version'
>;

export async function addComplaint(tx: Transaction, complaint: NewComplaint): Promise<Complaint> {
  const { orderId = null, latestBy = null } = complaint;
  const [row] = await tx.query(insertOne, { ...complaint, orderId, latestBy });
  if (!row) throw new Error('the database returned no complaint');
  return toComplaint(row);
}

export async function findComplaint(
  database: Queryable,
  merchant: MerchantId,
  complaintId: ComplaintId,
): Promise<Complaint | undefined> {
  const [row] = await database.query(findOne, { merchantId: merchant, complaintId });
  return row && toComplaint(row);
}

export async function lockComplaint(
  tx: Transaction,
  merchant: MerchantId,
  complaintId: ComplaintId,
): Promise<Complaint | undefined> {
  const [row] = await tx.query(lockOne, { merchantId: merchant, complaintId });
  return row && toComplaint(row);
}

/** The oldest first. */
export async function listComplaintsOfOrder(
  database: Queryable,
  merchant: MerchantId,
  orderId: string,
): Promise<Complaint[]> {
  return (await database.query(listOfOrder, { merchantId: merchant, orderId })).map(toComplaint);
}

/** The oldest first. */
export async function listComplaintsOfUser(database: Queryable, account: Account): Promise<Complaint[]> {
  const { merchantId: merchant, userId: user } = account;
  return (await database.query(listOfUser, { merchantId: merchant, userId: user })).map(toComplaint);
}

export type ComplaintChange = Partial<
  Pick<
    Complaint,
    'state' | 'heldAt' | 'answeredAt' | 'answeredBy' | 'outcome' | 'remedy' | 'remedyDueBy' | 'remedyReference'
  >
>;

/** The caller has locked it. */
export async function changeComplaint(tx: Transaction, before: Complaint, change: ComplaintChange): Promise<Complaint> {
  const after = { ...before, ...change };
  const [row] = await tx.query(updateOne, {
    merchantId: before.merchantId,
    complaintId: before.complaintId,
    version: before.version,
    state: after.state,
    heldAt: after.heldAt ?? null,
    answeredAt: after.answeredAt ?? null,
    answeredBy: after.answeredBy ?? null,
    outcome: after.outcome ?? null,
    remedy: after.remedy ?? null,
    remedyDueBy: after.remedyDueBy ?? null,
    remedyReference: after.remedyReference ?? null,
  });
  if (!row) throw new Error('a complaint was changed under its lock');
  return toComplaint(row);
}

export interface StoredText {
  readonly number: number;
  readonly kind: 'claim' | 'holding_reply' | 'answer';
  readonly sealedText: Buffer;
  readonly writtenBy: OperatorId | undefined;
  readonly writtenAt: Date;
}

export async function addText(
  tx: Transaction,
  { merchantId: merchant, complaintId }: Complaint,
  { writtenBy = undefined, ...text }: Omit<StoredText, 'writtenAt'>,
): Promise<void> {
  await tx.query(insertText, { merchantId: merchant, complaintId, ...text, writtenBy: writtenBy ?? null });
}

/** The oldest first. */
export async function listTextsOf(
  database: Queryable,
  { merchantId: merchant, complaintId }: Complaint,
): Promise<StoredText[]> {
  return (await database.query(listTexts, { merchantId: merchant, complaintId })).map((row) => ({
    number: row.number,
    kind: row.kind,
    sealedText: row.sealed_text,
    writtenBy: row.written_by === null ? undefined : operatorId(row.written_by),
    writtenAt: row.written_at,
  }));
}

export interface ComplaintFilter {
  readonly states: readonly ComplaintState[];
  readonly merchantId: MerchantId | undefined;
  readonly after: string;
  readonly limit: number;
}

export async function listComplaints(
  database: Queryable,
  { states, merchantId: merchant, after, limit }: ComplaintFilter,
): Promise<Complaint[]> {
  const rows = await database.query(listPage, { states, ofMerchant: merchant ?? null, after, limit });
  return rows.map(toComplaint);
}

export interface ComplaintCount {
  readonly kind: ComplaintKind;
  readonly topic: ComplaintTopic;
  readonly country: string;
  readonly outcome: ComplaintOutcome | 'unanswered';
  readonly complaints: number;
  readonly inTime: number;
  readonly held: number;
}

export async function countComplaints(database: Queryable, from: Date, until: Date): Promise<ComplaintCount[]> {
  const rows = await database.query(countAll, { from, until });
  return rows.map(({ in_time: inTime, ...row }) => ({ ...row, inTime }));
}

function toComplaint(row: ComplaintRow): Complaint {
  return {
    merchantId: merchantId(row.merchant_id),
    complaintId: storedPublicId('cmp', row.complaint_id),
    userId: userId(row.user_id),
    orderId: row.order_id === null ? undefined : storedPublicId('ord', row.order_id),
    kind: row.kind,
    topic: row.topic,
    channel: row.channel,
    country: row.country,
    article: row.article,
    state: row.state,
    receivedAt: row.received_at,
    answerBy: row.answer_by,
    latestBy: row.latest_by ?? undefined,
    isInTime: row.is_in_time,
    heldAt: row.held_at ?? undefined,
    answeredAt: row.answered_at ?? undefined,
    answeredBy: row.answered_by === null ? undefined : operatorId(row.answered_by),
    outcome: row.outcome ?? undefined,
    remedy: row.remedy ?? undefined,
    remedyDueBy: row.remedy_due_by ?? undefined,
    remedyReference: row.remedy_reference ?? undefined,
    version: row.version,
  };
}
