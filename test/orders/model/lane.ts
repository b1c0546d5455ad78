/** A lane is one merchant: what the model knows of it, and what it has at the service. Lanes are played side by side. */
import type { MadeUser, Merchant } from '../../harness/users.js';
import type { ModelService } from './model-service.js';
import type { ModelOrder, Outcome, Surroundings } from './order-model.js';

export class LaneModel {
  constructor(
    readonly orders: ModelOrder[] = [],
    /** How far the merchant's clock was moved since the story began. */
    public hour = 0,
    public isSuspended = false,
  ) {}

  clone(): LaneModel {
    return new LaneModel(
      this.orders.map((order) => order.clone()),
      this.hour,
      this.isSuspended,
    );
  }
}

/** What was seen of an order at the end of the last round. */
export interface SeenOrder {
  readonly version: number;
}

export interface RealOrder {
  readonly id: string;
  readonly user: MadeUser;
  seen: SeenOrder;
}

export interface Lane {
  readonly place: number;
  merchant: Merchant;
  model: LaneModel;
  /** In the order of the model. */
  readonly orders: RealOrder[];
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
