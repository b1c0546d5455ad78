/**
 * Everything about a user that may be told, made of what merchants and users see anyway: nothing else is read, so that
 * nothing that must not be told can slip in.
 */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import type { MerchantId, UserId } from '../ids.js';
import { viewOfCase } from '../kyc/cases/case.js';
import type { KycService } from '../kyc/service.js';
import { declaredAnswers } from '../kyc/submissions/declared.js';
import { listUserOrders } from '../orders/api/listing/listing.js';
import type { OrderService } from '../orders/api/service.js';
import type { DisclosureService } from '../orders/disclosure/service.js';
import type { Order } from '../orders/order/order.js';
import { viewOfOrder } from '../orders/order/wire/order-view.js';
import type { TimelineService } from '../orders/timeline/service.js';
import { viewOfEntry } from '../orders/timeline/view.js';
import type { Queryable } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';

export interface UserExportOptions {
  readonly clock: Clock;
  readonly users: UserService;
  readonly kyc: Pick<KycService, 'levels' | 'listCases'>;
  readonly beneficiaries: Pick<BeneficiaryService, 'list'>;
  readonly orders: Pick<OrderService, 'beneficiary'>;
  readonly timelines: TimelineService;
  readonly disclosures: Pick<DisclosureService, 'acceptedWith'>;
}

export interface Exported {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  /** The user asks, not the merchant: merchants do not see the answers of the form. */
  readonly isUser: boolean;
}

const ordersAtOnce = 100;

export class UserExport {
  readonly #options: UserExportOptions;

  constructor(options: UserExportOptions) {
    this.#options = options;
  }

  /** One JSON object in pieces: a user may have many orders. Throws `user_not_found`. */
  async chunks(database: Queryable, exported: Exported): Promise<AsyncGenerator<string>> {
    const { clock, users, kyc, beneficiaries } = this.#options;
    const { merchantId, userId, isUser } = exported;
    const profile = await users.details(database, merchantId, { id: userId, externalClientId: '' });
    const key = isUser ? await users.retainedKey(database, merchantId, userId) : undefined;
    const saved = await beneficiaries.list(database, { merchantId, userId });
    const beginning = {
      exportedAt: clock.now().toISOString(),
      profile,
      kycLevels: await kyc.levels(database, merchantId, userId),
      kycCases: (await kyc.listCases(database, merchantId, userId)).map(viewOfCase),
      answers: key ? await declaredAnswers(database, key, merchantId, userId) : null,
      beneficiaries: saved.map(({ beneficiaryId, details, createdAt, updatedAt }) => ({
        id: beneficiaryId,
        ...details,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
    };
    return this.#withOrders(database, exported, JSON.stringify(beginning).slice(0, -1));
  }

  async *#withOrders(database: Queryable, { merchantId, userId }: Exported, beginning: string): AsyncGenerator<string> {
    yield `${beginning},"orders":[`;
    let separator = '';
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const query = { limit: ordersAtOnce, ...(after === undefined ? {} : { after }) };
      const { orders, next } = await listUserOrders(database, merchantId, userId, query);
      for (const order of orders) {
        yield separator + JSON.stringify(await this.#order(database, order));
        separator = ',';
      }
      after = next === undefined ? undefined : (new URLSearchParams(next.split('?')[1]).get('after') ?? undefined);
    }
    yield ']}';
  }

  async #order(database: Queryable, order: Order) {
    const { orders, timelines, disclosures } = this.#options;
    const scope = { merchantId: order.merchantId, userId: order.userId };
    const beneficiary = await orders.beneficiary(database, scope, order.orderId).catch((error: unknown) => {
      if (error instanceof RemesaError && error.kind === 'not_found') return null;
      throw error;
    });
    return {
      order: viewOfOrder(order),
      beneficiary,
      timeline: (await timelines.forUser(database, scope, order.orderId)).map(viewOfEntry),
      disclosure: (await disclosures.acceptedWith(database, order)) ?? null,
    };
  }
}
