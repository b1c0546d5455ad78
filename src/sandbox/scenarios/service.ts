/** The verbs of scenarios: begin a run, and see how far it is. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { type MerchantId, newMerchantPublicId, publicId } from '../../ids.js';
import type { Order } from '../../orders/order/order.js';
import type { OrderService } from '../../orders/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { playJob } from './player.js';
import type { Run, Scenario } from './scenario.js';
import { addRun, findRun } from './scenario-run-store.js';

/** A run with its order, once it has one. */
export interface ShownRun {
  readonly run: Run;
  readonly order: Order | undefined;
  /** Undefined when this version does not know the scenario any more. */
  readonly scenario: Scenario | undefined;
}

export class ScenarioService {
  constructor(
    readonly scenarios: readonly Scenario[],
    readonly orders: OrderService,
  ) {}

  /** The worker plays it. */
  async begin(tx: Transaction, by: By, merchantId: MerchantId, name: string): Promise<ShownRun> {
    const scenario = this.scenarios.find((known) => known.name === name);
    if (!scenario) throw new Error('the schema accepts known scenarios only');
    const ref = { merchantId, runId: newMerchantPublicId('run', merchantId) };
    const run = await addRun(tx, ref, { scenario: name, isExclusive: scenario.isExclusive ?? false });
    const subject = `scenario:${ref.runId}`;
    await recordChange(tx, by, { merchantId, action: 'sandbox.scenario_begun', subject, details: { name } });
    tx.wake(playJob);
    return { run, scenario, order: undefined };
  }

  /** Throws `scenario_run_not_found`. */
  async find(database: Queryable, merchantId: MerchantId, id: string): Promise<ShownRun> {
    const runId = publicId('run', id);
    const run = runId && (await findRun(database, { merchantId, runId }));
    if (!run) {
      throw new RemesaError('not_found', 'scenario_run_not_found', 'There is no such run of a scenario.');
    }
    const scenario = this.scenarios.find(({ name }) => name === run.scenario);
    const { orderId } = run.facts;
    const scope = { merchantId, userId: undefined };
    const order = orderId === undefined ? undefined : await this.orders.find(database, scope, orderId);
    return { run, scenario, order };
  }
}
