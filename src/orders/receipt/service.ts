/** Issues the receipt of a paid order. */
import { RemesaError } from '../../errors.js';
import { supervisorFor } from '../../licensee/licensee.js';
import { findLicensee } from '../../licensee/service.js';
import { findMerchantById } from '../../merchants/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { beneficiaryOf } from '../order/copies/copies.js';
import { findOrderOf } from '../order/finding.js';
import { listTimelineOf } from '../order/history.js';
import type { Order } from '../order/order.js';
import { publicState } from '../order/transitions.js';
import type { OrderScope } from '../order/wire/scope.js';
import { milestonesOf } from '../timeline/timeline.js';
import { nameOfBeneficiary, nameOfSender, type Receipt, signedPart } from './receipt.js';

export interface ReceiptOptions {
  readonly users: UserService;
  readonly prover: { sign(type: string, json: string): Promise<string> };
}

export interface SignedReceipt extends Receipt {
  /** A compact JWS over the signed part. */
  readonly proof: string;
}

export class ReceiptService {
  readonly #options: ReceiptOptions;

  constructor(options: ReceiptOptions) {
    this.#options = options;
  }

  /**
   * Names the people only while the user exists. Throws `order_not_found`, and `receipt_not_available` before the order
   * is paid.
   */
  async issue(database: Queryable, scope: OrderScope, id: string): Promise<SignedReceipt> {
    const order = await findOrderOf(database, scope, id);
    const [timeline, merchant, stored, { profile, ...people }] = await Promise.all([
      listTimelineOf(database, order),
      findMerchantById(database, order.merchantId),
      findLicensee(database),
      this.#people(database, order),
    ]);
    const { paidAt, ...others } = milestonesOf(timeline);
    if (!paidAt) throw notAvailable(order);
    if (!merchant) throw new Error(`the merchant of ${order.orderId} does not exist`);
    const { name, branding } = merchant;
    const shown = { name: branding.displayName ?? name, branding };
    const licensee = stored?.licensee;
    const supervisor = licensee && supervisorFor(licensee, profile?.countryCode ?? '', profile?.stateProvince);
    const receipt = { order, merchant: shown, licensee, supervisor, ...people, paidAt, ...others };
    const json = JSON.stringify(signedPart(receipt));
    return { ...receipt, proof: await this.#options.prover.sign('remesa-receipt+json', json) };
  }

  async #people(database: Queryable, order: Order) {
    const { users } = this.#options;
    const profile = await users.profile(database, order.merchantId, order.userId);
    const beneficiary = profile && (await beneficiaryOf(users, database, order));
    return {
      profile,
      senderName: profile && nameOfSender(profile),
      beneficiaryName: beneficiary && nameOfBeneficiary(beneficiary),
    };
  }
}

function notAvailable({ state }: Order): RemesaError {
  const status = publicState(state);
  return new RemesaError('conflict', 'receipt_not_available', 'The order is not paid, so it has no receipt.', {
    members: { orderStatus: status },
  });
}
