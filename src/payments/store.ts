/** SQL that records payments under the owner of their account. */
import {
  instanceTenant,
  type MerchantId,
  merchantId,
  storedPublicId,
  type TenantId,
  tenantId,
} from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
import { queryJoined } from '../postgres/in-step.js';
import { merchantNow } from '../postgres/merchant-clock.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type {
  AccountRef,
  Movement,
  Payment,
  PaymentId,
  PaymentOutcome,
  PaymentSource,
  SuspenseReason,
} from './payment.js';

interface PaymentRow {
  merchant_id: bigint;
  payment_id: string;
  account_id: string;
  bank_reference: string;
  currency: CurrencyCode;
  amount_minor: bigint;
  booked_at: Date;
  import_id: string | null;
  import_line: number | null;
  outcome: PaymentOutcome;
  reason: SuspenseReason | null;
  order_merchant_id: bigint | null;
  order_id: string | null;
  recorded_at: Date;
}

const columns = `merchant_id, payment_id, account_id, bank_reference, currency, amount_minor, booked_at, import_id,
  import_line, outcome, reason, order_merchant_id, order_id, recorded_at`;

const insertPayments = statement<PaymentRow>(
  'payments.insert',
  `INSERT INTO payments (merchant_id, payment_id, account_id, bank_reference, currency, amount_minor, booked_at, source,
     import_id, import_line, outcome, reason, order_merchant_id, order_id, sealed_payer, recorded_at)
   SELECT $1::bigint, payment.id, payment.account_id, payment.bank_reference, payment.currency, payment.amount_minor,
          payment.booked_at, payment.source, payment.import_id, payment.import_line, payment.outcome, payment.reason,
          payment.order_merchant_id, payment.order_id, payment.sealed_payer, date_trunc('milliseconds', now.at)
     FROM unnest((SELECT $2::text[]), $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[], $8::text[], $9::text[],
                 $10::int[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::bytea[])
          AS payment (id, account_id, bank_reference, currency, amount_minor, booked_at, source, import_id, import_line,
                      outcome, reason, order_merchant_id, order_id, sealed_payer),
          (SELECT ${merchantNow} AS at) AS now
   ON CONFLICT (merchant_id, account_id, bank_reference) DO NOTHING RETURNING ${columns}`,
);
const findByReference = statement<PaymentRow>(
  'payments.find-by-bank-reference',
  `SELECT ${columns} FROM payments WHERE merchant_id = $1 AND account_id = $2 AND bank_reference = $3`,
);
const findById = statement<PaymentRow>(
  'payments.find',
  `SELECT ${columns} FROM payments WHERE merchant_id = $1 AND payment_id = $2`,
);
const listOfBankReference = statement<PaymentRow>(
  'payments.list-of-bank-reference',
  `SELECT ${columns} FROM payments WHERE bank_reference = $1 AND order_id IS NOT NULL ORDER BY recorded_at DESC LIMIT $2`,
);
const findPayers = statement<{ payment_id: string; sealed_payer: Buffer | null }>(
  'payments.find-payers',
  'SELECT payment_id, sealed_payer FROM payments WHERE merchant_id = $1 AND payment_id = ANY ((SELECT $2::text[])::text[])',
);
const listHandedOver = statement<PaymentRow>(
  'payments.list-handed-over',
  `SELECT ${columns} FROM payments
    WHERE merchant_id = $1 AND outcome = 'handed_over' AND settled_at IS NULL AND payment_id <> ALL ($2)
    ORDER BY recorded_at, payment_id LIMIT $3`,
);
const findOldestHandedOver = statement<{ seconds: number }>(
  'payments.find-oldest-handed-over',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(recorded_at)), 0)::float8 AS seconds FROM payments
    WHERE merchant_id = $1 AND outcome = 'handed_over' AND settled_at IS NULL`,
);
const readClock = statement<{ now: Date }>(
  'payments.read-clock',
  `SELECT date_trunc('milliseconds', ${merchantNow}) AS now`,
);
const settlePayments = statement(
  'payments.settle',
  `UPDATE payments SET sealed_payer = NULL, settled_at = statement_timestamp()
    WHERE merchant_id = $1 AND payment_id = ANY ((SELECT $2::text[])::text[]) AND settled_at IS NULL`,
);

export interface NewPayment extends AccountRef, Pick<Movement, 'bankReference' | 'amount' | 'bookedAt'> {
  readonly paymentId: PaymentId;
  readonly source: PaymentSource;
  readonly outcome: PaymentOutcome;
  readonly reason: SuspenseReason | undefined;
  readonly order: Payment['order'];
  /** Undefined when the application of the payment has the payer. */
  readonly sealedPayer: Buffer | undefined;
}

/** Returns undefined when the movement was recorded before. */
export async function addPayment(tx: Transaction, payment: NewPayment): Promise<Payment | undefined> {
  const { ownerId, paymentId, accountId, bankReference, amount: received, source, order } = payment;
  const [kind, imported] = typeof source === 'string' ? [source, undefined] : ['import', source];
  const rows = await queryJoined(tx, insertPayments, ownerId, [
    ...[paymentId, accountId, bankReference, received.currency, received.minor, payment.bookedAt],
    ...[kind, imported?.importId ?? null, imported?.line ?? null, payment.outcome, payment.reason ?? null],
    ...[order?.merchantId ?? null, order?.orderId ?? null, payment.sealedPayer ?? null],
  ]);
  const row = rows.find((inserted) => inserted.payment_id === paymentId);
  return row && toPayment(row);
}

export async function findPaymentByBankReference(
  database: Queryable,
  { ownerId, accountId }: AccountRef,
  bankReference: string,
): Promise<Payment | undefined> {
  const [row] = await database.query(findByReference, [ownerId, accountId, bankReference]);
  return row && toPayment(row);
}

export async function findPayment(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<Payment | undefined> {
  const [row] = await database.query(findById, [ownerId, paymentId]);
  return row && toPayment(row);
}

/** Of all owners, the newest first. Only those that are for an order. */
export async function listPaymentsWithBankReference(
  database: Queryable,
  bankReference: string,
  atMost: number,
): Promise<Payment[]> {
  return (await database.query(listOfBankReference, [bankReference, atMost])).map(toPayment);
}

/** Undefined when the application of the payment has the payer. */
export async function findSealedPayer(
  database: Queryable,
  { ownerId, paymentId }: Payment,
): Promise<Buffer | undefined> {
  const rows = await queryJoined(database, findPayers, ownerId, [paymentId]);
  return rows.find((row) => row.payment_id === paymentId)?.sealed_payer ?? undefined;
}

/** A payment that the merchant of its order has yet to take over. */
export type HandedOver = Payment & { readonly order: NonNullable<Payment['order']> };

/** The oldest first. Only the instance hands payments over. */
export async function listPaymentsHandedOver(
  database: Queryable,
  except: readonly PaymentId[],
  atMost: number,
): Promise<HandedOver[]> {
  const rows = await database.query(listHandedOver, [instanceTenant, except, atMost]);
  return rows.map(toPayment).filter((payment): payment is HandedOver => payment.order !== undefined);
}

export async function oldestHandedOverSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestHandedOver, [instanceTenant]);
  return row?.seconds ?? 0;
}

/** The time by the owner's clock. */
export async function readOwnerClock(database: Queryable, ownerId: TenantId): Promise<Date> {
  const [row] = await database.query(readClock, [ownerId]);
  if (!row) throw new Error('the clock was not read');
  return row.now;
}

/** Removes the copy of the payer: the merchant of the order has it now. */
export async function markSettled(tx: Transaction, { ownerId, paymentId }: Payment): Promise<void> {
  await queryJoined(tx, settlePayments, ownerId, [paymentId]);
}

function toPayment(row: PaymentRow): Payment {
  const { import_id: importId, import_line: line, order_merchant_id: merchant, order_id: order } = row;
  return {
    ownerId: tenantId(row.merchant_id),
    paymentId: storedPublicId('pay', row.payment_id),
    accountId: row.account_id,
    bankReference: row.bank_reference,
    amount: amount(row.currency, row.amount_minor),
    bookedAt: row.booked_at,
    importedLine: importId !== null && line !== null ? { importId, line } : undefined,
    outcome: row.outcome,
    reason: row.reason ?? undefined,
    order:
      merchant !== null && order !== null
        ? { merchantId: merchantId(merchant) satisfies MerchantId, orderId: storedPublicId('ord', order) }
        : undefined,
    recordedAt: row.recorded_at,
  };
}
