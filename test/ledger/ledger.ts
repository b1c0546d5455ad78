/** A ledger on the database of the test file: post, number, verify, and look at the rows. */
import type pg from 'pg';
import { ChangeNumbering } from '../../src/changes/chain/numbering.js';
import { recordChange } from '../../src/changes/service.js';
import { systemClock } from '../../src/clock.js';
import type { TenantId } from '../../src/ids.js';
import { merchantId } from '../../src/ids.js';
import { type Account, readAccount } from '../../src/ledger/account.js';
import type { JournalDraft, Posting, PreparedJournal } from '../../src/ledger/journal.js';
import { LedgerNumbering } from '../../src/ledger/numbering.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { LedgerService } from '../../src/ledger/service.js';
import type { OwedBalances } from '../../src/ledger/verify/owed.js';
import { type LedgerReport, verifyLedger } from '../../src/ledger/verify/verify.js';
import type { Database } from '../../src/postgres/database.js';
import type { Transaction } from '../../src/postgres/statement.js';
import { silentLog } from '../harness/silent-log.js';
import type { TestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { noQueue } from '../webhooks/happenings.js';

export const acme = merchantId(7);
export const other = merchantId(8);
export const noon = new Date('2026-11-15T12:00:00Z');

export class TestLedger {
  readonly sealer = new LedgerSealer(Buffer.alloc(32, 7));
  readonly service = new LedgerService(this.sealer, systemClock);
  readonly forged: TenantId[] = [];

  constructor(readonly place: TestDatabase) {}

  post(
    postings: readonly Posting[],
    draft: Partial<JournalDraft> = {},
    merchant: TenantId = acme,
  ): Promise<PreparedJournal> {
    return this.place.database.transaction((tx) => this.postIn(tx, postings, draft, merchant));
  }

  async postIn(
    tx: Transaction,
    postings: readonly Posting[],
    draft: Partial<JournalDraft> = {},
    merchant: TenantId = acme,
  ): Promise<PreparedJournal> {
    const journal = await this.service.post(tx, merchant, { event: 'test', occurredAt: noon, ...draft, postings });
    await nameIn(tx, journal);
    return journal;
  }

  /** Numbers everything that is committed. Returns how many journals. */
  async number(): Promise<number> {
    const { database } = this.place;
    database.onFault = (merchant) => void this.forged.push(merchant);
    const before = await this.#numbered();
    await numberAll(database, this.sealer);
    return (await this.#numbered()) - before;
  }

  verify(options: { isFull?: boolean; owedBalances?: OwedBalances; merchant?: TenantId } = {}): Promise<LedgerReport> {
    const { isFull = false, owedBalances, merchant = acme } = options;
    const { database } = this.place;
    return verifyLedger({ database, sealer: this.sealer, owedBalances }, merchant, { isFull });
  }

  async #numbered(): Promise<number> {
    const text = 'SELECT count(*)::int FROM ledger_journals WHERE number IS NOT NULL';
    return (await this.rows<{ count: number }>(text))[0]?.count ?? 0;
  }

  /** Runs the work in a transaction that stays open. Returns the function that commits it. */
  async openTransaction(work: (tx: Transaction) => Promise<void>): Promise<() => Promise<void>> {
    let allow = () => {};
    const isAllowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    let done = Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      done = this.place.database.transaction(async (tx) => {
        await work(tx);
        resolve();
        await isAllowed;
      });
      done.catch(reject);
    });
    return () => {
      allow();
      return done;
    };
  }

  async empty(): Promise<void> {
    const tables = ['ledger_accounts', 'ledger_journals', 'ledger_postings', 'ledger_totals', 'ledgers'];
    tables.push('changes', 'change_chains');
    await this.tamper(...tables.map((table) => `DELETE FROM ${table}`));
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.place.sql.query<Row>(text, values)).rows;
  }

  /** As a superuser who switches the triggers off. */
  async tamper(...statements: readonly string[]): Promise<void> {
    await withoutTriggers(this.place.sql, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }
}

/** Records a change that names the journal, as the room that wrote it does. */
export function nameIn(tx: Transaction, journal: PreparedJournal): Promise<void> {
  const { merchantId, journalId } = journal;
  const by = { actor: { kind: 'system', name: 'test' } } as const;
  return recordChange(tx, by, {
    merchantId,
    action: 'journal.posted',
    subject: `journal:${journalId}`,
    journals: [journal],
  });
}

/** Numbers all changes and their journals. */
export async function numberAll(database: Database, sealer: LedgerSealer): Promise<void> {
  const journals = new LedgerNumbering(sealer);
  const numbering = new ChangeNumbering({ database, log: silentLog, queue: noQueue, journals });
  while ((await numbering.run(new AbortController().signal)) > 0);
}

export function account(text: string): Account {
  const found = readAccount(text);
  if (!found) throw new TypeError(`not an account: ${text}`);
  return found;
}

/** Reads `fee:EUR -5`, or `liability:EUR 5 ord_1` with a reference. */
function posting(text: string): Posting {
  const [name = '', minor = '0', reference] = text.split(' ');
  return { account: account(name), minor: BigInt(minor), ...(reference === undefined ? {} : { reference }) };
}

export function postings(...texts: readonly string[]): Posting[] {
  return texts.map(posting);
}
