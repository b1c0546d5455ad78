/**
 * One turn of an endpoint: what one claim leased is sent, and the results are recorded. Attempts begin within a second
 * of the claim, at most four at a time; what did not begin is given back. No attempt runs inside a transaction.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { describeSpan, traced, traceparent } from '../../tracing/tracing.js';
import { IdleTimer } from '../../worker/idle-timer.js';
import { Semaphore } from '../../worker/semaphore.js';
import { afterAttempt, type EndpointRef, type Health, isServed, lanesNow } from '../endpoints/endpoint.js';
import type { Signers } from '../signing/signature.js';
import { type AttemptClient, type AttemptRequest, type AttemptResult, signedRequest } from './attempt.js';
import { type DueDelivery, endpointOutcomeOf, recordOf, settle } from './delivery.js';
import { type AttemptEnd, type Claim, giveBackLeased, isLeased, recordAttempts } from './delivery-store.js';

export const turnMs = 1_000;
/** An attempt starts at most this long after its url was read: to a replaced url, none starts later than that. */
const urlFreshMs = 1_000;
/** Results that end within this time are recorded together. */
const gatherMs = 15;

export interface TurnOptions {
  readonly database: Database;
  readonly log: Log;
  readonly endpoint: EndpointRef;
  readonly token: string;
  readonly claim: Claim;
  /** Before the claim was made, by the clock of `performance`. */
  readonly askedAtMs: number;
  readonly client: AttemptClient;
  readonly signers: Signers;
}

export class Turn {
  readonly #options: TurnOptions;
  readonly #claimedAtMs = performance.now();
  readonly #slots: Semaphore;
  readonly #idle = new IdleTimer();
  #ended: AttemptEnd[] = [];
  #urlReadAtMs: number;
  /** After the attempts of this turn so far. What is recorded is computed from the health in the database. */
  #health: Health;
  /** No attempt begins any more. */
  #isClosed = false;
  /** No attempt is waited for any more. */
  #isOver = false;

  constructor(options: TurnOptions) {
    this.#options = options;
    this.#health = options.claim.health;
    this.#slots = new Semaphore(lanesNow(this.#health));
    this.#urlReadAtMs = options.askedAtMs;
  }

  /** Returns how many attempts were recorded. Throws when they could not be: they are then made again. */
  async run(): Promise<number> {
    const { database, endpoint, claim, token } = this.#options;
    let recorded = 0;
    const sent = this.#sendAll().finally(() => this.abandon());
    sent.catch(() => {});
    try {
      while (!this.#isOver || this.#ended.length > 0) {
        await this.#idle.wait(turnMs);
        await Promise.race([sent, pause(gatherMs)]);
        recorded += await this.#record();
      }
      return recorded;
    } finally {
      this.stop();
      if (recorded < claim.deliveries.length) await giveBackLeased(database, endpoint, token);
    }
  }

  /** Begins no more attempts. */
  stop(): void {
    this.#isClosed = true;
  }

  /** Attempts in flight are no longer waited for: they are given back, and their results do not count. */
  abandon(): void {
    this.#isClosed = true;
    this.#isOver = true;
    this.#idle.wake();
  }

  /** First attempts about one subject follow each other. Everything else is sent as soon as there is a slot. */
  async #sendAll(): Promise<void> {
    const firstAttempts = new Map<string, Promise<void>>();
    const attempts = this.#options.claim.deliveries.map((delivery) => {
      if (!delivery.isFirst) return this.#attempt(delivery);
      const before = firstAttempts.get(delivery.subject) ?? Promise.resolve();
      const attempt = before.then(() => this.#attempt(delivery));
      firstAttempts.set(delivery.subject, attempt);
      return attempt;
    });
    await Promise.all(attempts);
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { client, claim, signers } = this.#options;
    const release = await this.#slots.acquire();
    const startedAt = this.#now();
    const request = signedRequest(delivery, signers, startedAt);
    const result = this.#mayBegin() ? await this.#post(client, delivery, request) : withheld;
    release();
    // An event must not be sent before an earlier one of its subject that was not.
    if (result.kind === 'withheld') return this.stop();
    const endedAt = this.#now();
    const endpointOutcome = endpointOutcomeOf(result);
    this.#health = afterAttempt(this.#health, endpointOutcome, endedAt);
    this.#ended.push({
      eventId: delivery.eventId,
      startedAt,
      endedAt,
      url: claim.url,
      record: recordOf(result),
      settlement: settle(delivery, result, endedAt, Math.random()),
      endpointOutcome,
    });
    this.#idle.wake();
  }

  #post(client: AttemptClient, { type, eventId, traceparent: causedBy }: DueDelivery, request: AttemptRequest) {
    const { claim, endpoint } = this.#options;
    const { merchantId } = endpoint;
    const attributes = { 'remesa.event.type': type, 'remesa.event.id': eventId, 'remesa.merchant': Number(merchantId) };
    return traced(
      () => ({ name: 'deliver', kind: 'producer', attributes, causedBy }),
      async (): Promise<AttemptResult> => {
        const result = await client.post(claim.sendsTraceparent ? withTraceparent(request) : request, this.#start);
        describeSpan(() => attributesOf(result));
        return result;
      },
    );
  }

  /** Not when the endpoint has become slow, or was paused or disabled: the next turn knows. */
  #mayBegin(): boolean {
    return (
      !this.#isClosed &&
      performance.now() < this.#options.askedAtMs + turnMs &&
      isServed(this.#health, this.#now()) &&
      lanesNow(this.#health) >= this.#slots.slots
    );
  }

  readonly #start = {
    mayStart: () => !this.#isClosed && this.#isUrlFresh(),
    /** Connecting may have taken seconds. A lease that still stands proves that the url is still registered. */
    onConnect: async () => {
      const { database, endpoint, token } = this.#options;
      if (this.#isUrlFresh()) return;
      const askedAtMs = performance.now();
      if (await isLeased(database, endpoint, token).catch(() => false)) this.#urlReadAtMs = askedAtMs;
    },
  };

  #isUrlFresh(): boolean {
    return performance.now() < this.#urlReadAtMs + urlFreshMs;
  }

  /** Returns how many there were. */
  async #record(): Promise<number> {
    const { database, log, endpoint, token } = this.#options;
    const ended = this.#ended;
    this.#ended = [];
    if (ended.length === 0) return 0;
    const health = await recordAttempts(database, endpoint, token, ended);
    const disabledBecause = health?.disabledBecause;
    if (disabledBecause) log.warn({ ...endpoint, disabledBecause }, 'an endpoint was disabled');
    return ended.length;
  }

  /** The clock of the database. */
  #now(): Date {
    return new Date(this.#options.claim.now.getTime() + performance.now() - this.#claimedAtMs);
  }
}

/** The span of this delivery, so that what the merchant does continues its trace. Unchanged when nothing is traced. */
function withTraceparent(request: AttemptRequest): AttemptRequest {
  const current = traceparent();
  return current === undefined ? request : { ...request, headers: { ...request.headers, traceparent: current } };
}

const withheld = { kind: 'withheld' } as const;

function attributesOf(result: AttemptResult) {
  if (result.kind === 'answered') return { 'http.response.status_code': result.status };
  return { 'error.type': result.kind === 'failed' ? result.reason : result.kind };
}
