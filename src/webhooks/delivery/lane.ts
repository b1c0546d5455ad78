/**
 * Serves one endpoint for as long as something is due there: loads, sends, records, and lets go when nothing is left. A
 * few attempts at a time, never inside a transaction.
 */
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { IdleTimer } from '../../worker/idle-timer.js';
import { afterAttempt, type Health, isServed, lanesNow, unharmed } from '../endpoint.js';
import { notificationBody } from '../event.js';
import { type Signers, signatureHeaders } from '../signing/signature.js';
import type { AttemptClient, AttemptResult } from './attempt.js';
import { type Claim, type ClaimedEndpoint, findHeldEndpoint, type HeldEndpoint } from './claim-store.js';
import type { EndpointClients } from './clients.js';
import { type DueDelivery, endpointOutcomeOf, recordOf, settle } from './delivery.js';
import { listDueDeliveries, releaseHeldBack } from './delivery-store.js';
import { LaneQueue } from './lane-queue.js';
import type { Loaded } from './loaded.js';
import { type PermitHolder, permitMs } from './permits.js';
import type { LaneRecorder } from './recorder.js';
import type { SharedSlots } from './slots.js';
import { UnderWay } from './under-way.js';

export interface LaneParts {
  readonly database: Database;
  readonly workerId: string;
  readonly recorder: LaneRecorder;
  readonly slots: SharedSlots;
  readonly clients: EndpointClients;
  readonly signersOf: (held: Claim, secrets: HeldEndpoint['secrets']) => Signers;
  readonly log: Log;
}

/** What was loaded is worked on so long, then asked for anew: a new secret is never far away. */
const freshMs = 1_000;
/** A process whose heartbeat is late, or whose database is slow, may send again after a renewal or a load. */
const withoutPermitMs = 100;
const firstLoad = 20;
const largestLoad = 500;
const letGoAgainMs = 1_000;

export class Lane implements PermitHolder {
  readonly held: Claim;
  /** What is known of the endpoint without asking; used once. */
  #justClaimed: ClaimedEndpoint | undefined;
  /** No attempt starts from then on, by the clock of `performance`, unless the database confirms the claim again. */
  #permittedUntilMs = Number.NEGATIVE_INFINITY;
  readonly #queue = new LaneQueue();
  readonly #idle = new IdleTimer();
  /** Each attempt from its beginning until it is on record. */
  readonly #recording = new Set<Promise<void>>();
  #health: Health = unharmed;
  #loaded: Loaded | undefined;
  #client: AttemptClient | undefined;
  #mayHaveMore = true;
  readonly #underWay: UnderWay;
  #done = 0;
  #end: 'not yet' | 'idle' | 'lost' | 'failed' | 'stopping' | 'abandoned' = 'not yet';
  /** The database's clock, as seen from here. */
  #aheadMs = 0;

  constructor(
    claimed: ClaimedEndpoint,
    readonly parts: LaneParts,
  ) {
    this.held = claimed.claim;
    this.#justClaimed = claimed;
    this.#underWay = new UnderWay(parts.slots, () => this.#idle.wake());
  }

  /** Answers whether there may be more to do here, for another lane to see to. */
  async run(): Promise<boolean> {
    const { merchantId, channel } = this.held;
    try {
      while (await this.#step());
    } catch (error) {
      this.parts.log.warn({ merchantId, channel, err: error }, 'delivering was interrupted');
    }
    this.#queue.clear();
    while (this.#underWay.count > 0 && this.#end !== 'abandoned') await this.#idle.wait(freshMs);
    if (this.#end !== 'abandoned') await Promise.allSettled(this.#recording);
    if (this.#loaded) this.parts.clients.give(this.held, this.#loaded.url);
    const { disabledBecause } = this.#health;
    if (disabledBecause !== undefined && this.#end !== 'lost') {
      this.parts.log.warn({ merchantId, channel, disabledBecause }, 'an endpoint was disabled');
    }
    await this.#letGoForSure();
    return this.#mayHaveMore;
  }

  /** Something new may be due here. */
  poke(): void {
    this.#mayHaveMore = true;
    this.#idle.wake();
  }

  permit(askedAtMs: number): void {
    this.#permittedUntilMs = Math.max(this.#permittedUntilMs, askedAtMs + permitMs);
  }

  lose(): void {
    this.#endAs('lost');
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#endAs('stopping');
  }

  /** What is still under way is not waited for, and whatever comes of it is not recorded. */
  abandon(): void {
    this.#end = 'abandoned';
    this.#idle.wake();
  }

  /** False when there is nothing left to do. */
  async #step(): Promise<boolean> {
    if (this.#isOver()) return false;
    if (!this.#isBusy() && this.#mustLoad() && !(await this.#load())) return false;
    if (!this.#isPermitted()) {
      await this.#idle.wait(withoutPermitMs);
      return true;
    }
    this.#startSome();
    if (this.#recording.size > 0) {
      await this.#idle.wait(freshMs);
      return true;
    }
    if (this.#mayHaveMore || !this.#queue.isEmpty) return true;
    const isLetGo = await this.parts.recorder.letGoIfIdle(this.held);
    if (isLetGo) this.#endAs('idle');
    else this.#mayHaveMore = true;
    return !isLetGo;
  }

  /** The first reason counts; that nothing is waited for any more counts more than any other. */
  #endAs(end: 'idle' | 'lost' | 'failed' | 'stopping'): void {
    if (this.#end === 'not yet') this.#end = end;
    this.#idle.wake();
  }

  #isOver(): boolean {
    return this.#end !== 'not yet' || (this.#loaded !== undefined && !isServed(this.#health, this.#now()));
  }

  /** Waits for answers that take long, and for nothing else. */
  get isStalled(): boolean {
    return this.#underWay.isStalled;
  }

  /** An endpoint that takes long to answer is sent no further attempt until it has. */
  #lanesNow(): number {
    return this.isStalled ? 1 : lanesNow(this.#health);
  }

  /** Until one of them ends, nothing of what the database could say matters. */
  #isBusy(): boolean {
    return this.#underWay.onTheWire >= this.#lanesNow();
  }

  #isPermitted(): boolean {
    return performance.now() < this.#permittedUntilMs;
  }

  #mustLoad(): boolean {
    if (!this.#loaded || !this.#isPermitted()) return true;
    if (this.#queue.isEmpty && (this.#mayHaveMore || this.#loaded.isFull)) return true;
    return performance.now() - this.#loaded.atMs > freshMs;
  }

  /** False when the endpoint is not ours any more. */
  async #load(): Promise<boolean> {
    const { database, workerId, clients, signersOf } = this.parts;
    const known = this.#loaded;
    // As much as a moment's work, and what the database still calls due although it was sent.
    const limit = Math.min(largestLoad, Math.max(firstLoad, 2 * this.#done)) + this.#queue.unrecorded;
    this.#done = 0;
    this.#mayHaveMore = false;
    this.#queue.beforeLoad();
    const justClaimed = this.#justClaimed;
    this.#justClaimed = undefined;
    const askedAtMs = justClaimed?.askedAtMs ?? performance.now();
    const [held, due] = await Promise.all([
      justClaimed?.held ?? findHeldEndpoint(database, workerId, this.held),
      listDueDeliveries(database.bulk, this.held, limit),
    ]);
    if (!held) {
      this.#endAs('lost');
      return false;
    }
    if (!known) {
      this.#health = held.health;
      this.#client = clients.take(this.held, held.url);
    }
    if (held.isLeased) this.permit(askedAtMs);
    this.#aheadMs = held.now.getTime() - performance.now();
    this.#loaded = {
      url: held.url,
      signers: signersOf(this.held, held.secrets),
      atMs: performance.now(),
      hasHeldBack: held.hasHeldBack,
      isFull: due.length >= limit,
    };
    this.#queue.load(due);
    return true;
  }

  #startSome(): void {
    while (this.#underWay.count < this.#lanesNow()) {
      const due = this.#queue.next();
      if (!due) return;
      const recording = this.#attempt(due)
        .catch((error) => {
          this.#endAs('failed');
          throw error;
        })
        .finally(() => {
          this.#recording.delete(recording);
          this.#idle.wake();
        });
      this.#recording.add(recording);
      recording.catch(() => {});
    }
  }

  async #attempt(due: DueDelivery): Promise<void> {
    const isSlow = lanesNow(this.#health) === 1;
    const { loaded, startedAt, result } = await this.#underWay.run(isSlow, () => this.#send(due));
    if (result.kind === 'withheld') {
      this.#queue.putBack(due);
      this.#mayHaveMore = true;
      return;
    }
    this.#queue.ended(due);
    if (this.#end === 'abandoned') return;
    this.#done += 1;
    const now = this.#now();
    this.#health = afterAttempt(this.#health, endpointOutcomeOf(result), now);
    const outcome = {
      held: this.held,
      eventId: due.eventId,
      attemptNo: due.lastAttemptNo + 1,
      startedAt,
      url: loaded.url,
      record: recordOf(result),
      settlement: settle(due, result, now, Math.random()),
    };
    if (!(await this.parts.recorder.record(outcome, this.#health))) this.#endAs('lost');
    this.#queue.recorded(due);
    if (outcome.settlement.state === 'pending' && outcome.settlement.delaySeconds === 0) this.poke();
    await this.#releaseOvertaken(due, loaded);
  }

  async #send(due: DueDelivery): Promise<{ loaded: Loaded; startedAt: Date; result: AttemptResult }> {
    const loaded = this.#loaded as Loaded;
    const startedAt = this.#now();
    const result: AttemptResult = this.#mayStart() ? await this.#post(due, loaded) : { kind: 'withheld' };
    return { loaded, startedAt, result };
  }

  #post(due: DueDelivery, { url, signers }: Loaded): Promise<AttemptResult> {
    const body = Buffer.from(notificationBody(due));
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Remesa-Webhooks/1',
      ...signatureHeaders(signers, due.eventId, this.#now(), body),
    };
    return (this.#client as AttemptClient).post({ url, headers, body, mayStart: () => this.#mayStart() });
  }

  /** Asked when an attempt gets its slot, and again when its connection is ready, which may be seconds later. */
  #mayStart(): boolean {
    return this.#isPermitted() && !this.#isOver();
  }

  /** In the sandbox only: what was held back to be overtaken has been. */
  async #releaseOvertaken(due: DueDelivery, { hasHeldBack }: Loaded): Promise<void> {
    if (!hasHeldBack || due.sequence === undefined) return;
    await releaseHeldBack(this.parts.database, this.held, due.sequence);
    this.poke();
  }

  /** Nobody else may serve it before; a database that is away for a moment must not make that a quarter of a minute. */
  async #letGoForSure(): Promise<void> {
    while (this.#end !== 'idle' && this.#end !== 'lost') {
      try {
        return await this.parts.recorder.letGo(this.held);
      } catch (error) {
        if (this.#end === 'stopping' || this.#end === 'abandoned') return;
        this.parts.log.warn({ err: error }, 'an endpoint could not be let go');
        await new Promise((resolve) => setTimeout(resolve, letGoAgainMs));
      }
    }
  }

  #now(): Date {
    return new Date(performance.now() + this.#aheadMs);
  }
}
