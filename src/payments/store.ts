/** SQL that records payments under the owner of their account. */
import { instanceTenant, type MerchantId, merchantId, storedPublicId, type TenantId, tenantId } from '../ids.js';
import { amount } from '../money/amount.js';
import type { CurrencyCode } from '../money/currency.js';
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
import type { PayerDigests } from './sealed.js';

export interface PaymentRow {
  merchant_id: bigint;
  payment_id: string;
  account_id: string;
  bank_reference: string;
  currency: CurrencyCode;
  amount_minor: bigint;
  booked_at: Date;
  booked_on: string | null;
  import_id: string | null;
  import_line: number | null;
  outcome: PaymentOutcome;
  reason: SuspenseReason | null;
  order_merchant_id: bigint | null;
  order_id: string | null;
  recorded_at: Date;
  settled_at: Date | null;
  voided_at: Date | null;
}

export const paymentColumns = `merchant_id, payment_id, account_id, bank_reference, currency, amount_minor, booked_at, booked_on::text, import_id,
  import_line, outcome, reason, order_merchant_id, order_id, recorded_at, settled_at, voided_at`;

const insertPayment = statement(
  'payments.insert',
  `INSERT INTO payments (merchant_id, payment_id, account_id, bank_reference, currency, amount_minor, booked_at, booked_on, source,
     import_id, import_line, outcome, reason, order_merchant_id, order_id, sealed_payer,
     account_digest, name_digest, recorded_at)
   SELECT $merchantId::bigint, $paymentId, $accountId, $bankReference, $currency, $amountMinor::bigint,
          $bookedAt::timestamptz, $bookedOn::date, $source, $importId, $importLine::int, $outcome, $reason, $orderMerchantId::bigint,
          $orderId, $sealedPayer::bytea, $accountDigest::int, $nameDigest::int,
          date_trunc('milliseconds', ${merchantNow})
   RETURNING ${paymentColumns}`,
).rows<PaymentRow>();
const findById = statement(
  'payments.find',
  `SELECT ${paymentColumns} FROM payments WHERE merchant_id = $merchantId AND payment_id = $paymentId`,
).rows<PaymentRow>();
const listOfBankReference = statement(
  'payments.list-of-bank-reference',
  `SELECT ${paymentColumns} FROM payments WHERE bank_reference = $bankReference AND order_id IS NOT NULL
    ORDER BY recorded_at DESC LIMIT $limit`,
).rows<PaymentRow>();
const findPayer = statement(
  'payments.find-payer',
  'SELECT sealed_payer FROM payments WHERE merchant_id = $merchantId AND payment_id = $paymentId',
).rows<{ sealed_payer: Buffer | null }>();
const listHandedOver = statement(
  'payments.list-handed-over',
  `SELECT ${paymentColumns} FROM payments
    WHERE merchant_id = $merchantId AND outcome = 'handed_over' AND settled_at IS NULL AND payment_id <> ALL ($except)
    ORDER BY recorded_at, payment_id LIMIT $limit`,
).rows<PaymentRow>();
const findOldestHandedOver = statement(
  'payments.find-oldest-handed-over',
  `SELECT coalesce(extract(epoch FROM statement_timestamp() - min(recorded_at)), 0)::float8 AS seconds FROM payments
    WHERE merchant_id = $merchantId AND outcome = 'handed_over' AND settled_at IS NULL`,
).rows<{ seconds: number }>();
const settlePayment = statement(
  'payments.settle',
  `UPDATE payments SET sealed_payer = NULL, settled_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND settled_at IS NULL`,
);

const listIds = statement(
  'payments.list-ids',
  'SELECT payment_id FROM payments WHERE merchant_id = $merchantId AND payment_id > $after ORDER BY payment_id LIMIT $limit',
).rows<{ payment_id: string }>();
const listByIds = statement(
  'payments.list-by-ids',
  `SELECT ${paymentColumns} FROM payments WHERE merchant_id = $merchantId AND payment_id = ANY ($ids)`,
).rows<PaymentRow>();
const voidPayment = statement(
  'payments.void',
  `UPDATE payments SET voided_at = statement_timestamp()
    WHERE merchant_id = $merchantId AND payment_id = $paymentId AND voided_at IS NULL RETURNING ${paymentColumns}`,
).rows<PaymentRow>();

export interface NewPayment extends AccountRef, Pick<Movement, 'bankReference' | 'amount' | 'bookedAt' | 'bookedOn'> {
  readonly paymentId: PaymentId;
  readonly source: PaymentSource;
  readonly outcome: PaymentOutcome;
  readonly reason: SuspenseReason | undefined;
  readonly order: Payment['order'];
  /** Undefined when the application of the payment has the payer. */
  readonly sealedPayer: Buffer | undefined;
  readonly digests: PayerDigests;
}

export async function addPayment(tx: Transaction, payment: NewPayment): Promise<Payment> {
  const { source, order } = payment;
  const imported = typeof source === 'string' ? undefined : source;
  const [row] = await tx.query(insertPayment, {
    ...payment,
    merchantId: payment.ownerId,
    currency: payment.amount.currency,
    amountMinor: payment.amount.minor,
    source: typeof source === 'string' ? source : 'import',
    importId: imported?.importId,
    importLine: imported?.line,
    accountDigest: payment.digests.account ?? null,
    nameDigest: payment.digests.name,
    orderMerchantId: order?.merchantId,
    orderId: order?.orderId,
  });
  if (!row) throw new Error('the payment was not stored');
  return toPayment(row);
}

export async function findPayment(
  database: Queryable,
  ownerId: TenantId,
  paymentId: PaymentId,
): Promise<Payment | undefined> {
  const [row] = await database.query(findById, { merchantId: ownerId, paymentId });
  return row && toPayment(row);
}

/** Of all owners, the newest first. Only those that are for an order. */
export async function listPaymentsWithBankReference(
  database: Queryable,
  bankReference: string,
  limit: number,
): Promise<Payment[]> {
  return (await database.query(listOfBankReference, { bankReference, limit })).map(toPayment);
}

/** Undefined when the application of the payment has the payer. */
export async function findSealedPayer(
  database: Queryable,
  { ownerId, paymentId }: Payment,
): Promise<Buffer | undefined> {
  const [row] = await database.query(findPayer, { merchantId: ownerId, paymentId });
  return row?.sealed_payer ?? undefined;
}

/** A payment that the merchant of its order has yet to take over. */
export type HandedOver = Payment & { readonly order: NonNullable<Payment['order']> };

/** The oldest first. Only the instance hands payments over. */
export async function listPaymentsHandedOver(
  database: Queryable,
  except: readonly PaymentId[],
  limit: number,
): Promise<HandedOver[]> {
  const rows = await database.query(listHandedOver, { merchantId: instanceTenant, except, limit });
  return rows.map(toPayment).filter((payment): payment is HandedOver => payment.order !== undefined);
}

export async function oldestHandedOverSeconds(database: Queryable): Promise<number> {
  const [row] = await database.query(findOldestHandedOver, { merchantId: instanceTenant });
  return row?.seconds ?? 0;
}

/** The ids of payments after this one, in their order. */
export async function listPaymentIdsAfter(
  database: Queryable,
  ownerId: TenantId,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await database.query(listIds, { merchantId: ownerId, after, limit })).map((row) => row.payment_id);
}

export async function listPaymentsByIds(
  database: Queryable,
  ownerId: TenantId,
  ids: readonly PaymentId[],
): Promise<Payment[]> {
  return (await database.query(listByIds, { merchantId: ownerId, ids })).map(toPayment);
}

/** Its line can be recorded again. Returns undefined when it was voided before. */
export async function markVoided(tx: Transaction, { ownerId, paymentId }: Payment): Promise<Payment | undefined> {
  const [row] = await tx.query(voidPayment, { merchantId: ownerId, paymentId });
  return row && toPayment(row);
}

/** Removes the copy of the payer: the merchant of the order has it now. */
export async function markSettled(tx: Transaction, { ownerId, paymentId }: Payment): Promise<void> {
  await tx.query(settlePayment, { merchantId: ownerId, paymentId });
}

export function toPayment(row: PaymentRow): Payment {
  const { import_id: importId, import_line: line, order_merchant_id: merchant, order_id: order } = row;
  return {
    ownerId: tenantId(row.merchant_id),
    paymentId: storedPublicId('pay', row.payment_id),
    accountId: row.account_id,
    bankReference: row.bank_reference,
    amount: amount(row.currency, row.amount_minor),
    bookedAt: row.booked_at,
    bookedOn: row.booked_on ?? undefined,
    importedLine: importId !== null && line !== null ? { importId, line } : undefined,
    outcome: row.outcome,
    reason: row.reason ?? undefined,
    order:
      merchant !== null && order !== null
        ? { merchantId: merchantId(merchant) satisfies MerchantId, orderId: storedPublicId('ord', order) }
        : undefined,
    recordedAt: row.recorded_at,
    isSettled: row.settled_at !== null,
    voidedAt: row.voided_at ?? undefined,
  };
}
