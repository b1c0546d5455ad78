/**
 * When an attempt may start. A lane starts attempts only under a permit, which is the database's word that it still
 * holds its endpoint, and which ends one second after the question was put. So whoever takes an endpoint away knows
 * that no attempt starts one second after the commit: whether the holder is paused, cut off from the database or dead.
 *
 * Nobody has to wait that long as a rule. The transaction that withdraws an endpoint leaves a row for its holder, which
 * is woken, stops, and deletes the row. The permit is the proof; the row only makes the answer quick.
 *
 * Not covered: a process that is paused between the check and the system call that sends, and a database server that
 * crashes and comes back within a second without the claim, which is committed without waiting for the disk.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { EndpointRef } from '../endpoint.js';
import type { Claim } from './claim-store.js';
import { confirmWithdrawn, isWithdrawing, listHeldClaims, listWithdrawnClaims } from './permit-store.js';

/** Wakes the process that holds an endpoint whose url was replaced or deleted. */
export const urlWithdrawn = 'webhooks.url-withdrawn';

export const permitMs = 1_000;
const renewEveryMs = 250;
/** Longer than a permit, because two machines' clocks do not run equally fast. */
const withdrawnAfterMs = 1_050;
const firstLookMs = 4;
const longestLookMs = 50;

/** Whoever sends under a claim. */
export interface PermitHolder {
  readonly held: Claim;
  /** The database confirmed the claim after `askedAtMs`, by the clock of `performance`. */
  permit(askedAtMs: number): void;
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
      /** Whether the answer to a claim is outstanding, which may grant what was withdrawn meanwhile. */
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

  /** Stops whatever was withdrawn from this process, and confirms it. Does nothing in a process that never sent. */
  async confirm(): Promise<void> {
    if (!this.#timer) return;
    const withdrawn = await listWithdrawnClaims(this.database, this.workerId);
    const keys = new Set(withdrawn.map(keyOf));
    const holders = [...this.sending.holders()].filter(({ held }) => keys.has(keyOf(held)));
    for (const holder of holders) holder.lose();
    // A claim without a holder has ended by itself, unless the answer that grants it is still on its way to us.
    const stopped = this.sending.isClaiming() ? holders.map(({ held }) => held) : withdrawn;
    if (stopped.length > 0) await confirmWithdrawn(this.database, stopped);
  }

  #renew(): void {
    const holders = [...this.sending.holders()];
    if (this.#isRenewing || holders.length === 0) return;
    this.#isRenewing = true;
    const askedAtMs = performance.now();
    const claims = holders.map(({ held }) => held);
    listHeldClaims(this.database, this.workerId, claims, permitMs / 1000)
      .then((confirmed) => {
        const keys = new Set(confirmed.map(keyOf));
        for (const holder of holders) if (keys.has(keyOf(holder.held))) holder.permit(askedAtMs);
      })
      .catch((error) => this.log.warn({ err: error }, 'permits to send could not be renewed'))
      .finally(() => {
        this.#isRenewing = false;
      });
  }
}

/**
 * Waits until no attempt under an earlier registration of this endpoint starts any more: until its holder has said so,
 * or until every permit given before this call has ended. Call it after the commit and before the answer.
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

function keyOf({ merchantId, channel, claim }: Claim): string {
  return `${merchantId} ${channel} ${claim}`;
}
