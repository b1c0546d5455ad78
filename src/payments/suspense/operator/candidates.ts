/** Looks for the orders that money in suspense could be for: by its text, by who paid before, and by its amount. */
import { instanceTenant, type MerchantId, type UserId } from '../../../ids.js';
import { listMerchants } from '../../../merchants/service.js';
import type { Order } from '../../../orders/order/order.js';
import { listOrdersAwaiting, listOrdersMissing, listUnpaidOf } from '../../../orders/payin/payable-orders.js';
import type { Queryable } from '../../../postgres/statement.js';
import type { UserService } from '../../../users/service.js';
import { listUsersPaidFor } from '../../applications/application-store.js';
import { isUnlike } from '../../applications/payer-name.js';
import { listNamedOrders } from '../../matching/candidates.js';
import { isNearly } from '../../matching/references.js';
import type { Payer } from '../../payment.js';
import type { InstanceSealer } from '../../sealed.js';
import type { SuspenseRecord } from '../suspense.js';
import { placeOfMoney } from '../transitions.js';
import { type CandidateOrder, type CandidateReason, type Clue, rankCandidates } from './candidate-rules.js';

export interface SuspenseCandidateOptions {
  readonly users: UserService;
  readonly sealer: InstanceSealer;
}

/** Each way of looking reads at most so many orders and users. */
const mostOfEach = 20;
/** So many unpaid orders are compared with a payer, over so many merchants. */
const mostCompared = 100;
const mostMerchants = 100;

export class SuspenseCandidates {
  readonly #options: SuspenseCandidateOptions;

  constructor(options: SuspenseCandidateOptions) {
    this.#options = options;
  }

  /** The best first; none once the money has left suspense. `payer` undefined: who paid is not known any more. */
  async find(
    database: Queryable,
    record: SuspenseRecord,
    payer: Payer | undefined,
  ): Promise<readonly CandidateOrder[]> {
    if (placeOfMoney(record.state) !== 'suspense') return [];
    const clues = await Promise.all([
      this.#byText(database, record, payer?.remittanceText ?? ''),
      payer ? this.#byPayer(database, record, payer) : [],
      payer ? this.#byLikeness(database, record, payer) : [],
      this.#byAmount(database, record),
    ]);
    return rankCandidates(record, clues.flat());
  }

  async #byText(database: Queryable, { ownerId }: SuspenseRecord, text: string): Promise<Clue[]> {
    const { named, nearly } = await listNamedOrders(database, ownerId, text);
    return [...cluesOf(named, 'reference'), ...cluesOf(nearly, 'mistyped_reference')];
  }

  /** Orders of users for whom the same account or name has paid before. */
  async #byPayer(database: Queryable, record: SuspenseRecord, payer: Payer): Promise<Clue[]> {
    const { ownerId, remaining } = record;
    const digests = this.#options.sealer.digestsOf(payer);
    const merchantId = ownerId === instanceTenant ? undefined : ownerId;
    const paid = await listUsersPaidFor(database, { merchantId, digests }, mostOfEach);
    const byMerchant = new Map<MerchantId, Map<UserId, CandidateReason>>();
    for (const { merchantId: merchant, userId, isSameAccount } of paid) {
      const users = byMerchant.get(merchant) ?? new Map<UserId, CandidateReason>();
      if (isSameAccount || !users.has(userId)) users.set(userId, isSameAccount ? 'payer_account' : 'payer_name');
      byMerchant.set(merchant, users);
    }
    const found = await Promise.all(
      [...byMerchant].map(async ([merchant, users]) => {
        const wanted = { users: [...users.keys()], currency: remaining.currency };
        const orders = await listUnpaidOf(database, merchant, wanted, mostOfEach);
        return orders.map((order) => ({ order, reason: users.get(order.userId) ?? 'payer_name' }));
      }),
    );
    return found.flat();
  }

  /** Only where the merchant is known: the same amount at any merchant says nothing. */
  async #byAmount(database: Queryable, { ownerId, remaining }: SuspenseRecord): Promise<Clue[]> {
    if (ownerId === instanceTenant) return [];
    return cluesOf(await listOrdersMissing(database, ownerId, remaining, mostOfEach), 'amount');
  }

  /**
   * The newest orders that wait for money, whose user has the payer's name, or whose reference the text nearly has. For
   * money on a shared account, those of all merchants, a few of each.
   */
  async #byLikeness(database: Queryable, { ownerId, remaining }: SuspenseRecord, payer: Payer): Promise<Clue[]> {
    const merchants =
      ownerId === instanceTenant
        ? (await listMerchants(database, 0, mostMerchants)).map((merchant) => merchant.merchantId)
        : [ownerId];
    const atMost = Math.ceil(mostCompared / Math.max(merchants.length, 1));
    const found = await Promise.all(
      merchants.map((merchant) => listOrdersAwaiting(database, merchant, remaining.currency, atMost)),
    );
    const orders = found.flat();
    const areNamed = await Promise.all(orders.map((order) => this.#isNamed(database, order, payer)));
    return [
      ...cluesOf(
        orders.filter((_order, index) => areNamed[index]),
        'user_name',
      ),
      ...cluesOf(
        orders.filter(({ payinReference }) => isNearly(payer.remittanceText, payinReference)),
        'mistyped_reference',
      ),
    ];
  }

  async #isNamed(database: Queryable, { merchantId, userId }: Order, payer: Payer): Promise<boolean> {
    const profile = await this.#options.users.profile(database, merchantId, userId);
    return profile !== undefined && !isUnlike(payer.name, profile);
  }
}

function cluesOf(orders: readonly Order[], reason: CandidateReason): Clue[] {
  return orders.map((order) => ({ order, reason }));
}
