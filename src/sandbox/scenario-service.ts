/**
 * Plays whole stories with the real services. A story up to its payment is one transaction, so that a run exists as a whole
 * or not at all; then the worker moves the order on, as it does with every order. A run is known by its order.
 */
import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { MerchantId } from '../ids.js';
import type { KycService } from '../kyc/service.js';
import { currencyCode } from '../money/currency.js';
import type { OrderCreation } from '../orders/creation.js';
import type { Order } from '../orders/order.js';
import type { OrderService } from '../orders/service.js';
import type { SimulationService } from '../payments/simulation-service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { Board } from '../rates/board/board.js';
import { createQuote } from '../rates/service.js';
import type { UserService } from '../users/service.js';
import { type Scenario, scenarios } from './scenarios.js';

export interface ScenarioOptions {
  readonly users: UserService;
  readonly kyc: KycService;
  readonly board: Board;
  readonly beneficiaries: BeneficiaryService;
  readonly creation: OrderCreation;
  readonly orders: OrderService;
  readonly simulation: SimulationService;
}

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly order: Order;
}

export class ScenarioService {
  constructor(readonly options: ScenarioOptions) {}

  /** Throws what the steps throw, such as `corridor_unavailable` when the operator has closed it. */
  async play(tx: Transaction, by: By, merchantId: MerchantId, scenario: Scenario): Promise<ScenarioRun> {
    const { users, kyc, board, beneficiaries, creation, orders, simulation } = this.options;
    const { sender, level, quote, beneficiary, purpose } = scenario;
    const user = await users.create(tx, merchantId, sender);
    await kyc.simulateApproval(tx, by, { merchantId, user, level });
    const owner = { merchantId, userId: user.id };
    const { beneficiaryId } = await beneficiaries.save(tx, by, owner, beneficiary);
    const [fiatIn, fiatOut] = [currencyCode(quote.fiatIn), currencyCode(quote.fiatOut)];
    if (!fiatIn || !fiatOut) throw new Error('a scenario names an unknown currency');
    const asked = { ...owner, fiatIn, fiatOut, amountIn: quote.amountIn };
    const { code } = await createQuote(tx, board, asked);
    const order = await creation.create(tx, by, {
      ...{ ...owner, rateCode: code, choice: { beneficiaryId }, purpose },
      ...{ payoutMethod: undefined, sourceOfFunds: undefined, relationship: undefined },
      ...{ refundAccount: undefined, externalOrderId: undefined },
      metadata: { scenario: scenario.name },
    });
    const payment = { orderId: order.orderId, reference: undefined, amount: undefined, currency: undefined };
    await simulation.pay(tx, by, merchantId, { ...payment, bookedAt: undefined, payerName: undefined });
    return { scenario, order: await orders.find(tx, { merchantId, userId: undefined }, order.orderId) };
  }

  /** Throws `scenario_run_not_found`. */
  async find(database: Queryable, merchantId: MerchantId, id: string): Promise<ScenarioRun> {
    const { orders } = this.options;
    const order = await orders.find(database, { merchantId, userId: undefined }, id).catch(asRun);
    const scenario = scenarios.find(({ name }) => name === order.metadata.scenario);
    if (!scenario || order.orderId !== id) throw runNotFound();
    return { scenario, order };
  }
}

function asRun(error: unknown): never {
  throw error instanceof RemesaError && error.code === 'order_not_found' ? runNotFound() : error;
}

function runNotFound(): RemesaError {
  return new RemesaError('not_found', 'scenario_run_not_found', 'There is no such run of a scenario.');
}
