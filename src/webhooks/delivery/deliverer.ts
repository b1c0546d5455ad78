/**
 * Delivers notifications from this process: endpoints with due deliveries take turns. Any number of processes may do so
 * at once, because a claim in the database decides which of them sends. `docs/webhook-delivery.md` shows the whole
 * path.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { Semaphore } from '../../worker/semaphore.js';
import type { Job } from '../../worker/worker.js';
import { type EndpointRef, endpointKey } from '../endpoints/endpoint.js';
import { deliverJobName } from '../registration.js';
import { openSecret } from '../signing/secrets.js';
import type { Signers } from '../signing/signature.js';
import type { MerchantSigningKeys } from '../signing/signing-keys.js';
import type { AttemptClient } from './attempt.js';
import { EndpointClients } from './clients.js';
import { type Claim, claimDue, giveBackLeased } from './delivery-store.js';
import { listQueuesAfter, oldestDueSeconds, type Queue } from './pending-store.js';
import { Turn, turnMs } from './turn.js';

export interface DelivererOptions {
  readonly database: Database;
  readonly log: Log;
  readonly signingKeys: MerchantSigningKeys;
  /** Decrypts the secrets of the merchants. */
  readonly sealingKey: Buffer;
  readonly makeClient: (url: string) => AttemptClient;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld?: () => Promise<boolean>;
  /** Replaces some of the usual bounds. */
  readonly bounds?: Partial<DelivererBounds>;
}

export interface DelivererBounds {
  /** How many endpoints may begin attempts at once. */
  readonly turnsAtOnce: number;
  /** With those that only wait for answers. */
  readonly turnsAtMost: number;
}

const usualBounds: DelivererBounds = { turnsAtOnce: 256, turnsAtMost: 2048 };
/** A turn claims twice as many deliveries as the turn before it sent. */
const claimedAtFirst = 16;
const claimedAtMost = 500;
/** So that claims leave connections of the pool to others. */
const claimsAtOnce = 8;
const stopWithinMs = 5_000;

interface Waiting {
  readonly endpoint: EndpointRef;
  /** How many deliveries its turn claims. */
  readonly atMost: number;
}

export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #bounds: DelivererBounds;
  readonly #clients: EndpointClients;
  readonly #claims = new Semaphore(claimsAtOnce);
  readonly #waiting = new Map<string, Waiting>();
  /** Endpoints whose turn began less than a second ago. */
  readonly #beginning = new Set<string>();
  /** Turns that have claimed something. */
  readonly #turns = new Set<Turn>();
  /** Each turn from its claim to its end. */
  readonly #unfinished = new Set<Promise<void>>();
  /** The search for due deliveries continues after this endpoint. */
  #nextPage: EndpointRef | undefined;
  #isStopping = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#bounds = { ...usualBounds, ...options.bounds };
    this.#clients = new EndpointClients(options.makeClient);
  }

  /** Finds deliveries that have become due, and those of claims whose lease has ended. */
  job(): Job {
    const { database } = this.#options;
    return {
      name: deliverJobName,
      everySeconds: 1,
      oldestDueSeconds: () => oldestDueSeconds(database),
      run: () => this.#search(),
    };
  }

  /** Deliveries to these endpoints may be due. */
  offer(endpoints: readonly EndpointRef[], atMost = claimedAtFirst): void {
    for (const endpoint of endpoints) {
      const key = endpointKey(endpoint);
      const known = this.#waiting.get(key)?.atMost ?? 0;
      this.#waiting.set(key, { endpoint, atMost: Math.max(known, atMost) });
    }
    this.#beginTurns();
  }

  /** Begins no more attempts, waits a moment for those in flight, and gives back the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const turn of this.#turns) turn.stop();
    const timer = setTimeout(() => {
      for (const turn of this.#turns) turn.abandon();
    }, stopWithinMs);
    await Promise.all(this.#unfinished);
    clearTimeout(timer);
    await this.#clients.closeAll();
  }

  /** Page by page, until enough endpoints wait for a turn. */
  async #search(): Promise<number> {
    do {
      const { queues, next } = await listQueuesAfter(this.#options.database, this.#nextPage);
      this.#nextPage = next;
      this.offer(queues.filter(canBeClaimed).sort(longestDueFirst));
    } while (this.#nextPage && this.#waiting.size < this.#bounds.turnsAtMost && !this.#isStopping);
    return 0;
  }

  #beginTurns(): void {
    for (const [key, { endpoint, atMost }] of this.#waiting) {
      if (this.#isStopping || !this.#hasPlace()) return;
      if (this.#beginning.has(key)) continue;
      this.#waiting.delete(key);
      this.#begin(endpoint, atMost);
    }
  }

  #hasPlace(): boolean {
    const { turnsAtOnce, turnsAtMost } = this.#bounds;
    return this.#beginning.size < turnsAtOnce && this.#unfinished.size < turnsAtMost;
  }

  /** After a second the turn only waits for answers, and another endpoint has its place. */
  #begin(endpoint: EndpointRef, atMost: number): void {
    const key = endpointKey(endpoint);
    const leavePlace = () => {
      clearTimeout(timer);
      this.#beginning.delete(key);
      this.#beginTurns();
    };
    const timer = setTimeout(leavePlace, turnMs);
    this.#beginning.add(key);
    const turn = this.#takeTurn(endpoint, atMost)
      .catch((error) => {
        this.#options.log.warn({ ...endpoint, err: error }, 'delivering was interrupted');
        return 0;
      })
      .then((sent) => {
        this.#unfinished.delete(turn);
        if (sent > 0) this.offer([endpoint], Math.min(claimedAtMost, 2 * sent));
        leavePlace();
      });
    this.#unfinished.add(turn);
  }

  /** Returns how many attempts were recorded. */
  async #takeTurn(endpoint: EndpointRef, atMost: number): Promise<number> {
    const { database, log, isSendingHeld } = this.#options;
    if (await isSendingHeld?.()) return 0;
    const token = randomUUID();
    const release = await this.#claims.acquire();
    const askedAtMs = performance.now();
    const claim = await claimDue(database, endpoint, { token, atMost }).finally(release);
    if (!claim || claim.deliveries.length === 0) return 0;
    const signers = await this.#signersOf(endpoint, claim).catch(async (error) => {
      await giveBackLeased(database, endpoint, token);
      throw error;
    });
    const client = this.#clients.take(endpoint, claim.url);
    const turn = new Turn({ database, log, endpoint, token, claim, askedAtMs, client, signers });
    this.#turns.add(turn);
    if (this.#isStopping) turn.stop();
    return turn.run().finally(() => {
      this.#turns.delete(turn);
      this.#clients.release(endpoint, claim.url);
    });
  }

  /** Throws when a secret does not belong to the merchant. */
  async #signersOf({ merchantId }: EndpointRef, { secrets }: Claim): Promise<Signers> {
    const { signingKeys, sealingKey } = this.#options;
    return {
      privateKey: signingKeys.privateKeyOf(merchantId),
      secrets: secrets.map((secret) => openSecret(sealingKey, merchantId, secret)),
    };
  }
}

function canBeClaimed({ isServed, isLeased, dueSeconds }: Queue): boolean {
  return isServed && !isLeased && dueSeconds >= 0;
}

function longestDueFirst(left: Queue, right: Queue): number {
  return right.dueSeconds - left.dueSeconds;
}
