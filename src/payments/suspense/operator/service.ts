/** The verbs of operators on suspense records: list them, look at one with its payer, and decide what becomes of it. */
import type { ApprovalSubject } from '../../../approval.js';
import type { By } from '../../../caller.js';
import { recordChange } from '../../../changes/service.js';
import { RemesaError } from '../../../errors.js';
import { type MerchantId, publicId, type TenantId, tenantOfPublicId } from '../../../ids.js';
import type { BlockedPerson } from '../../../kyc/hits/review-service.js';
import { getMerchant } from '../../../merchants/service.js';
import { findOrderById, lockOrder } from '../../../orders/order/finding.js';
import type { Order, OrderId } from '../../../orders/order/order.js';
import type { Queryable, Transaction } from '../../../postgres/statement.js';
import { findPayer, type PayerKeys } from '../../applications/payers.js';
import type { Payer, Payment, PaymentId, SuspenseReason } from '../../payment.js';
import { findPayment } from '../../store.js';
import type { Recipient, SuspenseActions } from '../actions.js';
import { cluesOf, type ExitFindings } from '../exits/exit-gate.js';
import { handOverJob } from '../hand-over-service.js';
import { listSteps } from '../history.js';
import { suspenseChanged, suspenseNotFound } from '../refusals.js';
import { recordOf, type SuspenseRecord, type SuspenseRef } from '../suspense.js';
import { findSuspense, findSuspenseOfPayment, listHeldOfOrders, lockSuspense } from '../suspense-store.js';
import { placeOfMoney, type SuspenseState } from '../transitions.js';
import type { CandidateOrder } from './candidate-rules.js';
import type { SuspenseCandidates } from './candidates.js';
import { type ShownStep, type ShownSuspense, shownRecords, shownSteps } from './names.js';
import { listSuspense, type SuspensePlace } from './suspense-listing-store.js';

export interface SuspenseServiceOptions extends PayerKeys {
  readonly actions: SuspenseActions;
  readonly candidates: SuspenseCandidates;
}

export interface SuspenseQuery {
  /** The client id of the owner. */
  readonly merchant: string | undefined;
  readonly reason: SuspenseReason | undefined;
  readonly currency: string | undefined;
  /** Absent: what waits for a person. */
  readonly state: SuspenseState | undefined;
  readonly after: SuspensePlace | undefined;
  readonly limit: number;
}

export interface SuspenseFile extends ShownSuspense {
  readonly payment: Payment;
  readonly payer: Payer | undefined;
  readonly candidates: readonly CandidateOrder[];
  readonly steps: readonly ShownStep[];
  /** What the gate says about its return now; undefined once we hold nothing of it. */
  readonly findings: ExitFindings | undefined;
}

/** What an operator decided, on the version of the record that was read. */
export interface Decided {
  readonly version: number;
  readonly note: string;
}

export class SuspenseService {
  readonly #options: SuspenseServiceOptions;

  constructor(options: SuspenseServiceOptions) {
    this.#options = options;
  }

  /** Whose books the record is in. Throws `suspense_not_found` when the id is not that of a record. */
  async ownerOf(id: string): Promise<TenantId> {
    return refOf(id).ownerId;
  }

  /** The oldest first. `next` is undefined on the last page. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { merchant, after, limit, ...filter }: SuspenseQuery,
  ): Promise<{ records: ShownSuspense[]; next: SuspensePlace | undefined }> {
    const ownerId = merchant === undefined ? undefined : (await getMerchant(database, merchant)).merchantId;
    const found = await listSuspense(database, { ...filter, ownerId }, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const records = await shownRecords(
      database,
      page.map(({ record }) => record),
    );
    return { records, next: found.length > limit ? page.at(-1)?.place : undefined };
  }

  /** Each reading is audited. Throws `suspense_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<SuspenseFile> {
    const record = await findSuspense(tx, refOf(id));
    const payment = record && (await findPayment(tx, tenantOfPublicId(record.paymentId), record.paymentId));
    if (!record || !payment) throw suspenseNotFound();
    const steps = await listSteps(tx, record);
    const orders = [record.orderId, ...steps.map(({ orderId }) => orderId)].flatMap((order) => order ?? []);
    const payer = await findPayer(this.#options, tx, payment, orders);
    const candidates = await this.#options.candidates.find(tx, record, payer);
    const subject = recordOf(record);
    await recordChange(tx, by, { merchantId: record.ownerId, action: 'suspense.looked_at', subject });
    const shown = await shownSteps(tx, this.#options.sealer, record, steps);
    const isHeld = placeOfMoney(record.state) !== undefined;
    const findings = isHeld ? await this.#options.actions.examine(tx, record, undefined) : undefined;
    return { ...(await shownRecord(tx, record)), payment, payer, candidates, steps: shown, findings };
  }

  /** What a match is about. Throws `suspense_not_found` and `order_not_found`. */
  async reviewMatch(tx: Transaction, id: string, orderId: string): Promise<ApprovalSubject> {
    const { record, order } = await this.#lockBoth(tx, id, orderId);
    const { subject } = subjectOf(record);
    // What the order takes depends on the order too.
    const version = `${record.version}.${order.version}`;
    return { subject, version, records: [subject, `order:${order.orderId}`] };
  }

  /**
   * What a return is about, to another account or to somebody who matches a list; undefined when one operator is
   * enough. Throws `suspense_not_found`.
   */
  async reviewReturn(
    tx: Transaction,
    id: string,
    recipient: Recipient | undefined,
  ): Promise<ApprovalSubject | undefined> {
    const record = await lock(tx, id);
    const found = await this.#options.actions.examine(tx, record, recipient);
    return recipient || cluesOf(found).length > 0 ? subjectOf(record) : undefined;
  }

  /** What a write-off or a release is about. Throws `suspense_not_found`. */
  async reviewRecord(tx: Transaction, id: string): Promise<ApprovalSubject> {
    return subjectOf(await lock(tx, id));
  }

  /** What of a payment came into suspense in the books of this merchant. */
  ofPayment(database: Queryable, merchantId: MerchantId, paymentId: PaymentId): Promise<SuspenseRecord | undefined> {
    return findSuspenseOfPayment(database, merchantId, paymentId);
  }

  /**
   * The order takes what it is missing; the rest stays in suspense. Money in the books of the instance goes to the
   * merchant of the order first, by a job. Throws `suspense_not_found`, `order_not_found`, `suspense_changed`,
   * `suspense_transition_not_allowed` and `suspense_not_matchable`.
   */
  async match(
    tx: Transaction,
    by: By,
    id: string,
    { orderId, version, note }: Decided & { readonly orderId: string },
  ): Promise<ShownSuspense> {
    const { actions } = this.#options;
    const { record, order } = await this.#lockBoth(tx, id, orderId);
    requireVersion(record, version);
    if (record.ownerId !== 0) return shownRecord(tx, await actions.match(tx, by, record, { order, note }));
    tx.wake(handOverJob);
    return shownRecord(tx, await actions.handOver(tx, by, record, { order, note }));
  }

  /** Throws `suspense_not_found`, `suspense_changed`, and as `SuspenseActions.payBack` does. */
  async payBack(
    tx: Transaction,
    by: By,
    id: string,
    { version, ...asked }: Decided & { readonly recipient: Recipient | undefined },
  ): Promise<ShownSuspense> {
    const record = await lock(tx, id);
    requireVersion(record, version);
    return shownRecord(tx, await this.#options.actions.payBack(tx, by, record, asked));
  }

  /** Throws `suspense_not_found`, `suspense_changed` and `suspense_transition_not_allowed`. */
  async writeOff(tx: Transaction, by: By, id: string, { version, note }: Decided): Promise<ShownSuspense> {
    const record = await lock(tx, id);
    requireVersion(record, version);
    return shownRecord(tx, await this.#options.actions.writeOff(tx, by, record, note));
  }

  /** Throws `suspense_not_found`, `suspense_changed`, and as `SuspenseActions.withdraw` does. */
  async withdraw(tx: Transaction, by: By, id: string, { version, note }: Decided): Promise<ShownSuspense> {
    const record = await lock(tx, id);
    requireVersion(record, version);
    return shownRecord(tx, await this.#options.actions.withdraw(tx, by, record, note));
  }

  /** Throws `suspense_not_found`, and as `SuspenseActions.freeze` does. */
  async freeze(tx: Transaction, by: By, id: string, note: string): Promise<ShownSuspense> {
    return shownRecord(tx, await this.#options.actions.freeze(tx, by, await lock(tx, id), note));
  }

  /** Throws `suspense_not_found`, `suspense_changed` and `suspense_transition_not_allowed`. */
  async release(tx: Transaction, by: By, id: string, { version, note }: Decided): Promise<ShownSuspense> {
    const record = await lock(tx, id);
    requireVersion(record, version);
    return shownRecord(tx, await this.#options.actions.release(tx, by, record, note));
  }

  /**
   * Freezes the money that came for these orders of the person. What a bank has been instructed to pay back cannot be
   * stopped. Money in the books of the instance is stopped when it would leave: there its payer is compared.
   */
  async block(
    tx: Transaction,
    by: By,
    { merchantId, note }: BlockedPerson,
    orderIds: readonly OrderId[],
  ): Promise<void> {
    for (const ref of await listHeldOfOrders(tx, merchantId, orderIds)) {
      const record = await lockSuspense(tx, ref);
      if (record) await this.#options.actions.freeze(tx, by, record, note).catch(unlessOutOfReach);
    }
  }

  /** The order before the record, as everywhere. An order of another merchant is only read. */
  async #lockBoth(tx: Transaction, id: string, orderId: string): Promise<{ record: SuspenseRecord; order: Order }> {
    const { ownerId } = refOf(id);
    const named = await findOrderById(tx, orderId);
    const order = named.merchantId === ownerId ? await lockOrder(tx, this.#options.users, named) : named;
    return { order, record: await lock(tx, id) };
  }
}

/** Somebody has decided about it meanwhile, or a bank has been instructed to pay it back. Nothing was written. */
function unlessOutOfReach(error: unknown): void {
  if (!(error instanceof RemesaError) || error.code !== 'suspense_transition_not_allowed') throw error;
}

async function lock(tx: Transaction, id: string): Promise<SuspenseRecord> {
  const record = await lockSuspense(tx, refOf(id));
  if (!record) throw suspenseNotFound();
  return record;
}

function requireVersion(record: SuspenseRecord, version: number): void {
  if (record.version !== version) throw suspenseChanged(record);
}

function refOf(id: string): SuspenseRef {
  const suspenseId = publicId('sus', id);
  if (!suspenseId) throw suspenseNotFound();
  return { suspenseId, ownerId: tenantOfPublicId(suspenseId) };
}

function subjectOf(record: SuspenseRecord): ApprovalSubject {
  return { subject: recordOf(record), version: String(record.version) };
}

async function shownRecord(database: Queryable, record: SuspenseRecord): Promise<ShownSuspense> {
  const [shown] = await shownRecords(database, [record]);
  return shown ?? { record, clientId: undefined };
}
