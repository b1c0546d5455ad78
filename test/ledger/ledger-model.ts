/** A ledger beside a plain list of what was committed to it, with transactions that stay open for a while. */
import { expect } from 'vitest';
import type { Account } from '../../src/ledger/account.js';
import { findBalances } from '../../src/ledger/balances/balance-store.js';
import { negated, type Posting } from '../../src/ledger/journal.js';
import { extendTotals } from '../../src/ledger/journal-number-store.js';
import { acme, nameIn, noon, postings, type TestLedger } from './ledger.js';

interface Known {
  readonly id: bigint;
  readonly at: Date;
  readonly postings: readonly Posting[];
}

export type Step =
  | { readonly kind: 'post' | 'post late'; readonly postings: readonly Posting[]; readonly at: Date }
  | { readonly kind: 'reverse'; readonly index: number; readonly at: Date }
  | { readonly kind: 'commit late' | 'number' | 'snapshot' };

const allAccounts = postings(
  ...['EUR', 'JPY'].flatMap((currency) => [
    `fee:${currency} -1`,
    `bank:${currency}:main 1`,
    `liability:${currency} -1 ord_1`,
    `payin:${currency} 1 pay_1`,
  ]),
  'fx:EUR 1',
  'margin:EUR -1',
);

export class LedgerModel {
  readonly committed: Known[] = [];
  readonly #reversed = new Set<bigint>();
  readonly #open: (() => Promise<void>)[] = [];

  constructor(readonly ledger: TestLedger) {}

  /** Opens all accounts: the first use of an account makes another transaction that opens it wait. */
  async begin(): Promise<void> {
    await this.ledger.empty();
    await this.take({ kind: 'post', postings: allAccounts, at: noon });
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'post') await this.#post(step.postings, step.at);
    else if (step.kind === 'post late') await this.#postLate(step.postings, step.at);
    else if (step.kind === 'reverse') await this.#reverse(step.index, step.at);
    else if (step.kind === 'commit late') await this.#open.pop()?.();
    else if (step.kind === 'number') await this.ledger.number();
    else await this.#snapshot();
  }

  /** Commits the transactions that are still open, the newest first. */
  async finish(): Promise<void> {
    for (const commit of this.#open.splice(0).reverse()) await commit();
  }

  async check(before: Date | undefined): Promise<void> {
    const found = await findBalances(this.ledger.place.database, acme, { before });
    expect(nonZero(found)).toEqual(nonZero(this.#added(before)));
  }

  /** Balances as anybody would add them up. */
  #added(before: Date | undefined): Map<Account, bigint> {
    const sums = new Map<Account, bigint>();
    const counted = this.committed.filter(({ at }) => !before || at < before);
    for (const { account, minor } of counted.flatMap((journal) => journal.postings))
      sums.set(account, (sums.get(account) ?? 0n) + minor);
    return sums;
  }

  async #post(all: readonly Posting[], at: Date): Promise<void> {
    const { journalId } = await this.ledger.post(all, { occurredAt: at });
    this.committed.push({ id: journalId, at, postings: all });
  }

  async #postLate(all: readonly Posting[], at: Date): Promise<void> {
    if (this.#open.length >= 3) return;
    let id = 0n;
    const commit = await this.ledger.openTransaction(async (tx) => {
      id = (await this.ledger.postIn(tx, all, { occurredAt: at })).journalId;
    });
    this.#open.push(async () => {
      await commit();
      this.committed.push({ id, at, postings: all });
    });
  }

  async #reverse(index: number, at: Date): Promise<void> {
    const original = this.committed[index % this.committed.length];
    if (!original || this.#reversed.has(original.id)) return;
    this.#reversed.add(original.id);
    const { place, service } = this.ledger;
    const draft = { event: 'reversal', occurredAt: at };
    const { journalId } = await place.database.transaction(async (tx) => {
      const reversal = await service.reverse(tx, acme, original.id, draft);
      await nameIn(tx, reversal);
      return reversal;
    });
    this.committed.push({ id: journalId, at, postings: negated(original.postings) });
  }

  /** Adds everything that is numbered to the totals, as the numbering job does now and then. */
  async #snapshot(): Promise<void> {
    const [row] = await this.ledger.rows<{ number: string; totals_number: string }>(
      'SELECT number, totals_number FROM ledgers WHERE merchant_id = $1',
      [acme],
    );
    if (!row || row.number === row.totals_number) return;
    const [from, to] = [BigInt(row.totals_number), BigInt(row.number)];
    await this.ledger.place.database.transaction((tx) => extendTotals(tx, acme, from, to));
  }
}

function nonZero(balances: ReadonlyMap<Account, bigint>): Record<string, bigint> {
  return Object.fromEntries([...balances].filter(([, minor]) => minor !== 0n));
}
