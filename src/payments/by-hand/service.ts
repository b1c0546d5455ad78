/** The verbs for payments that operators record by hand: one person up to a sum per day, two above it. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { type FieldFault, RemesaError } from '../../errors.js';
import type { TenantId } from '../../ids.js';
import { lockRequestsOf } from '../../operators/service.js';
import { type UsdRates, usdValueOf } from '../../orders/limits/usd-value.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { PayinAccountService } from '../accounts/service.js';
import { findCandidate } from '../matching/candidates.js';
import { type MovementFault, type MovementField, readMovement } from '../movement-fields.js';
import type { Movement } from '../payment.js';
import type { PaymentService, RecordedPayment } from '../service.js';
import { addToHandSum, handSumToday } from './hand-sum-store.js';

export interface HandPaymentOptions {
  readonly accounts: PayinAccountService;
  readonly payments: PaymentService;
  readonly rates: UsdRates;
  /** In whole US dollars. */
  readonly usdPerDay: number;
}

/** As the operator sent it. */
export interface HandPayment {
  readonly accountId: string;
  readonly texts: Readonly<Record<MovementField, string>>;
  /** Lines with which it was compared: it is another movement. */
  readonly otherThan: readonly string[] | undefined;
}

export class HandPaymentService {
  readonly #options: HandPaymentOptions;

  constructor(options: HandPaymentOptions) {
    this.#options = options;
  }

  /** Whose books the account is in. Throws `payin_account_not_found`. */
  async ownerOf(database: Queryable, accountId: string): Promise<TenantId> {
    return (await this.#options.accounts.get(database, accountId)).ownerId;
  }

  /**
   * What the recording is about; undefined while the operator stays below the sum of a day. Two people are needed for
   * an amount without a recent rate, and for a movement that is said to be another one than a line that looks the same.
   * Throws `payin_account_not_found` and `invalid_fields`.
   */
  async review(tx: Transaction, by: By, entered: HandPayment): Promise<ApprovalSubject | undefined> {
    const { movement } = await this.#read(tx, entered);
    // A new payment has no version that could change. The same movement can wait only once.
    const subject = { subject: `payment_entry:${digestOf(entered.accountId, movement)}`, version: '1' };
    // A second person has been asked, also when that happens on another day or by another rate.
    if (by.approval || entered.otherThan) return subject;
    const operator = operatorOf(by);
    await lockRequestsOf(tx, operator);
    const value = usdValueOf(this.#options.rates, movement.amount);
    const most = BigInt(this.#options.usdPerDay) * 100n;
    return value && (await handSumToday(tx, operator)) + value.usdMinor <= most ? undefined : subject;
  }

  /** Throws `payin_account_not_found`, `invalid_fields`, and as `PaymentService.record` does. */
  async record(tx: Transaction, by: By, entered: HandPayment): Promise<RecordedPayment> {
    const { payments, rates } = this.#options;
    const { ownerId, movement } = await this.#read(tx, entered);
    const candidate = await findCandidate(tx, ownerId, movement.payer.remittanceText);
    const account = { ownerId, accountId: entered.accountId };
    const { otherThan } = entered;
    const entry = { account, movement, source: 'operator', candidate, ...(otherThan ? { otherThan } : {}) } as const;
    const recorded = await payments.record(tx, by, entry);
    const value = usdValueOf(rates, movement.amount);
    if (recorded.isNew && value) await addToHandSum(tx, ownerId, operatorOf(by), value.usdMinor);
    return recorded;
  }

  async #read(
    database: Queryable,
    { accountId, texts }: HandPayment,
  ): Promise<{ ownerId: TenantId; movement: Movement }> {
    const account = await this.#options.accounts.get(database, accountId);
    const { ownerId } = account;
    const read = readMovement(texts, account);
    if ('faults' in read) throw invalidFields(read.faults);
    return { ownerId, movement: read.movement };
  }
}

function digestOf(accountId: string, { bankReference }: Movement): string {
  return createHash('sha256')
    .update(JSON.stringify([accountId, bankReference]))
    .digest('hex')
    .slice(0, 32);
}

const fieldNames: Readonly<Partial<Record<MovementField, string>>> = {
  payerName: 'payer.name',
  payerAccount: 'payer.account',
};

function invalidFields(faults: readonly MovementFault[]): RemesaError {
  const errors: FieldFault[] = faults.map((fault) => ({
    ...fault,
    field: fieldNames[fault.field] ?? fault.field,
  }));
  const [first] = errors;
  const message =
    errors.length === 1 && first ? `${first.field}: ${first.message}` : `${errors.length} fields are invalid.`;
  return new RemesaError('invalid', 'invalid_fields', message, { errors });
}
