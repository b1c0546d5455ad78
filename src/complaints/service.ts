/** The verbs of complaints: file one, tell why it takes longer, answer it, and name what put it right. */
import { type By, operatorOf } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { invalidField, userNotFound } from '../errors.js';
import { type MerchantId, merchantOfPublicId, newMerchantPublicId, publicId } from '../ids.js';
import { seal } from '../keys/sealing.js';
import type { DisclosureService } from '../orders/disclosure/service.js';
import { senderOf } from '../orders/order/copies/copies.js';
import { findOrderOf } from '../orders/order/finding.js';
import type { Order } from '../orders/order/order.js';
import type { OrderScope } from '../orders/order/wire/scope.js';
import { availableOn } from '../orders/receipt/availability.js';
import type { Account } from '../persons/service.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { clocksOf, remedyDueBy } from './clocks.js';
import {
  type Complaint,
  type ComplaintChannel,
  type ComplaintKind,
  type ComplaintOutcome,
  type ComplaintTopic,
  complaintsAtMost,
  mayBeHeld,
  type Remedy,
} from './complaint.js';
import {
  answeredAlready,
  complaintChanged,
  complaintNotFound,
  notHoldable,
  tooManyComplaints,
  withoutRemedy,
} from './refusals.js';
import { isRemedy } from './remedy.js';
import * as store from './store.js';
import { type ComplaintFile, opened, placeOf, type Written } from './texts.js';

export interface NewClaim {
  readonly kind: ComplaintKind;
  readonly topic: ComplaintTopic;
  readonly channel: ComplaintChannel;
  readonly text: string;
  /** Undefined: now. */
  readonly receivedAt?: Date | undefined;
}

export interface Answer {
  readonly outcome: ComplaintOutcome;
  readonly remedy: Remedy;
  readonly text: string;
  readonly version: number;
}

export class ComplaintService {
  readonly #users: UserService;
  readonly #disclosures: Pick<DisclosureService, 'acceptedWith'>;

  constructor(users: UserService, disclosures: Pick<DisclosureService, 'acceptedWith'>) {
    this.#users = users;
    this.#disclosures = disclosures;
  }

  /** Throws `order_not_found`, `too_many_complaints` and `user_not_found`. */
  async fileAboutOrder(tx: Transaction, by: By, { scope, id }: NamedOrder, claim: NewClaim): Promise<ComplaintFile> {
    const order = await findOrderOf(tx, scope, id);
    await this.#lock(tx, order);
    const country = (await senderOf(this.#users, tx, order))?.country;
    return this.#file(tx, by, { account: order, order, country }, claim);
  }

  /** For operators, about a user or an order of the user. Throws as `fileAboutOrder` does, and `invalid_fields`. */
  async fileAboutUser(
    tx: Transaction,
    by: By,
    { account, orderId }: { readonly account: Account; readonly orderId: string | undefined },
    claim: NewClaim,
  ): Promise<ComplaintFile> {
    const { merchantId, userId } = account;
    if (orderId !== undefined)
      return this.fileAboutOrder(tx, by, { scope: { merchantId, userId }, id: orderId }, claim);
    if (claim.kind === 'error') throw invalidField('orderId', 'required', 'is required: an error is one of a transfer');
    await this.#lock(tx, account);
    const country = (await this.#users.profile(tx, merchantId, userId))?.countryCode;
    return this.#file(tx, by, { account, order: undefined, country }, claim);
  }

  /** The oldest first. Throws `order_not_found`. */
  async listOfOrder(database: Queryable, scope: OrderScope, id: string): Promise<ComplaintFile[]> {
    const { merchantId, orderId, userId } = await findOrderOf(database, scope, id);
    const key = await this.#users.retainedKey(database, merchantId, userId);
    const complaints = await store.listComplaintsOfOrder(database, merchantId, orderId);
    const files: ComplaintFile[] = [];
    for (const complaint of complaints) files.push(await opened(database, complaint, key));
    return files;
  }

  /** Whether the user waits for an answer: then what is known is kept, however much of it may be erased. */
  async isWaiting(database: Queryable, account: Account): Promise<boolean> {
    const complaints = await store.listComplaintsOfUser(database, account);
    return complaints.some(({ state }) => state !== 'answered');
  }

  list(database: Queryable, filter: store.ComplaintFilter): Promise<Complaint[]> {
    return store.listComplaints(database, filter);
  }

  statistics(database: Queryable, from: Date, until: Date): Promise<store.ComplaintCount[]> {
    return store.countComplaints(database, from, until);
  }

  /** Throws `complaint_not_found` when the id is not that of a complaint. */
  async merchantOf(id: string): Promise<MerchantId> {
    return refOf(id).merchantId;
  }

  /** Each reading is audited. Throws `complaint_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<ComplaintFile> {
    const { merchantId, complaintId } = refOf(id);
    const complaint = await store.findComplaint(tx, merchantId, complaintId);
    if (!complaint) throw complaintNotFound();
    await audit(tx, by, complaint, 'complaint.looked_at');
    return opened(tx, complaint, await this.#users.retainedKey(tx, merchantId, complaint.userId));
  }

  /**
   * Tells the customer why it takes longer; after `answerBy` it gives no more time. Throws `complaint_not_found`,
   * `version_conflict`, and `complaint_not_holdable` where the law gives no more time, or it was told before.
   */
  async hold(tx: Transaction, by: By, id: string, reply: { text: string; version: number }): Promise<ComplaintFile> {
    const { complaint, key } = await this.#lockToChange(tx, id, reply.version);
    if (!mayBeHeld(complaint)) throw notHoldable(complaint);
    const heldAt = await readMerchantClock(tx, complaint.merchantId);
    const held = await store.changeComplaint(tx, complaint, { state: 'held', heldAt });
    return this.#write(tx, by, held, key, { kind: 'holding_reply', text: reply.text });
  }

  /**
   * The results, and what will be done. Throws `complaint_not_found`, `version_conflict`, `complaint_answered`, and
   * `invalid_fields` for a remedy that cannot be.
   */
  async answer(tx: Transaction, by: By, id: string, { text, version, ...answer }: Answer): Promise<ComplaintFile> {
    const { complaint, key } = await this.#lockToChange(tx, id, version);
    if (complaint.state === 'answered') throw answeredAlready(complaint);
    if (answer.outcome === 'rejected' && answer.remedy !== 'none')
      throw invalidField('remedy', 'not_allowed', 'must be none where nothing was wrong');
    if (complaint.orderId === undefined && movesMoney(answer.remedy))
      throw invalidField('remedy', 'not_allowed', 'must move no money: the complaint is about no order');
    const answeredAt = await readMerchantClock(tx, complaint.merchantId);
    const answered = await store.changeComplaint(tx, complaint, {
      ...answer,
      state: 'answered',
      answeredAt,
      answeredBy: operatorOf(by),
      remedyDueBy: answer.remedy === 'none' ? undefined : remedyDueBy(complaint.kind, complaint.country, answeredAt),
    });
    return this.#write(tx, by, answered, key, { kind: 'answer', text });
  }

  /**
   * Names the refund of the order, or the other order of the user, that put it right. Throws `complaint_not_found`,
   * `version_conflict`, `complaint_without_remedy`, and `invalid_fields` for what is no such refund or order.
   */
  async remedy(
    tx: Transaction,
    by: By,
    id: string,
    { reference, version }: { readonly reference: string; readonly version: number },
  ): Promise<ComplaintFile> {
    const { complaint, key } = await this.#lockToChange(tx, id, version);
    const { remedy } = complaint;
    if (!movesMoney(remedy) || complaint.remedyReference !== undefined) throw withoutRemedy(complaint);
    if (!(await isRemedy(tx, complaint, reference)))
      throw invalidField(
        'reference',
        'not_found',
        remedy === 'refund'
          ? 'must be the id of a refund of the order that has not failed and was not cancelled'
          : 'must be the id of a later order of the user that was paid, goes on, and has no fee',
      );
    const remedied = await store.changeComplaint(tx, complaint, { remedyReference: reference });
    await audit(tx, by, remedied, 'complaint.remedied', { remedy, reference });
    return opened(tx, remedied, key);
  }

  async #file(tx: Transaction, by: By, about: About, claim: NewClaim): Promise<ComplaintFile> {
    const { account, order, country } = about;
    const { merchantId, userId } = account;
    const key = await this.#users.retainedKey(tx, merchantId, userId);
    if (!key || country === undefined) throw userNotFound();
    // What operators record has come already: its clocks run, whether it is recorded or not.
    if (by.actor.kind !== 'operator') await this.#requireFew(tx, account);
    const now = await readMerchantClock(tx, merchantId);
    const { kind, topic, channel, text, receivedAt = now } = claim;
    if (receivedAt > now) throw invalidField('receivedAt', 'not_allowed', 'must not be in the future');
    const complaint = await store.addComplaint(tx, {
      merchantId,
      userId,
      complaintId: newMerchantPublicId('cmp', merchantId),
      orderId: order?.orderId,
      kind,
      topic,
      channel,
      country,
      receivedAt,
      ...clocksOf({ kind, country, at: receivedAt, availableOn: order && (await this.#toldDay(tx, order)) }),
    });
    return this.#write(tx, by, complaint, key, { kind: 'claim', text });
  }

  async #requireFew(tx: Transaction, account: Account): Promise<void> {
    const earlier = await store.listComplaintsOfUser(tx, account);
    if (earlier.filter(({ state }) => state !== 'answered').length >= complaintsAtMost) throw tooManyComplaints();
  }

  /** The later of the days that the disclosure and the receipt have named: the payout may have changed the receipt. */
  async #toldDay(tx: Transaction, order: Order): Promise<string> {
    const { estimatedArrivalAt, createdAt, payee } = order;
    const accepted = (await this.#disclosures.acceptedWith(tx, order))?.availableOn;
    const onReceipt = availableOn(estimatedArrivalAt ?? createdAt, payee.country);
    return accepted !== undefined && accepted > onReceipt ? accepted : onReceipt;
  }

  async #write(
    tx: Transaction,
    by: By,
    complaint: Complaint,
    key: Buffer,
    { kind, text }: Pick<Written, 'kind' | 'text'>,
  ): Promise<ComplaintFile> {
    const number = ((await store.listTextsOf(tx, complaint)).at(-1)?.number ?? 0) + 1;
    const sealedText = seal(key, Buffer.from(text), placeOf(complaint, number));
    const writtenBy = by.actor.kind === 'operator' ? operatorOf(by) : undefined;
    await store.addText(tx, complaint, { number, kind, sealedText, writtenBy });
    const action = (
      { claim: 'complaint.filed', holding_reply: 'complaint.held', answer: 'complaint.answered' } as const
    )[kind];
    const { outcome = null, remedy = null } = complaint;
    const details = kind === 'answer' ? { outcome, remedy } : { kind: complaint.kind, topic: complaint.topic };
    await audit(tx, by, complaint, action, details);
    return opened(tx, complaint, key);
  }

  #lock(tx: Transaction, { merchantId, userId }: Account): Promise<unknown> {
    return this.#users.lock(tx, merchantId, userId);
  }

  async #lockToChange(tx: Transaction, id: string, version: number) {
    const { merchantId, complaintId } = refOf(id);
    const complaint = await store.lockComplaint(tx, merchantId, complaintId);
    if (!complaint) throw complaintNotFound();
    if (complaint.version !== version) throw complaintChanged(complaint, version);
    const key = await this.#users.retainedKey(tx, merchantId, complaint.userId);
    if (!key) throw complaintNotFound();
    return { complaint, key };
  }
}

interface NamedOrder {
  readonly scope: OrderScope;
  readonly id: string;
}

interface About {
  readonly account: Account;
  readonly order: Order | undefined;
  /** Where the sender lives. */
  readonly country: string | undefined;
}

/** The id of a complaint names its merchant. */
function refOf(id: string) {
  const complaintId = publicId('cmp', id);
  const merchantId = complaintId && merchantOfPublicId(complaintId);
  if (!complaintId || !merchantId) throw complaintNotFound();
  return { complaintId, merchantId };
}

function movesMoney(remedy: Remedy | undefined): remedy is 'refund' | 'resend' {
  return remedy === 'refund' || remedy === 'resend';
}

function audit(
  tx: Transaction,
  by: By,
  { merchantId, complaintId }: Complaint,
  action: string,
  details: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  return recordChange(tx, by, { merchantId, action, subject: `complaint:${complaintId}`, details });
}
