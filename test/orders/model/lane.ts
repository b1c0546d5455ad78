/**
 * A lane is one merchant: what the model knows of it, and what it has at the service. Lanes are played side by side.
 */
import type { MadeUser, Merchant } from '../../harness/users.js';
import type { ModelService } from './model-service.js';
import type { ModelOrder } from './order-model.js';
import type { Outcome, Surroundings } from './order-record.js';
import { isListed } from './people.js';
import { defaultPolicies, type ModelPolicies } from './policy-model.js';
import type { ModelSuspense } from './suspense-model.js';

export type Currency = 'USD' | 'EUR';

export class LaneModel {
  orders: ModelOrder[] = [];
  suspense: ModelSuspense[] = [];
  /** How far the merchant's clock was moved since the story began. */
  hour = 0;
  isSuspended = false;
  isPaused = false;
  policies: ModelPolicies = defaultPolicies;
  policyVersion = 0;
  /** All that payers have sent in this story. */
  paidIn: Readonly<Record<Currency, number>> = { USD: 0, EUR: 0 };

  pay(currency: Currency, minor: number): void {
    this.paidIn = { ...this.paidIn, [currency]: this.paidIn[currency] + minor };
  }

  /** What must be on the bank account: what came, less what went back to payers. */
  get atBank(): Record<Currency, number> {
    const wentBack = (currency: Currency) =>
      this.suspense
        .filter((record) => record.currency === currency && record.state === 'RETURNED')
        .reduce((sum, { paidMinor }) => sum + paidMinor, 0);
    const refunded = this.orders.reduce((sum, { refundedMinor }) => sum + refundedMinor, 0);
    return {
      USD: this.paidIn.USD - wentBack('USD') - refunded,
      EUR: this.paidIn.EUR - wentBack('EUR'),
    };
  }

  /**
   * What the exit of suspense finds: whether nobody may let the money go, and what two people may let it go in spite
   * of.
   */
  examine({ order: place, payer }: ModelSuspense, around: Surroundings): { isStopped: boolean; clues: string[] } {
    const order = place === undefined ? undefined : this.orders[place];
    const isOwn = order !== undefined && payer === order.senderName && !order.isErased;
    const isSenderFound = order && !order.isErased && !order.hit && isListed(order.senderName, around);
    const clues = [
      ...(order?.hit === 'confirmed' ? ['hit'] : []),
      ...(isSenderFound ? [order.senderName] : []),
      ...(!isOwn && isListed(payer, around) ? [payer] : []),
    ];
    const isStopped = order !== undefined && (order.isBlocked || order.hit === 'open' || order.state === 'FROZEN');
    return { isStopped, clues };
  }

  clone(): LaneModel {
    return Object.assign(new LaneModel(), this, {
      orders: this.orders.map((order) => order.clone()),
      suspense: this.suspense.map((record) => record.clone()),
    });
  }
}

/** What was seen of an order at the end of the last round. */
interface SeenOrder {
  readonly version: number;
}

export interface RealOrder {
  readonly id: string;
  readonly user: MadeUser;
  /** What payers write. */
  readonly payinReference: string;
  seen: SeenOrder;
}

export interface RealSuspense {
  readonly id: string;
  readonly version: number;
}

/** A payment that an order has taken. */
interface RealPayment {
  readonly id: string;
  readonly order: number;
  readonly minor: number;
  readonly hour: number;
  readonly payer: string;
}

export interface Lane {
  readonly place: number;
  readonly beganAt: Date;
  /** What was on its bank account when the story began. */
  atBankBefore: Readonly<Record<Currency, number>>;
  merchant: Merchant;
  model: LaneModel;
  /** In the order of the model. */
  readonly orders: RealOrder[];
  /** In the order of the model, as seen after the last round. */
  suspense: readonly RealSuspense[];
  readonly payments: RealPayment[];
  /** The ids of the blocks of senders, by the place of their order. */
  readonly blocks: Map<number, string>;
  /** What was sent from each account in each currency, in minor units. */
  readonly paidFrom: Map<string, number>;
  readonly users: number[];
  /** What was done, for the report of a failure. */
  readonly history: string[];
  /** What was wrong. The lane is left alone then, and the others go on to the end of the story. */
  failure: unknown;
}

/** What somebody does, decided when its turn comes. */
export interface Act {
  readonly name: string;
  /** Does it at the service. */
  readonly ask: (service: ModelService, fault: Fault) => Promise<Outcome>;
  /** Does it in the model, and returns the outcome that the service must have. */
  readonly expect: (model: LaneModel, around: Surroundings) => Outcome;
}

/** Undefined when there is nothing to do it with. */
export type Draw = (lane: Lane) => Act | undefined;

/** How a request or the pass of a worker is disturbed: its COMMIT is cut off before or after the database got it. */
export type Fault = 'none' | 'twice' | 'cut-before' | 'cut-after';

/** An act on the order at this place, counted round and round. */
export function onOrder(
  at: number,
  act: (index: number, order: ModelOrder, real: RealOrder, lane: Lane) => Act | undefined,
): Draw {
  return (lane) => {
    const index = lane.orders.length === 0 ? 0 : at % lane.orders.length;
    const real = lane.orders[index];
    const order = lane.model.orders[index];
    return real && order && act(index, order, real, lane);
  };
}

export function orderAt(model: LaneModel, index: number): ModelOrder {
  const order = model.orders[index];
  if (!order) throw new Error(`the model has no order ${index}`);
  return order;
}

export function suspenseAt(model: LaneModel, place: number): ModelSuspense {
  const record = model.suspense[place];
  if (!record) throw new Error(`the model has no suspense record ${place}`);
  return record;
}
