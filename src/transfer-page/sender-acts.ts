/** The verbs of orders and payouts as whoever has a link may call them: on the order of the link, as its user. */
import type { Destination } from '../beneficiaries/destinations/destination.js';
import type { BeneficiaryType } from '../beneficiaries/fields/field.js';
import { findDestination } from '../beneficiaries/requirements.js';
import type { By } from '../caller.js';
import { recordChange } from '../changes/service.js';
import type { CleanDocument, Inspection, InspectUpload, UploadSource } from '../documents/inspect.js';
import type { OrderService } from '../orders/api/service.js';
import type { OrderDocuments } from '../orders/documents/service.js';
import type { InformationService } from '../orders/information/service.js';
import { beneficiaryOf } from '../orders/order/copies/copies.js';
import { lockOrderOf, recordOf } from '../orders/order/finding.js';
import type { Order } from '../orders/order/order.js';
import type { RequirementCode } from '../orders/order/requirement.js';
import { changedMeanwhile } from '../orders/order/transition.js';
import type { PayoutService } from '../payouts/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import type { OpenTransfer } from './service.js';

export interface SenderActsOptions {
  readonly users: UserService;
  readonly orders: OrderService;
  readonly information: InformationService;
  readonly documents: OrderDocuments;
  readonly payouts: Pick<PayoutService, 'pickupCode'>;
  readonly inspect: InspectUpload;
}

export interface SentAnswer {
  readonly code: RequirementCode;
  readonly answer?: string;
  readonly documents: readonly CleanDocument[];
}

export interface Recipient {
  readonly destination: Destination;
  readonly type: BeneficiaryType;
  /** By the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
}

export class SenderActs {
  readonly #options: SenderActsOptions;

  constructor(options: SenderActsOptions) {
    this.#options = options;
  }

  /** Counted by order, so that one order cannot use the memory and the checkers of all. */
  inspect({ order }: OpenTransfer, source: UploadSource): Promise<Inspection> {
    return this.#options.inspect(source, order.orderId);
  }

  /** Throws as `OrderService.cancel` does. */
  cancel(tx: Transaction, by: By, { scope, order }: OpenTransfer): Promise<Order> {
    return this.#options.orders.cancel(tx, by, scope, order.orderId);
  }

  /** Throws as `InformationService.provide` does. */
  async answer(tx: Transaction, by: By, { scope, order }: OpenTransfer, sent: readonly SentAnswer[]): Promise<Order> {
    const { documents, information } = this.#options;
    const named = { scope, id: order.orderId };
    const answers = [];
    for (const { code, answer, documents: files } of sent) {
      const documentIds: string[] = [];
      for (const file of files) documentIds.push((await documents.add(tx, by, named, file)).documentId);
      answers.push({
        code,
        ...(answer === undefined ? {} : { answer }),
        ...(documentIds.length > 0 ? { documentIds } : {}),
      });
    }
    return information.provide(tx, by, named, answers);
  }

  /** Throws `order_transition_not_allowed` also when the terms are not those that the sender has seen. */
  async choose(
    tx: Transaction,
    by: By,
    { scope, order }: OpenTransfer,
    { answer, version }: { readonly answer: 'accept' | 'refuse'; readonly version: number },
  ): Promise<Order> {
    const { users, information } = this.#options;
    const locked = await lockOrderOf(tx, users, scope, order.orderId);
    if (locked.publicVersion !== version) throw changedMeanwhile(locked);
    return information.provide(tx, by, { scope, id: order.orderId }, [{ code: 'requote', answer }]);
  }

  /** Throws as `OrderService.changeBeneficiary` does. */
  correct(tx: Transaction, by: By, { scope, order }: OpenTransfer, beneficiary: object): Promise<Order> {
    return this.#options.orders.changeBeneficiary(tx, by, { scope, id: order.orderId, choice: { beneficiary } });
  }

  /** Undefined once the copy of the beneficiary can no longer be opened. */
  async recipient(database: Queryable, { order }: OpenTransfer): Promise<Recipient | undefined> {
    const details = await beneficiaryOf(this.#options.users, database, order);
    const destination = details && findDestination(details);
    if (!details || !destination) return undefined;
    const { type, firstName, lastName, companyName, address, account } = details;
    const values = { firstName, lastName, companyName, ...under('address', address), ...under('account', account) };
    const known = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { destination, type, values: Object.fromEntries(known) };
  }

  /** Undefined while there is none. */
  async showCode(tx: Transaction, by: By, { order }: OpenTransfer): Promise<string | undefined> {
    const code = await this.#options.payouts.pickupCode(tx, order);
    if (code === undefined) return undefined;
    const { merchantId } = order;
    await recordChange(tx, by, { merchantId, action: 'order.pickup_code_shown', subject: recordOf(order) });
    return code;
  }
}

function under(object: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${object}.${name}`, value]));
}
