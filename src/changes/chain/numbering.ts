/**
 * Numbers committed changes and their journals, chains them, merchant by merchant, and queues the deliveries of their
 * events. Because this happens after the commit, no transaction waits for the number of another, and the numbers have
 * no gap. Any number of workers may do this at once: the row of a chain decides who extends it.
 */
import type { TenantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isDatabaseUnavailable, isLockTimeout } from '../../postgres/failure.js';
import type { Transaction } from '../../postgres/statement.js';
import { mapAtMost } from '../../worker/claim.js';
import { MerchantTurns } from '../../worker/merchant-turns.js';
import type { Job } from '../../worker/worker.js';
import type { Channel, NumberedEvent } from '../event.js';
import { journalsDigest, sealedContent } from '../seal.js';
import { type Link, linkChanges } from './chain.js';
import * as store from './chain-store.js';
import type { JournalBook } from './journal-book.js';
import { numberedChannel, type SealedChange } from './sealed-change.js';

export const numberJobName = 'changes.number';

/** At most this many changes of one merchant are numbered before the next merchant has its turn. */
const batchSize = 500;
/** A round finds its merchants among this many waiting changes. */
const changesPerRound = 2000;
/** Each turn waits for the disk, and turns that wait together share one write to it. */
const turnsAtOnce = 8;

/** Sends what merchants are told. The webhooks room implements it. */
export interface EventQueue {
  /**
   * Queues the deliveries of events that have just been numbered, in their order. The chain of the merchant is locked.
   * Returns the channels that have deliveries now.
   */
  add(
    tx: Transaction,
    merchantId: TenantId,
    events: readonly NumberedEvent[],
    dueAt: Date,
  ): Promise<readonly Channel[]>;
  /** Called after the commit. */
  onQueued(merchantId: TenantId, channels: readonly Channel[]): void;
}

export interface NumberingContext {
  readonly database: Database;
  readonly log: Log;
  readonly queue: EventQueue;
  readonly journals: JournalBook;
}

export function numberJob(context: NumberingContext): Job {
  const numbering = new ChangeNumbering(context);
  return {
    name: numberJobName,
    everySeconds: 2,
    oldestDueSeconds: () => store.oldestUnnumberedSeconds(context.database),
    run: (signal) => numbering.run(signal),
  };
}

export class ChangeNumbering {
  readonly #turns = new MerchantTurns((after) =>
    store.listWaitingMerchants(this.context.database, after, changesPerRound),
  );
  /** Changes that the service did not write. Each is logged once. */
  readonly #forged = new Set<bigint>();

  constructor(readonly context: NumberingContext) {}

  /**
   * Runs one round and returns how many changes were numbered. A crash at any point leaves work for the next round
   * only.
   */
  async run(signal: AbortSignal): Promise<number> {
    const merchants: TenantId[] = [];
    for await (const merchantId of this.#turns.next(signal)) merchants.push(merchantId);
    const numbered = await mapAtMost(merchants, turnsAtOnce, async (merchantId) =>
      signal.aborted ? 0 : this.#takeTurn(merchantId),
    );
    return numbered.reduce((sum, count) => sum + count, 0);
  }

  /** A merchant whose turn fails does not keep others waiting. Throws only when the database cannot be reached. */
  async #takeTurn(merchantId: TenantId): Promise<number> {
    const { database, log, queue } = this.context;
    try {
      const turn = await database.transaction((tx) => this.#numberMerchant(tx, merchantId));
      if (turn.channels.length > 0) queue.onQueued(merchantId, turn.channels);
      return turn.numbered;
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error;
      log.warn({ merchantId, err: error }, 'changes could not be numbered');
      return 0;
    }
  }

  async #numberMerchant(
    tx: Transaction,
    merchantId: TenantId,
  ): Promise<{ readonly numbered: number; readonly channels: readonly Channel[] }> {
    const [claimed, waiting] = await Promise.all([
      store.claimChain(tx, merchantId),
      store.listUnnumberedChanges(tx, merchantId, 0n, batchSize),
    ]);
    const chain = claimed ?? (await store.startChain(tx, merchantId));
    const changes = chain ? await this.#genuineOf(tx, merchantId, waiting) : [];
    if (!chain || changes.length === 0) return { numbered: 0, channels: [] };
    const { links, state } = linkChanges(chain, changes.map(withNumberedChannel));
    const { dueAt } = chain;
    const { queue, journals } = this.context;
    const [channels] = await Promise.all([
      queue.add(tx, merchantId, eventsOf(changes, links), dueAt),
      store.saveLinks(tx, merchantId, links, { ...state, dueAt }),
      journals.number(tx, merchantId, journalsOf(changes)),
    ]);
    return { numbered: links.length, channels };
  }

  /** Leaves out what the service did not write, and reads on where nothing else is left. Verification reports it. */
  async #genuineOf(tx: Transaction, merchantId: TenantId, waiting: readonly SealedChange[]): Promise<SealedChange[]> {
    const sealed = waiting.filter((change) => this.#isGenuine(tx, change));
    const seals = await this.context.journals.sealsOf(tx, merchantId, journalsOf(sealed));
    const genuine = sealed.filter((change) => hasItsJournals(change, seals));
    const last = waiting.at(-1);
    if (genuine.length > 0 || !last || waiting.length < batchSize) return genuine;
    return this.#genuineOf(tx, merchantId, await store.listUnnumberedChanges(tx, merchantId, last.id, batchSize));
  }

  #isGenuine(tx: Transaction, change: SealedChange): boolean {
    const { merchantId, id, seal } = change;
    if (tx.seal(merchantId, sealedContent(change)).equals(seal)) return true;
    if (!this.#forged.has(id))
      this.context.log.error({ merchantId, id }, 'the log has a change that the service did not write');
    this.#forged.add(id);
    return false;
  }
}

function journalsOf(changes: readonly SealedChange[]): bigint[] {
  return changes.flatMap(({ journalIds }) => journalIds);
}

/** A change waits until its journals are as it wrote them. */
function hasItsJournals({ journalIds, journalsDigest: digest }: SealedChange, seals: ReadonlyMap<bigint, Buffer>) {
  const written = journalIds.flatMap((journalId) => {
    const seal = seals.get(journalId);
    return seal ? [{ journalId, seal }] : [];
  });
  return digest === null || journalsDigest(written)?.equals(digest) === true;
}

function withNumberedChannel(change: SealedChange) {
  return { ...change, channel: numberedChannel(change) };
}

function eventsOf(changes: readonly SealedChange[], links: readonly Link[]): NumberedEvent[] {
  return changes.flatMap((change, index) => {
    const { eventId, channel, subject } = change;
    const sequence = links[index]?.sequence ?? null;
    if (eventId === null || channel === null || sequence === null) return [];
    return [{ eventId, channel, subject: subject.slice(subject.indexOf(':') + 1), sequence }];
  });
}
