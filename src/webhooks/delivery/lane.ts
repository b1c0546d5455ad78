/**
 * Serves one endpoint under one claim: loads what is due, sends it, records the results, and releases the claim when
 * nothing is left. No attempt runs inside a transaction. `docs/webhook-delivery.md` shows the whole path.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { IdleTimer } from '../../worker/idle-timer.js';
import { afterAttempt, type Health, healthy, isServed, lanesNow } from '../endpoints/endpoint.js';
import type { Signers } from '../signing/signature.js';
import { type AttemptClient, type AttemptResult, signedRequest } from './attempt.js';
import {
  type Claim,
  type EndpointSnapshot,
  findClaimedEndpoint,
  type NewClaim,
  releaseEndpoint,
} from './claims/claim-store.js';
import { Permit, type PermitHolder } from './claims/permits.js';
import type { EndpointClients } from './clients.js';
import { type DueDelivery, endpointOutcomeOf, recordOf, settle } from './delivery.js';
import { listDueDeliveries, releaseHeldBack } from './delivery-store.js';
import { LaneQueue } from './lane-queue.js';
import { type LaneEvent, type LaneState, lanePolicies, nextLaneState } from './lane-state.js';
import { LaneRecorder } from './recorder.js';
import { AttemptsInFlight, type SharedSlots } from './slots.js';

/** What all lanes of a process share. */
export interface LaneContext {
  readonly database: Database;
  readonly workerId: string;
  readonly slots: SharedSlots;
  readonly clients: EndpointClients;
  readonly signersOf: (claim: Claim, secrets: EndpointSnapshot['secrets']) => Signers;
  readonly log: Log;
}

/** What the lane knows of its endpoint since the last load. */
interface LoadedEndpoint {
  readonly url: string;
  readonly client: AttemptClient;
  readonly signers: Signers;
  readonly loadedAtMs: number;
  readonly hasHeldBack: boolean;
}

/** The endpoint is loaded again after this time, so that a new secret takes effect soon. */
const freshMs = 1_000;
/** How long a lane without a permit waits before it asks again. */
const withoutPermitMs = 100;
const releaseAgainMs = 1_000;

export class Lane implements PermitHolder {
  readonly claim: Claim;
  /** No attempt starts without it. */
  readonly permit = new Permit();
  #state: LaneState = 'serving';
  /** What the claim returned about the endpoint; saves the first load a query. */
  #newClaim: NewClaim | undefined;
  #endpoint: LoadedEndpoint | undefined;
  #health: Health = healthy;
  /** The database's clock minus that of `performance`. */
  #clockOffsetMs = 0;
  readonly #queue = new LaneQueue();
  readonly #recorder: LaneRecorder;
  readonly #inFlight: AttemptsInFlight;
  /** Each attempt from its start until its result is recorded. */
  readonly #unfinished = new Set<Promise<void>>();
  readonly #idle = new IdleTimer();
  /** Asked when an attempt gets its slot, and again when its connection is ready, which may be seconds later. */
  readonly #mayStart = () => this.permit.isValid && this.#policy.startsAttempts;

  constructor(
    newClaim: NewClaim,
    readonly context: LaneContext,
  ) {
    this.claim = newClaim.claim;
    this.#newClaim = newClaim;
    this.#recorder = new LaneRecorder(context.database, context.workerId, this.claim);
    this.#inFlight = new AttemptsInFlight(context.slots, () => this.#idle.wake());
  }

  /** Returns whether there may be more to send, which needs a new claim and a new lane. */
  async run(): Promise<boolean> {
    await this.#serve();
    await this.#finishAttempts();
    if (this.#endpoint) this.context.clients.release(this.claim, this.#endpoint.url);
    this.#logDisabled();
    await this.#release();
    return this.#queue.mayHaveMore;
  }

  /** Something new may be due here. */
  expectMore(): void {
    this.#queue.expectMore();
    this.#idle.wake();
  }

  lose(): void {
    this.#apply('lose');
  }

  /** Starts no more attempts. */
  stop(): void {
    this.#apply('stop');
  }

  /** Attempts in flight are no longer waited for, and their results are not recorded. */
  abandon(): void {
    this.#apply('abandon');
  }

  /** The endpoint takes long to answer. */
  get isStalled(): boolean {
    return this.#inFlight.isStalled;
  }

  #apply(event: LaneEvent): void {
    this.#state = nextLaneState(this.#state, event);
    this.#idle.wake();
  }

  get #policy() {
    return lanePolicies[this.#state];
  }

  async #serve(): Promise<void> {
    const { merchantId, channel } = this.claim;
    try {
      while (this.#policy.startsAttempts) await this.#step();
    } catch (error) {
      this.context.log.warn({ merchantId, channel, err: error }, 'delivering was interrupted');
      this.#apply('interrupt');
    }
    this.#queue.clear();
  }

  async #step(): Promise<void> {
    if (!this.#isBusy() && this.#mustLoad()) await this.#load();
    if (!this.#policy.startsAttempts) return;
    if (!this.permit.isValid) return this.#idle.wait(withoutPermitMs);
    this.#startAttempts();
    if (this.#unfinished.size > 0) return this.#idle.wait(freshMs);
    if (this.#queue.isEmpty && !this.#queue.mayHaveMore) await this.#releaseIfIdle();
  }

  /** As many attempts wait for the endpoint as it may have: nothing can start, so nothing needs to be loaded. */
  #isBusy(): boolean {
    return this.#inFlight.awaitingAnswer >= this.#attemptsAllowed();
  }

  /** An endpoint that takes long to answer gets no second attempt until it has answered. */
  #attemptsAllowed(): number {
    return this.isStalled ? 1 : lanesNow(this.#health);
  }

  #mustLoad(): boolean {
    if (!this.#endpoint || !this.permit.isValid || this.#queue.needsLoad) return true;
    return performance.now() - this.#endpoint.loadedAtMs > freshMs;
  }

  async #load(): Promise<void> {
    const { database, workerId } = this.context;
    const limit = this.#queue.beginLoad();
    const newClaim = this.#newClaim;
    this.#newClaim = undefined;
    const askedAtMs = newClaim?.askedAtMs ?? performance.now();
    const [snapshot, due] = await Promise.all([
      newClaim?.endpoint ?? findClaimedEndpoint(database, workerId, this.claim),
      listDueDeliveries(database.bulk, this.claim, limit),
    ]);
    if (!snapshot) return this.lose();
    this.#useSnapshot(snapshot, askedAtMs);
    this.#queue.load(due);
  }

  #useSnapshot({ url, health, now, hasHeldBack, isLeased, secrets }: EndpointSnapshot, askedAtMs: number) {
    const { clients, signersOf } = this.context;
    const loadedAtMs = performance.now();
    this.#clockOffsetMs = now.getTime() - loadedAtMs;
    // Afterwards the lane itself is the only one to change the health, and knows it better than the database.
    if (!this.#endpoint) this.#useHealth(health);
    const client = this.#endpoint?.client ?? clients.take(this.claim, url);
    this.#endpoint = { url, client, signers: signersOf(this.claim, secrets), loadedAtMs, hasHeldBack };
    if (isLeased) this.permit.renew(askedAtMs);
  }

  #useHealth(health: Health): void {
    this.#health = health;
    if (!isServed(health, this.#databaseNow())) this.#apply('interrupt');
  }

  #startAttempts(): void {
    while (this.#inFlight.count < this.#attemptsAllowed()) {
      const due = this.#queue.next();
      if (!due) return;
      const unfinished = this.#attempt(due)
        .catch((error) => {
          this.#apply('interrupt');
          throw error;
        })
        .finally(() => {
          this.#unfinished.delete(unfinished);
          this.#idle.wake();
        });
      this.#unfinished.add(unfinished);
      unfinished.catch(() => {});
    }
  }

  async #attempt(due: DueDelivery): Promise<void> {
    const isSlow = lanesNow(this.#health) === 1;
    const { endpoint, startedAt, result } = await this.#inFlight.run(isSlow, () => this.#send(due));
    if (result.kind === 'withheld') return this.#queue.putBack(due);
    this.#queue.ended(due);
    if (!this.#policy.finishesAttempts) return;
    const now = this.#databaseNow();
    this.#useHealth(afterAttempt(this.#health, endpointOutcomeOf(result), now));
    const outcome = {
      eventId: due.eventId,
      attemptNo: due.lastAttemptNo + 1,
      startedAt,
      endedAt: now,
      url: endpoint.url,
      record: recordOf(result),
      settlement: settle(due, result, now, Math.random()),
    };
    if (!(await this.#recorder.record(outcome, this.#health))) this.lose();
    this.#queue.recorded(due);
    if (outcome.settlement.state === 'pending' && outcome.settlement.delaySeconds === 0) this.expectMore();
    if (endpoint.hasHeldBack) await this.#releaseOvertaken(due);
  }

  /** The endpoint is read when the attempt gets its slot: a newer secret may have been loaded since it was queued. */
  async #send(due: DueDelivery) {
    const endpoint = this.#endpoint as LoadedEndpoint;
    const startedAt = this.#databaseNow();
    const result: AttemptResult = this.#mayStart()
      ? await endpoint.client.post(signedRequest(due, endpoint, startedAt), this.#mayStart)
      : { kind: 'withheld' };
    return { endpoint, startedAt, result };
  }

  /** In the sandbox only: events that were held back to be overtaken are due now. */
  async #releaseOvertaken({ sequence }: DueDelivery): Promise<void> {
    if (sequence === undefined) return;
    await releaseHeldBack(this.context.database, this.claim, sequence);
    this.expectMore();
  }

  async #finishAttempts(): Promise<void> {
    while (this.#inFlight.count > 0 && this.#policy.finishesAttempts) await this.#idle.wait(freshMs);
    if (this.#policy.finishesAttempts) await Promise.allSettled(this.#unfinished);
  }

  #logDisabled(): void {
    const { merchantId, channel } = this.claim;
    const { disabledBecause } = this.#health;
    if (disabledBecause === undefined || this.#state === 'lost') return;
    this.context.log.warn({ merchantId, channel, disabledBecause }, 'an endpoint was disabled');
  }

  async #releaseIfIdle(): Promise<void> {
    const { database, workerId } = this.context;
    if (await releaseEndpoint(database, workerId, this.claim, { onlyIfIdle: true })) this.#apply('release');
    else this.#queue.expectMore();
  }

  /** No other worker can serve the endpoint before this, so a failed release is repeated while the process runs. */
  async #release(): Promise<void> {
    const { database, workerId } = this.context;
    while (this.#policy.releases !== 'never') {
      try {
        await releaseEndpoint(database, workerId, this.claim, { onlyIfIdle: false });
        return this.#apply('release');
      } catch (error) {
        if (this.#policy.releases === 'once') return;
        this.context.log.warn({ err: error }, 'an endpoint could not be released');
        await pause(releaseAgainMs);
      }
    }
  }

  #databaseNow(): Date {
    return new Date(performance.now() + this.#clockOffsetMs);
  }
}
