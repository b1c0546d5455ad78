/**
 * Delivers from this process: takes endpoints where something is due and that nobody alive serves, and runs a lane for
 * each. Any number of processes may do so at once.
 */
import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import type { EndpointRef } from '../endpoint.js';
import { deliverJobName } from '../registration.js';
import { openSecret } from '../signing/secrets.js';
import type { MerchantSigningKeys } from '../signing/signing-keys.js';
import type { AttemptClient } from './attempt.js';
import {
  beatHeart,
  type ClaimedEndpoint,
  claimDueEndpoints,
  claimEndpoints,
  letGoOfUnserved,
  oldestDueSeconds,
  sayFarewell,
} from './claim-store.js';
import { EndpointClients } from './clients.js';
import { Lane, type LaneParts } from './lane.js';
import { Permits } from './permits.js';
import { LaneRecorder } from './recorder.js';
import { sharedSlots } from './slots.js';

export interface DelivererOptions {
  readonly database: Database;
  readonly log: Log;
  readonly signingKeys: MerchantSigningKeys;
  /** Opens the merchants' secrets. */
  readonly sealingKey: Buffer;
  readonly makeClient: (url: string) => AttemptClient;
  /** Where they are to be others than the usual. */
  readonly bounds?: Partial<DelivererBounds>;
}

export interface DelivererBounds {
  readonly attemptsAtOnce: number;
  /** Those that wait for an answer that takes long are not counted, … */
  readonly endpointsAtOnce: number;
  /** … but here they are. */
  readonly endpointsAtMost: number;
}

const usualBounds: DelivererBounds = { attemptsAtOnce: 512, endpointsAtOnce: 512, endpointsAtMost: 2048 };
const beatEveryMs = 3_000;
const aliveSeconds = 15;
const stopWithinMs = 5_000;
const secondTryMs = 50;

export class Deliverer {
  readonly #workerId = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  /** Also those whose endpoint another lane has taken over, until they are done. */
  readonly #running = new Map<Lane, Promise<void>>();
  readonly #wanted = new Map<string, EndpointRef>();
  readonly #wantedLater = new Set<string>();
  readonly #clients: EndpointClients;
  readonly #parts: LaneParts;
  readonly #permits: Permits;
  readonly #bounds: DelivererBounds;
  #isClaiming = false;
  #claimsUnderWay = 0;
  /** A claim got no answer; it may have been granted all the same. */
  #hasLostClaims = false;
  #isStopping = false;
  #heart: Promise<NodeJS.Timeout> | undefined;

  constructor(readonly options: DelivererOptions) {
    const { database, log, signingKeys, sealingKey, makeClient } = options;
    this.#bounds = { ...usualBounds, ...options.bounds };
    this.#clients = new EndpointClients(makeClient);
    const sending = { holders: () => this.#running.keys(), isClaiming: () => this.#claimsUnderWay > 0 };
    this.#permits = new Permits(database, this.#workerId, sending, log);
    this.#parts = {
      database,
      log,
      workerId: this.#workerId,
      recorder: new LaneRecorder(database, this.#workerId),
      slots: sharedSlots(this.#bounds.attemptsAtOnce),
      clients: this.#clients,
      signersOf: ({ merchantId }, secrets) => ({
        privateKey: signingKeys.privateKeyOf(merchantId),
        secrets: secrets.map((secret) => openSecret(sealingKey, merchantId, secret)),
      }),
    };
  }

  /** Looks for what has fallen due, and for what a process left that died. */
  job(): Job {
    return {
      name: deliverJobName,
      everySeconds: 1,
      oldestDueSeconds: () => oldestDueSeconds(this.options.database),
      run: async () => {
        const free = this.#freeLanes();
        if (free === 0 || this.#isStopping) return 0;
        await this.#beBorn();
        return this.#claim(claimDueEndpoints(this.options.database, this.#workerId, free));
      },
    };
  }

  /** Something was put on its way there, by this process, just now. */
  offer(endpoints: readonly EndpointRef[]): void {
    for (const endpoint of endpoints) {
      const lane = this.#lanes.get(keyOf(endpoint));
      if (lane) lane.poke();
      else this.#wanted.set(keyOf(endpoint), endpoint);
    }
    this.#claimWanted().catch((error) =>
      this.options.log.warn({ err: error }, 'endpoints could not be claimed'),
    );
  }

  /** Something was put on its way somewhere, by another process: perhaps to an endpoint that is served here. */
  lookAgain(): void {
    for (const lane of this.#lanes.values()) lane.poke();
  }

  /** A url was replaced or deleted. If it is served here, no attempt to it starts from now on. */
  confirmWithdrawals(): void {
    this.#permits
      .confirm()
      .catch((error) => this.options.log.warn({ err: error }, 'a withdrawn url could not be confirmed'));
  }

  /** No new attempts; those under way may end; then everything is free for others. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const lane of this.#running.keys()) lane.stop();
    const timer = setTimeout(() => {
      for (const lane of this.#running.keys()) lane.abandon();
    }, stopWithinMs);
    await Promise.all(this.#running.values());
    clearTimeout(timer);
    this.#permits.stop();
    clearInterval(await this.#heart?.catch(() => undefined));
    if (this.#heart) await sayFarewell(this.options.database, this.#workerId).catch(() => {});
    await this.#clients.closeAll();
  }

  #freeLanes(): number {
    const { endpointsAtOnce, endpointsAtMost } = this.#bounds;
    const all = [...this.#lanes.values()];
    const busy = all.filter((lane) => !lane.isStalled).length;
    return Math.max(0, Math.min(endpointsAtOnce - busy, endpointsAtMost - all.length));
  }

  async #claimWanted(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      while (this.#wanted.size > 0 && !this.#isStopping) {
        const wanted = [...this.#wanted.values()].slice(0, this.#freeLanes());
        this.#wanted.clear();
        if (wanted.length === 0) return;
        await this.#beBorn();
        await this.#claim(claimEndpoints(this.options.database, this.#workerId, wanted));
        this.#wantLater(wanted.filter((endpoint) => !this.#lanes.has(keyOf(endpoint))));
      }
    } finally {
      this.#isClaiming = false;
    }
  }

  async #claim(claiming: Promise<readonly ClaimedEndpoint[]>): Promise<number> {
    this.#claimsUnderWay += 1;
    try {
      const claims = await claiming;
      for (const claimed of claims) this.#serve(claimed);
      return claims.length;
    } catch (error) {
      this.#hasLostClaims = true;
      throw error;
    } finally {
      this.#claimsUnderWay -= 1;
    }
  }

  /**
   * Somebody else holds it, and either finds what is new there or was letting go at this very moment, without having seen
   * it. A second try a moment later tells which.
   */
  #wantLater(endpoints: readonly EndpointRef[]): void {
    const again = endpoints.filter((endpoint) => !this.#wantedLater.delete(keyOf(endpoint)));
    for (const endpoint of again) this.#wantedLater.add(keyOf(endpoint));
    if (again.length > 0) setTimeout(() => this.offer(again), secondTryMs).unref();
  }

  #serve(claimed: ClaimedEndpoint): void {
    if (this.#isStopping) return;
    const key = keyOf(claimed.claim);
    const lane = new Lane(claimed, this.#parts);
    this.#lanes.set(key, lane);
    const running = lane.run().then((mayHaveMore) => {
      this.#running.delete(lane);
      // Its url may have been replaced, and another lane be serving the new one.
      if (this.#lanes.get(key) === lane) this.#lanes.delete(key);
      if (mayHaveMore && !this.#isStopping) this.offer([claimed.claim]);
    });
    this.#running.set(lane, running);
  }

  /** Before anything is claimed: what a worker holds whose heart does not beat is free for all. */
  async #beBorn(): Promise<void> {
    this.#heart ??= this.#firstBeat();
    await this.#heart;
    if (!this.#hasLostClaims || this.#isClaiming) return;
    await letGoOfUnserved(
      this.options.database,
      this.#workerId,
      [...this.#running.keys()].map((lane) => lane.held),
    );
    this.#hasLostClaims = false;
  }

  async #firstBeat(): Promise<NodeJS.Timeout> {
    const { database, log } = this.options;
    const beat = () => beatHeart(database, this.#workerId, aliveSeconds);
    try {
      await beat();
    } catch (error) {
      this.#heart = undefined;
      throw error;
    }
    this.#permits.start();
    return setInterval(() => {
      beat().catch((error) => log.warn({ err: error }, 'the heart of the deliveries missed a beat'));
    }, beatEveryMs);
  }
}

function keyOf({ merchantId, channel }: EndpointRef): string {
  return `${merchantId} ${channel}`;
}
