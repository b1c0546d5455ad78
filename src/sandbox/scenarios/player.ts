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
import { inTurns } from '../../worker/in-turns.js';
import type { Job } from '../../worker/worker.js';
import type { Cast, Run, Scenario, Stage, Step } from './scenario.js';
import * as store from './scenario-run-store.js';

export interface PlayerOptions {
  readonly database: Database;
  readonly cast: Cast;
  readonly scenarios: readonly Scenario[];
  readonly log: Log;
}

/** The job that plays scenarios. */
export const playJob = 'sandbox.play';
const runsRead = 100;
const atOnce = 4;
const betweenLooksMs = 50;
/** Soon at first, because orders move on within a second; then rarely, so that waiting runs leave the database alone. */
const soon = { seconds: 0.1, tries: 10 };
const laterSeconds = 0.5;
/** More than a minute. Time during which the service is down does not count. */
const mostTries = 130;

export class Player {
  constructor(readonly options: PlayerOptions) {}

  get job(): Job {
    return { name: playJob, everySeconds: 5, run: (signal) => this.#run(signal) };
  }

  /** Returns how many runs were looked at, so that the worker comes back at once while stories are under way. */
  async #run(signal: AbortSignal): Promise<number> {
    const { database } = this.options;
    const due = await store.listDueRuns(database, runsRead);
    await inTurns(due, atOnce, (run) => this.#playAll(run, signal));
    if (due.length > 0) return due.length;
    if (!(await store.hasRunning(database))) return 0;
    await pause(betweenLooksMs, undefined, { signal }).catch(() => {});
    return 1;
  }

  /** Plays steps until one has to wait. */
  async #playAll(ref: store.RunRef, signal: AbortSignal): Promise<void> {
    let isGoingOn = true;
    while (isGoingOn && !signal.aborted) isGoingOn = await this.#playNext(ref);
  }

  async #playNext(ref: store.RunRef): Promise<boolean> {
    const { database, log } = this.options;
    const run = await store.findRun(database, ref);
    const scenario = this.options.scenarios.find(({ name }) => name === run?.scenario);
    const step = scenario?.steps[run?.step ?? 0];
    if (run?.state !== 'RUNNING') return false;
    if (!scenario || !step) return this.#fail(run, 'This version does not know the scenario.');
    try {
      const prepared = await step.prepare?.(database, this.#stageOf(run));
      return await database.transaction((tx) =>
        this.#play(tx, run, scenario, (stage) => step.play(tx, stage, prepared)),
      );
    } catch (error) {
      if (error instanceof RemesaError && error.kind === 'unavailable') throw error;
      if (isConflict(error) && isPatient(run)) return this.#wait(run);
      log.warn({ runId: run.runId, step: run.step, err: error }, 'a scenario failed');
      return this.#fail(run, failureOf(step, error));
    }
  }

  /** Returns whether the next step may follow at once. */
  async #play(
    tx: Transaction,
    { merchantId, runId, step: number }: Run,
    { steps, isExclusive }: Scenario,
    play: (stage: Stage) => ReturnType<Step['play']>,
  ): Promise<boolean> {
    const run = await store.lockRun(tx, { merchantId, runId });
    if (run?.step !== number) return false;
    const mustWait = number === 0 && (await store.hasToWait(tx, run, isExclusive === true));
    const facts = mustWait ? 'not_yet' : await play(this.#stageOf(run));
    if (facts === 'not_yet') {
      if (!mustWait && !isPatient(run)) throw new Stuck();
      await store.tryLater(tx, run, mustWait ? untilItsTurn : nextTry(run));
      return false;
    }
    const isLast = number + 1 === steps.length;
    await store.saveDone(tx, run, { ...run.facts, ...facts }, isLast ? 'FINISHED' : 'RUNNING');
    return !isLast;
  }

  #stageOf({ merchantId, facts }: Run): Stage {
    const by: By = { actor: { kind: 'merchant', merchantId, scopes: new Set(scopes) } };
    return { cast: this.options.cast, by, merchantId, facts };
  }

  async #wait(run: Run): Promise<false> {
    await this.options.database.transaction((tx) => store.tryLater(tx, run, nextTry(run)));
    return false;
  }

  async #fail(run: Run, failure: string): Promise<false> {
    await this.options.database.transaction((tx) => store.saveFailed(tx, run, failure));
    return false;
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

function failureOf({ says }: Step, error: unknown): string {
  if (error instanceof Stuck) return `${says}: this did not happen in time.`;
  if (error instanceof RemesaError) return `${says}: ${error.message}`;
  return `${says}: an unexpected error. The log of the service has more.`;
}
