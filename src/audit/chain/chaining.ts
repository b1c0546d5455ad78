/**
 * Chains committed entries merchant by merchant, then signs the ends of the chains that grew. Any number of workers may
 * do this at once: the row of a chain decides who extends it, and the number of a head decides who signs it.
 */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../clock.js';
import type { TenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { MerchantTurns } from '../../worker/merchant-turns.js';
import * as store from '../store.js';
import { linkEntries } from './chain.js';
import * as chains from './chain-store.js';
import { type AuditHead, noHead, signHead } from './head.js';
import type { HeadFile } from './head-file.js';
import * as heads from './head-store.js';

/** At most this many entries of one merchant are chained before the next merchant has its turn. */
const batchSize = 500;
/** At most this many merchants have their turn in one round, and as many ends are signed by one head. */
const merchantsPerRound = 100;

/** What chaining and verifying work with. */
export interface AuditContext {
  readonly database: Database;
  readonly signingKey: KeyObject;
  readonly headFile: HeadFile;
  readonly clock: Clock;
}

export class AuditChaining {
  readonly #turns = new MerchantTurns((after) =>
    store.listWaitingMerchants(this.context.database, after, merchantsPerRound),
  );
  #isHeadPublished = false;

  constructor(readonly context: AuditContext) {}

  /**
   * Runs one round and returns how many entries were chained. A crash at any point leaves work for the next round only.
   */
  async run(signal: AbortSignal): Promise<number> {
    if (!this.#isHeadPublished) await this.#publishLastHead();
    const chained = await this.#chainRound(signal);
    const head = await this.#signEnds();
    const isMoreToSign = head?.ends.length === merchantsPerRound;
    return chained || Number(isMoreToSign);
  }

  async #chainRound(signal: AbortSignal): Promise<number> {
    let chained = 0;
    for await (const merchantId of this.#turns.next(signal))
      chained += await this.context.database.transaction((tx) => chainMerchant(tx, merchantId));
    return chained;
  }

  async #signEnds(): Promise<AuditHead | undefined> {
    const { database, headFile } = this.context;
    const head = await this.#addHead();
    if (!head) return undefined;
    // If the file cannot be written (a full disk), the next round writes the last head.
    this.#isHeadPublished = false;
    // An end that stays unmarked is signed once more, which does no harm.
    for (const { merchantId, sequence } of head.ends) await heads.markEndSigned(database, merchantId, sequence);
    await headFile.append(head);
    this.#isHeadPublished = true;
    return head;
  }

  /** Reads the last head before the ends, so that no head lists an older end than the head before it. */
  async #addHead(): Promise<AuditHead | undefined> {
    const { database, signingKey, clock } = this.context;
    for (;;) {
      const last = (await heads.findLastHead(database)) ?? noHead;
      const ends = await heads.listUnsignedEnds(database, merchantsPerRound);
      if (ends.length === 0) return undefined;
      const head = signHead(signingKey, last, ends, clock.now());
      if (await heads.addHead(database, head)) return head;
    }
  }

  /** Writes the head that is only in the database because a process stopped between the commit and the file. */
  async #publishLastHead(): Promise<void> {
    const { database, headFile } = this.context;
    const last = await heads.findLastHead(database);
    if (last && (await headFile.lastNumber()) !== last.number) await headFile.append(last);
    this.#isHeadPublished = true;
  }
}

async function chainMerchant(tx: Transaction, merchantId: TenantId): Promise<number> {
  const end = (await chains.lockChainEnd(tx, merchantId)) ?? (await chains.addChain(tx, merchantId));
  if (!end) return 0;
  const entries = await chains.listUnchainedEntries(tx, merchantId, batchSize);
  await chains.saveLinks(tx, merchantId, linkEntries(end, entries));
  return entries.length;
}
