/**
 * The verbs of the ledger for other rooms: post a journal, reverse one, and refuse to work on a ledger with a fault.
 */
import type { Clock } from '../clock.js';
import { RemesaError } from '../errors.js';
import type { TenantId } from '../ids.js';
import { isDuplicateIn } from '../postgres/failure.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import { type JournalDraft, negated, type PreparedJournal, type StoredJournal } from './journal.js';
import { newJournalId } from './journal-id.js';
import { findFault } from './ledger-store.js';
import type { LedgerSealer } from './sealing/seal.js';
import * as store from './store.js';

export class LedgerService {
  constructor(
    readonly sealer: LedgerSealer,
    readonly clock: Clock,
  ) {}

  /**
   * Writes the journal in the transaction of the change that it belongs to, in one round trip. The change names it, and
   * numbers it: a journal that no change names is a fault. Postings of zero are left out. The transaction fails at its
   * COMMIT when the postings do not sum to zero in each currency.
   */
  async post(tx: Transaction, merchantId: TenantId, draft: JournalDraft): Promise<PreparedJournal> {
    const journal = this.prepare(merchantId, draft);
    await this.write(tx, journal);
    return journal;
  }

  /** Gives the journal its id and its seal, so that the change that it belongs to can name it before it is written. */
  prepare(merchantId: TenantId, draft: JournalDraft): PreparedJournal {
    const postings = draft.postings.filter(({ minor }) => minor !== 0n);
    const recordedAt = this.clock.now();
    const journal = { ...draft, postings, merchantId, journalId: newJournalId(recordedAt), recordedAt };
    return { ...journal, seal: this.sealer.seal(journal) };
  }

  /** Writes a prepared journal, as `post` does. */
  async write(tx: Transaction, journal: PreparedJournal): Promise<void> {
    await store.addJournal(tx, journal, journal.seal);
  }

  /**
   * Undoes a journal by one with the negated postings. Throws `journal_not_found`, and `journal_already_reversed` when
   * there is such a journal.
   */
  async reverse(
    tx: Transaction,
    merchantId: TenantId,
    journalId: bigint,
    draft: Omit<JournalDraft, 'postings' | 'reverses'>,
  ): Promise<PreparedJournal> {
    const original = await this.find(tx, merchantId, journalId);
    if (original.reversedBy !== undefined) throw alreadyReversed();
    const reversal = { ...draft, reverses: journalId, postings: negated(original.postings) };
    return this.post(tx, merchantId, reversal).catch((error) => {
      throw isDuplicateIn('ledger_journals_reversed_once', error) ? alreadyReversed() : error;
    });
  }

  /** Throws `journal_not_found`. */
  async find(database: Queryable, merchantId: TenantId, journalId: bigint): Promise<StoredJournal> {
    const journal = await store.findJournalOf(database, merchantId, journalId);
    if (!journal) throw new RemesaError('not_found', 'journal_not_found', 'There is no such journal.');
    return journal;
  }

  /** Finds several journals in one statement, the oldest first. Ids without a journal are left out. */
  findAll(database: Queryable, merchantId: TenantId, journalIds: readonly bigint[]): Promise<StoredJournal[]> {
    return journalIds.length === 0 ? Promise.resolve([]) : store.findJournalsOf(database, merchantId, journalIds);
  }

  /** False while verification has found something wrong with the merchant's ledger. */
  async isSound(database: Queryable, merchantId: TenantId): Promise<boolean> {
    return (await findFault(database, merchantId)) === undefined;
  }

  /**
   * Call it before a new order, a payout or a refund. Throws `ledger_fault` while verification has found something
   * wrong with the merchant's ledger.
   */
  async requireSound(database: Queryable, merchantId: TenantId): Promise<void> {
    if (await this.isSound(database, merchantId)) return;
    throw new RemesaError(
      'unavailable',
      'ledger_fault',
      'New orders, payouts and refunds are stopped until the operator has examined the ledger.',
      { retryAfterSeconds: 600 },
    );
  }
}

function alreadyReversed(): RemesaError {
  return new RemesaError('conflict', 'journal_already_reversed', 'This journal was already reversed.');
}
