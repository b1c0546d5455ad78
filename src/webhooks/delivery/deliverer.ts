/**
 * Delivers notifications from this process: claims endpoints with due deliveries that no living worker holds, and runs a
 * lane for each. Any number of processes may do so at once.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isLockTimeout } from '../../postgres/failure.js';
import type { Job } from '../../worker/worker.js';
import { type EndpointRef, endpointKey } from '../endpoints/endpoint.js';
import { deliverJobName } from '../registration.js';
import { openSecret } from '../signing/secrets.js';
import type { MerchantSigningKeys } from '../signing/signing-keys.js';
import type { AttemptClient } from './attempt.js';
import {
  type Claim,
  claimEndpoint,
  heartbeat,
  listClaims,
  type NewClaim,
  releaseEndpoint,
  unregisterWorker,
} from './claims/claim-store.js';
import { listQueuesAfter, oldestDueSeconds, type Queue } from './claims/pending-store.js';
import { claimKey, Permits } from './claims/permits.js';
import { EndpointClients } from './clients.js';
import { Lane, type LaneContext } from './lane.js';
import { sharedSlots } from './slots.js';

export interface DelivererOptions {
  readonly database: Database;
  readonly log: Log;
  readonly signingKeys: MerchantSigningKeys;
  /** Decrypts the secrets of the merchants. */
  readonly sealingKey: Buffer;
  readonly makeClient: (url: string) => AttemptClient;
  /** Replaces some of the usual bounds. */
  readonly bounds?: Partial<DelivererBounds>;
}

export interface DelivererBounds {
  readonly attemptsAtOnce: number;
  /** Without the endpoints that take long to answer. */
  readonly endpointsAtOnce: number;
  /** With them. */
  readonly endpointsAtMost: number;
}

const usualBounds: DelivererBounds = { attemptsAtOnce: 512, endpointsAtOnce: 512, endpointsAtMost: 2048 };
const heartbeatEveryMs = 3_000;
const aliveSeconds = 15;
const stopWithinMs = 5_000;
const claimAgainMs = 50;
/** Longer than the time limit of a statement. */
const lostClaimsAppearWithinMs = 5_000;

export class Deliverer {
  readonly #workerId = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  /** Includes lanes whose url was replaced and that are finishing while a new lane serves the endpoint. */
  readonly #running = new Map<Lane, Promise<void>>();
  /** Endpoints that were offered and are to be claimed. */
  readonly #offered = new Map<string, EndpointRef>();
  /** Endpoints that could not be claimed and are tried once more. */
  readonly #claimedAgain = new Set<string>();
  readonly #clients: EndpointClients;
  readonly #context: LaneContext;
  readonly #permits: Permits;
  readonly #bounds: DelivererBounds;
  #isClaimingOffered = false;
  /** Ends with the latest claim. Each claim waits for the one before it. */
  #latestClaim: Promise<unknown> = Promise.resolve();
  /** The answer to a claim is outstanding. */
  #isClaiming = false;
  /** When a claim last got no answer, and may have been granted, or was found that no lane serves. */
  #lostClaimAtMs: number | undefined;
  /** The search for due deliveries continues after this endpoint. */
  #nextPage: EndpointRef | undefined;
  #isStopping = false;
  /** Set once the worker is registered. */
  #heartbeat: Promise<NodeJS.Timeout> | undefined;

  constructor(readonly options: DelivererOptions) {
    const { database, log, signingKeys, sealingKey, makeClient } = options;
    this.#bounds = { ...usualBounds, ...options.bounds };
    this.#clients = new EndpointClients(makeClient);
    const sending = { holders: () => this.#running.keys(), isClaiming: () => this.#isClaiming };
    this.#permits = new Permits(database, this.#workerId, sending, log);
    this.#context = {
      database,
      log,
      workerId: this.#workerId,
      slots: sharedSlots(this.#bounds.attemptsAtOnce),
      clients: this.#clients,
      signersOf: ({ merchantId }, secrets) => ({
        privateKey: signingKeys.privateKeyOf(merchantId),
        secrets: secrets.map((secret) => openSecret(sealingKey, merchantId, secret)),
      }),
    };
  }

  /** Finds deliveries that have become due, and endpoints of workers that are no longer alive. */
  job(): Job {
    return {
      name: deliverJobName,
      everySeconds: 1,
      oldestDueSeconds: () => oldestDueSeconds(this.options.database),
      run: () => this.#alone(() => this.#claimDue()),
    };
  }

  /** This process has just queued deliveries to these endpoints. */
  offer(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) {
      const lane = this.#lanes.get(endpointKey(endpoint));
      if (lane) lane.expectMore();
      else this.#offered.set(endpointKey(endpoint), endpoint);
    }
    this.#claimOffered().catch((error) =>
      this.options.log.warn({ err: error }, 'endpoints could not be claimed'),
    );
  }

  /** Another process has queued deliveries, perhaps to an endpoint that is served here. */
  wakeLanes(): void {
    for (const lane of this.#lanes.values()) lane.expectMore();
  }

  /** A url was replaced or deleted. If it is served here, no more attempts to it start. */
  confirmWithdrawals(): void {
    this.#permits
      .confirm()
      .catch((error) => this.options.log.warn({ err: error }, 'a withdrawn url could not be confirmed'));
  }

  /** Starts no more attempts, lets those in flight end, and frees the endpoints for other workers. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const lane of this.#running.keys()) lane.stop();
    const timer = setTimeout(() => {
      for (const lane of this.#running.keys()) lane.abandon();
    }, stopWithinMs);
    await Promise.all(this.#running.values());
    clearTimeout(timer);
    this.#permits.stop();
    clearInterval(await this.#heartbeat?.catch(() => undefined));
    if (this.#heartbeat) await unregisterWorker(this.options.database, this.#workerId).catch(() => {});
    await this.#clients.closeAll();
  }

  #freeLanes(): number {
    const { endpointsAtOnce, endpointsAtMost } = this.#bounds;
    const all = [...this.#lanes.values()];
    const busy = all.filter((lane) => !lane.isStalled).length;
    return Math.max(0, Math.min(endpointsAtOnce - busy, endpointsAtMost - all.length));
  }

  async #claimOffered(): Promise<void> {
    if (this.#isClaimingOffered) return;
    this.#isClaimingOffered = true;
    try {
      while (this.#offered.size > 0 && !this.#isStopping) {
        const offered = [...this.#offered.values()].slice(0, this.#freeLanes());
        this.#offered.clear();
        if (offered.length === 0) return;
        await this.#alone(() => this.#claim(offered));
        this.#offerAgain(offered.filter((endpoint) => !this.#lanes.has(endpointKey(endpoint))));
      }
    } finally {
      this.#isClaimingOffered = false;
    }
  }

  /** No other claim may run meanwhile: releasing lost claims would release what it is granted. */
  #alone(work: () => Promise<number>): Promise<number> {
    const done = this.#latestClaim.then(async () => {
      if (this.#isStopping) return 0;
      await this.#register();
      await this.#releaseLostClaims();
      return work();
    });
    this.#latestClaim = done.catch(() => {});
    return done;
  }

  /** Claims free endpoints with due deliveries, page by page, and returns 0 when it saw all of them and claimed none. */
  async #claimDue(): Promise<number> {
    const isFromStart = this.#nextPage === undefined;
    let claimed = 0;
    while (this.#freeLanes() > 0 && !this.#isStopping) {
      const { queues, next } = await listQueuesAfter(this.options.database, this.#nextPage);
      this.#nextPage = next;
      if (queues.some((queue) => this.#isForgotten(queue))) this.#lostClaimAtMs = performance.now();
      claimed += await this.#claim(
        queues.filter(canBeClaimed).sort(longestDueFirst).slice(0, this.#freeLanes()),
      );
      if (!next) return isFromStart ? claimed : Math.max(1, claimed);
    }
    return claimed;
  }

  /** No lane serves what this worker holds: a failover has undone the release. The next claims are preceded by another one. */
  #isForgotten(queue: Queue): boolean {
    return queue.heldBy === this.#workerId && !this.#lanes.has(endpointKey(queue));
  }

  /** Starts a lane for each claim that is granted. Returns how many there were. */
  async #claim(endpoints: readonly EndpointRef[]): Promise<number> {
    this.#isClaiming = true;
    const answers = await Promise.allSettled(endpoints.map((endpoint) => this.#claimAndServe(endpoint)));
    this.#isClaiming = false;
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (!failed) return answers.filter((answer) => answer.status === 'fulfilled' && answer.value).length;
    this.#lostClaimAtMs = performance.now();
    throw failed.reason;
  }

  /** Returns false for an endpoint whose row stays locked: its url is being replaced or deleted. */
  async #claimAndServe({ merchantId, channel }: EndpointRef): Promise<boolean> {
    try {
      const newClaim = await claimEndpoint(this.options.database, this.#workerId, { merchantId, channel });
      if (newClaim) this.#serve(newClaim);
      return newClaim !== undefined;
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  /**
   * Another worker holds these endpoints. It either finds the new deliveries or was just releasing the endpoint without
   * having seen them. A second try a moment later covers the latter.
   */
  #offerAgain(endpoints: readonly EndpointRef[]): void {
    const again = endpoints.filter((endpoint) => !this.#claimedAgain.delete(endpointKey(endpoint)));
    for (const endpoint of again) this.#claimedAgain.add(endpointKey(endpoint));
    if (again.length > 0) setTimeout(() => this.offer(again), claimAgainMs).unref();
  }

  #serve(newClaim: NewClaim): void {
    if (this.#isStopping) return;
    const key = endpointKey(newClaim.claim);
    const lane = new Lane(newClaim, this.#context);
    this.#lanes.set(key, lane);
    const running = lane.run().then((mayHaveMore) => {
      this.#running.delete(lane);
      // If the url was replaced, another lane may serve the endpoint by now.
      if (this.#lanes.get(key) === lane) this.#lanes.delete(key);
      if (mayHaveMore && !this.#isStopping) this.offer([newClaim.claim]);
    });
    this.#running.set(lane, running);
  }

  /** Must precede every claim: endpoints of a worker without a heartbeat are free for all. */
  async #register(): Promise<void> {
    this.#heartbeat ??= this.#startHeartbeat();
    await this.#heartbeat;
  }

  /** Repeated for a while, because the server may still carry out what it received before the connection was lost. */
  async #releaseLostClaims(): Promise<void> {
    if (this.#lostClaimAtMs === undefined) return;
    const isLongAgo = performance.now() - this.#lostClaimAtMs > lostClaimsAppearWithinMs;
    const { database } = this.options;
    const served = new Set([...this.#running.keys()].map((lane) => claimKey(lane.claim)));
    const unserved = (await listClaims(database, this.#workerId)).filter(
      (claim) => !served.has(claimKey(claim)),
    );
    const release = (claim: Claim) => releaseEndpoint(database, this.#workerId, claim, { onlyIfIdle: false });
    await Promise.all(unserved.map(release));
    if (isLongAgo) this.#lostClaimAtMs = undefined;
  }

  async #startHeartbeat(): Promise<NodeJS.Timeout> {
    const { database, log } = this.options;
    const beat = () => heartbeat(database, this.#workerId, aliveSeconds);
    try {
      await beat();
    } catch (error) {
      this.#heartbeat = undefined;
      throw error;
    }
    this.#permits.start();
    return setInterval(() => {
      beat().catch((error) => log.warn({ err: error }, 'the heartbeat of the webhook worker failed'));
    }, heartbeatEveryMs);
  }
}

function canBeClaimed({ isServed, heldBy, dueSeconds }: Queue): boolean {
  return isServed && heldBy === undefined && dueSeconds >= 0;
}

function longestDueFirst(left: Queue, right: Queue): number {
  return right.dueSeconds - left.dueSeconds;
}
