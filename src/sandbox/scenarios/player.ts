/**
 * Plays the runs of scenarios, step by step. A step commits together with the count of steps, so that a run that was
 * interrupted goes on where it stopped, and no step is played twice.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type By, scopes } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { doEach } from '../../worker/claim.js';
import type { Job } from '../../worker/worker.js';
import type { Run, Scenario, ScenarioServices, Step, StepContext } from './scenario.js';
import * as store from './scenario-run-store.js';

export interface PlayerOptions {
  readonly database: Database;
  readonly services: ScenarioServices;
  readonly scenarios: readonly Scenario[];
  readonly log: Log;
}

export const playJob = 'sandbox.play';
/** Longer than a step takes. */
const claim = { atMost: 20, leaseSeconds: 20 };
const betweenLooksMs = 50;
/**
 * Soon at first, because orders move on within a second; then rarely, so that waiting runs leave the database alone.
 */
const soon = { seconds: 0.1, tries: 10 };
const laterSeconds = 0.5;
/** More than a minute. Time during which the service is down does not count. */
const mostTries = 130;

export class Player {
  readonly #options: PlayerOptions;

  constructor(options: PlayerOptions) {
    this.#options = options;
  }

  get job(): Job {
    return { name: playJob, everySeconds: 5, run: (signal) => this.#run(signal) };
  }

  /**
   * Plays one step of each run that is due. Returns how many, so that the worker comes back while stories are under
   * way.
   */
  async #run(signal: AbortSignal): Promise<number> {
    const { database } = this.#options;
    let played = 0;
    for (const merchant of await store.listMerchantsWithRuns(database)) {
      if (signal.aborted) return played;
      const runs = await store.claimRuns(database, merchant, claim);
      await doEach(runs, (run) => this.#playNext(run));
      played += runs.length;
    }
    if (played > 0 || !(await store.hasRunning(database))) return played;
    await pause(betweenLooksMs, undefined, { signal }).catch(() => {});
    return 1;
  }

  async #playNext(run: Run): Promise<void> {
    const { database, log } = this.#options;
    const scenario = this.#options.scenarios.find(({ name }) => name === run.scenario);
    const step = scenario?.steps[run.step];
    if (!scenario || !step) return this.#fail(run, 'This version does not know the scenario.');
    try {
      const prepared = await step.prepare?.(database, this.#contextOf(run));
      await database.transaction((tx) => this.#play(tx, run, scenario, (context) => step.play(tx, context, prepared)));
    } catch (error) {
      if (error instanceof RemesaError && error.kind === 'unavailable') throw error;
      if (isConflict(error) && isPatient(run)) return this.#wait(run);
      log.warn({ runId: run.runId, step: run.step, err: error }, 'a scenario failed');
      return this.#fail(run, failureOf(step, error));
    }
  }

  async #play(
    tx: Transaction,
    run: Run,
    { steps, isExclusive }: Scenario,
    play: (context: StepContext) => ReturnType<Step['play']>,
  ): Promise<void> {
    if (!(await store.lockRun(tx, run))) return;
    if (run.step === 0 && (await store.hasToWait(tx, run, isExclusive === true)))
      return store.tryLater(tx, run, untilItsTurn);
    const facts = await play(this.#contextOf(run));
    if (facts === 'not_yet') {
      if (!isPatient(run)) throw new Stuck();
      return store.tryLater(tx, run, nextTry(run));
    }
    const isLast = run.step + 1 === steps.length;
    await store.saveDone(tx, run, { ...run.facts, ...facts }, isLast ? 'FINISHED' : 'RUNNING');
  }

  #contextOf({ merchantId, facts }: Run): StepContext {
    const by: By = { actor: { kind: 'merchant', merchantId, scopes: new Set(scopes) } };
    return { services: this.#options.services, by, merchantId, facts };
  }

  #wait(run: Run): Promise<void> {
    return this.#options.database.transaction((tx) => store.tryLater(tx, run, nextTry(run)));
  }

  #fail(run: Run, failure: string): Promise<void> {
    return this.#options.database.transaction((tx) => store.saveFailed(tx, run, failure));
  }
}

const passing = ['order_transition_not_allowed', 'order_not_cancellable', 'simulated_event_impossible'];

class Stuck extends Error {}

/** Something else changed the order meanwhile, or the step cannot be done yet. */
function isConflict(error: unknown): boolean {
  return error instanceof RemesaError && passing.includes(error.code);
}

/** While another run of the merchant plays alone. */
const untilItsTurn = { seconds: laterSeconds, isCounted: false };

function nextTry({ tries }: Run): { seconds: number; isCounted: true } {
  return { seconds: tries < soon.tries ? soon.seconds : laterSeconds, isCounted: true };
}

function isPatient({ tries }: Run): boolean {
  return tries < mostTries;
}

function failureOf({ title }: Step, error: unknown): string {
  if (error instanceof Stuck) return `${title}: this did not happen in time.`;
  if (error instanceof RemesaError) return `${title}: ${error.message}`;
  return `${title}: an unexpected error. The log of the service has more.`;
}
