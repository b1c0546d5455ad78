/**
 * Moves the clock of one merchant forward, from one due time to the next. While it is moved it stands still, so that what
 * falls due is stamped with its own due time, and what follows from it happens before the next due time comes.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { RemesaError } from '../../errors.js';
import type { MerchantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { type Agenda, earliest } from '../../worker/agenda.js';
import * as store from './clock-store.js';

export interface ClockOptions {
  readonly database: Database;
  readonly agendas: readonly Agenda[];
  readonly log: Log;
  /** How long one call may move the clock, or wait for another call. */
  readonly longestCallMs: number;
}

export interface Moved {
  readonly target: Date;
  /** False when the time of the call was over first. Everything up to the time of the clock has happened. */
  readonly isFinished: boolean;
}

const betweenLooksMs = 20;
const betweenTriesMs = 50;
/** What another worker does takes milliseconds. What is still due after so long has failed, and must not stop the clock. */
const patienceMs = 3_000;

export class ClockService {
  readonly #options: ClockOptions;

  constructor(options: ClockOptions) {
    this.#options = options;
  }

  read(merchantId: MerchantId): Promise<store.MerchantClock> {
    return store.readMovableClock(this.#options.database, merchantId);
  }

  /** When something falls due next, by the merchant's clock. */
  async nextDue(merchantId: MerchantId, after: Date): Promise<Date | undefined> {
    const { agendas } = this.#options;
    return earliest(await Promise.all(agendas.map((agenda) => agenda.nextDue(merchantId, after))));
  }

  /** A target that is not in the future changes nothing. Throws `clock_is_moving` when another call takes too long. */
  async move(merchantId: MerchantId, targetAfter: (now: Date) => Date): Promise<Moved> {
    const { database, longestCallMs } = this.#options;
    const deadline = performance.now() + longestCallMs;
    const mover = { merchantId, name: randomBytes(12).toString('hex') };
    const start = await this.#take(mover, deadline);
    try {
      const target = targetAfter(start);
      return { target, isFinished: await this.#moveTo(mover, start, target, deadline) };
    } finally {
      await database.transaction((tx) => store.releaseMerchantClock(tx, mover));
    }
  }

  /** Lets clocks run again whose movers have died. Returns how many. */
  async releaseGivenUp(): Promise<number> {
    const { database } = this.#options;
    const movers = await store.listMoversGivenUp(database);
    for (const mover of movers) await database.transaction((tx) => store.releaseMerchantClock(tx, mover));
    return movers.length;
  }

  async #take(mover: store.Mover, deadline: number): Promise<Date> {
    for (;;) {
      const taken = await this.#options.database.transaction((tx) => store.takeMerchantClock(tx, mover));
      if (taken) return taken;
      if (performance.now() >= deadline) throw clockIsMoving();
      await pause(betweenTriesMs);
    }
  }

  async #moveTo(mover: store.Mover, start: Date, target: Date, deadline: number): Promise<boolean> {
    let isPatient = await this.#settle(mover, true);
    for (let now = start; now < target; ) {
      if (performance.now() >= deadline) return false;
      const due = await this.nextDue(mover.merchantId, now);
      now = due && due < target ? due : target;
      await this.#set(mover, now);
      isPatient = await this.#settle(mover, isPatient);
    }
    return true;
  }

  async #set(mover: store.Mover, to: Date): Promise<void> {
    const isOurs = await this.#options.database.transaction((tx) => store.setMerchantClock(tx, mover, to));
    if (!isOurs) throw clockIsMoving();
  }

  /**
   * Does everything that is due at the time at which the clock stands, also what follows from it. Returns false when
   * something stays due, because it failed: then nobody waits for it again.
   */
  async #settle({ merchantId }: store.Mover, isPatient: boolean): Promise<boolean> {
    const { agendas, log } = this.#options;
    const signal = AbortSignal.timeout(this.#options.longestCallMs);
    let until = performance.now() + patienceMs;
    for (;;) {
      let done = 0;
      for (const agenda of agendas) done += await agenda.runDue(merchantId, signal);
      if (done > 0) until = performance.now() + patienceMs;
      else if (!(await this.#hasDue(merchantId))) return true;
      else if (!isPatient) return false;
      else if (performance.now() >= until) {
        log.warn({ merchantId }, 'something that is due could not be done; the clock moves on');
        return false;
      } else await pause(betweenLooksMs);
    }
  }

  async #hasDue(merchantId: MerchantId): Promise<boolean> {
    const due = await Promise.all(this.#options.agendas.map((agenda) => agenda.hasDue(merchantId)));
    return due.includes(true);
  }
}

function clockIsMoving(): RemesaError {
  return new RemesaError('conflict', 'clock_is_moving', 'Another call is moving your clock.');
}
