/** A ledger on the database of the test file: post, number, verify, and look at the rows. */
import type pg from 'pg';
import { systemClock } from '../../src/clock.js';
import type { TenantId } from '../../src/ids.js';
import { merchantId } from '../../src/ids.js';
import { type Account, readAccount } from '../../src/ledger/account.js';
import type { Journal, JournalDraft, Posting } from '../../src/ledger/journal.js';
import { LedgerNumbering } from '../../src/ledger/numbering.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { LedgerService } from '../../src/ledger/service.js';
import type { OwedBalances } from '../../src/ledger/verify/owed.js';
import { type LedgerReport, verifyLedger } from '../../src/ledger/verify/verify.js';
import type { Transaction } from '../../src/postgres/statement.js';
import type { TestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';

export const acme = merchantId(7);
export const other = merchantId(8);
export const noon = new Date('2026-11-15T12:00:00Z');

export class TestLedger {
  readonly sealer = new LedgerSealer(Buffer.alloc(32, 7));
  readonly service = new LedgerService(this.sealer, systemClock);
  readonly forged: TenantId[] = [];

  constructor(readonly place: TestDatabase) {}

  post(postings: readonly Posting[], draft: Partial<JournalDraft> = {}, merchant: TenantId = acme): Promise<Journal> {
    return this.place.database.transaction((tx) =>
      this.service.post(tx, merchant, { event: 'test', occurredAt: noon, ...draft, postings }),
    );
  }

  /** Numbers everything that is committed. */
  async number(): Promise<number> {
    const { database } = this.place;
    const onForged = async (merchant: TenantId) => void this.forged.push(merchant);
    const numbering = new LedgerNumbering({ database, sealer: this.sealer, onForged });
    let numbered = 0;
    for (;;) {
      const more = await numbering.run(new AbortController().signal);
      if (more === 0) return numbered;
      numbered += more;
    }
  }

  verify(options: { isFull?: boolean; owedBalances?: OwedBalances; merchant?: TenantId } = {}): Promise<LedgerReport> {
    const { isFull = false, owedBalances, merchant = acme } = options;
    const { database } = this.place;
    return verifyLedger({ database, sealer: this.sealer, owedBalances }, merchant, { isFull });
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
