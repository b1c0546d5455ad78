/**
 * When an attempt may start. A lane starts attempts only under a permit: the database confirmed that the worker holds the
 * endpoint, and the permit ends one second after the question was asked. A transaction that withdraws an endpoint can
 * therefore rely on this: one second after its commit no attempt starts, even if the holder is paused, cut off from the
 * database or dead.
 *
 * The wait is usually shorter. The transaction that withdraws an endpoint leaves a row for the holder, which is woken,
 * stops, and deletes the row. The permit is the guarantee; the row only makes it quick.
 *
 * Not covered: a process that is suspended between the check and the system call that sends, which no check can prevent,
 * and a database server that crashes and returns within a second without the claim, because claims do not wait for the
 * disk.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../../log.js';
import type { Database } from '../../../postgres/database.js';
import type { EndpointRef } from '../../endpoints/endpoint.js';
import type { Claim } from './claim-store.js';
import { confirmWithdrawn, isWithdrawing, listHeldClaims, listWithdrawnClaims } from './permit-store.js';

/** Wakes the process that holds an endpoint whose url was replaced or deleted. */
export const urlWithdrawn = 'webhooks.url-withdrawn';

const permitMs = 1_000;
const renewEveryMs = 250;
/** Longer than a permit, because two machines' clocks do not run equally fast. */
const withdrawnAfterMs = 1_050;
const firstLookMs = 4;
const longestLookMs = 50;

/** Times are by the clock of `performance`. */
export class Permit {
  #untilMs = Number.NEGATIVE_INFINITY;

  get isValid(): boolean {
    return performance.now() < this.#untilMs;
  }

  /** The database confirmed the claim after `askedAtMs`. */
  renew(askedAtMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, askedAtMs + permitMs);
  }
}

/** A lane, as far as permits are concerned. */
export interface PermitHolder {
  readonly claim: Claim;
  readonly permit: Permit;
  /** Starts no attempt from now on. */
  lose(): void;
}

export class Permits {
  #timer: NodeJS.Timeout | undefined;
  #isRenewing = false;

  constructor(
    readonly database: Database,
    readonly workerId: string,
    readonly sending: {
      readonly holders: () => Iterable<PermitHolder>;
      /** Whether the answer to a claim is outstanding: it may grant what was withdrawn in the meantime. */
      readonly isClaiming: () => boolean;
    },
    readonly log: Log,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => this.#renew(), renewEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Stops the lanes whose claims were withdrawn, and confirms it. Does nothing in a process that never sent. */
  async confirm(): Promise<void> {
    if (!this.#timer) return;
    const withdrawn = await listWithdrawnClaims(this.database, this.workerId);
    const keys = new Set(withdrawn.map(claimKey));
    const holders = [...this.sending.holders()].filter(({ claim }) => keys.has(claimKey(claim)));
    for (const holder of holders) holder.lose();
    // A claim without a lane has ended by itself, unless the answer that grants it is still on its way.
    const stopped = this.sending.isClaiming() ? holders.map(({ claim }) => claim) : withdrawn;
    await Promise.all(stopped.map((claim) => confirmWithdrawn(this.database, claim)));
  }

  #renew(): void {
    const holders = [...this.sending.holders()];
    if (this.#isRenewing || holders.length === 0) return;
    this.#isRenewing = true;
    const askedAtMs = performance.now();
    const claims = holders.map(({ claim }) => claim);
    listHeldClaims(this.database, this.workerId, claims, permitMs / 1000)
      .then((confirmed) => {
        const keys = new Set(confirmed.map(claimKey));
        for (const holder of holders) if (keys.has(claimKey(holder.claim))) holder.permit.renew(askedAtMs);
      })
      .catch((error) => this.log.warn({ err: error }, 'permits to send could not be renewed'))
      .finally(() => {
        this.#isRenewing = false;
      });
  }
}

/**
 * Waits until no attempt can start under an earlier registration of this endpoint: until its holder has confirmed, or
 * until every permit given before this call has ended. Call it after the commit and before the answer.
 */
export async function untilWithdrawn(database: Database, endpoint: EndpointRef): Promise<void> {
  const bound = new AbortController();
  const timer = setTimeout(() => bound.abort(), withdrawnAfterMs);
  const isOver = once(bound.signal, 'abort');
  await Promise.race([isOver, untilConfirmed(database, endpoint, bound.signal)]);
  clearTimeout(timer);
  bound.abort();
}

async function untilConfirmed(database: Database, endpoint: EndpointRef, bound: AbortSignal): Promise<void> {
  for (let lookMs = firstLookMs; !bound.aborted; lookMs = Math.min(2 * lookMs, longestLookMs)) {
    // A database that cannot be asked confirms nothing.
    if (!(await isWithdrawing(database, endpoint).catch(() => true))) return;
    await pause(lookMs, undefined, { signal: bound }).catch(() => {});
  }
}

/** The key of a claim in a set. */
export function claimKey({ merchantId, channel, claimNumber }: Claim): string {
  return `${merchantId} ${channel} ${claimNumber}`;
}
