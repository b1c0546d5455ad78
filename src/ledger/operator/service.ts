/** The verbs of operators on the ledger: read it, book treasury entries, and clear a fault that was repaired. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, type TenantId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import type { CurrencyCode } from '../../money/currency.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { type Account, accountOf, currencyOf, kindOf, placeOf } from '../account.js';
import { findBalances, listAccountsOf } from '../balances/balance-store.js';
import type { PreparedJournal, StoredJournal } from '../journal.js';
import { journalIdText, readJournalId } from '../journal-id.js';
import { clearFault, findLedgerOf, type LedgerFault } from '../ledger-store.js';
import type { LedgerService } from '../service.js';
import * as store from '../store.js';
import { faultsChanged } from '../verify/verify.js';
import { entryKinds, statementEntries } from './entry-kinds.js';
import { dayStatement } from './statement.js';
import { journalOf, type TreasuryEntry } from './treasury.js';

export interface AccountsQuery {
  /** The client id of a merchant. Absent: the instance. */
  readonly merchant?: string | undefined;
  readonly currency?: string | undefined;
  readonly before?: Date | undefined;
}

export interface AccountBalance {
  readonly account: Account;
  readonly minor: bigint;
  readonly openedAt: Date;
}

export interface CurrencyBalance {
  /** An account of the currency, for its decimals. */
  readonly account: Account;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export interface JournalsQuery extends store.JournalFilter {
  readonly merchant: string | undefined;
  readonly before: store.JournalPlace;
  readonly limit: number;
}

/** A journal with the client id of its merchant; undefined for the instance. */
export interface ShownJournal {
  readonly journal: StoredJournal;
  readonly clientId: string | undefined;
}

export interface LedgerStatus {
  readonly clientId: string | undefined;
  readonly journals: bigint;
  readonly verified: bigint;
  readonly verifiedAt: Date | undefined;
  readonly fault: LedgerFault | undefined;
}

/** The room above that has our bank accounts. */
export interface KnownBanks {
  /** Throws `invalid_fields` for a name that is not an account of ours, for money of this merchant. */
  requireKnown(
    database: Queryable,
    named: { readonly bank: string; readonly currency: CurrencyCode; readonly merchantId: TenantId },
    field: string,
  ): Promise<void>;
  /** The line of the bank that a journal books. Throws `bank_reference_used`. */
  takeLine(tx: Transaction, line: BookedLine, record: string): Promise<void>;
  /** The journal was reversed: it booked no line. */
  freeLines(tx: Transaction, record: string): Promise<void>;
}

/** What a journal moves on a bank account. */
export interface BookedLine {
  readonly bank: string;
  readonly currency: CurrencyCode;
  readonly sign: 'credit' | 'debit';
  readonly amountMinor: bigint;
  /** YYYY-MM-DD. */
  readonly bookedOn: string;
  readonly reference: string;
  readonly source: 'hand';
}

export class LedgerOperatorService {
  constructor(
    readonly ledger: LedgerService,
    readonly banks: KnownBanks,
  ) {}

  /** The tenant that a call is about. Throws `merchant_not_found`. */
  async tenantOf(database: Queryable, clientId: string | undefined): Promise<TenantId> {
    return clientId === undefined ? instanceTenant : (await getMerchant(database, clientId)).merchantId;
  }

  /** Accounts with their balances, sorted by name. Throws `merchant_not_found`. */
  async accounts(database: Queryable, { merchant, currency, before }: AccountsQuery): Promise<AccountBalance[]> {
    const tenant = await this.tenantOf(database, merchant);
    const accounts = await listAccountsOf(database, tenant);
    const balances = await findBalances(database, tenant, { before });
    return accounts
      .filter(({ account }) => currency === undefined || currencyOf(account) === currency)
      .map(({ account, openedAt }) => ({ account, openedAt, minor: balances.get(account) ?? 0n }));
  }

  /** The sums of debit and credit balances, by currency. Throws `merchant_not_found`. */
  async trialBalance(database: Queryable, query: AccountsQuery): Promise<CurrencyBalance[]> {
    const sums = new Map<CurrencyCode, { debitMinor: bigint; creditMinor: bigint }>();
    for (const { account, minor } of await this.accounts(database, query)) {
      const { debitMinor, creditMinor } = sums.get(currencyOf(account)) ?? {
        debitMinor: 0n,
        creditMinor: 0n,
      };
      sums.set(currencyOf(account), {
        debitMinor: minor > 0n ? debitMinor + minor : debitMinor,
        creditMinor: minor < 0n ? creditMinor - minor : creditMinor,
      });
    }
    return [...sums].map(([currency, both]) => ({ account: accountOf('fx', currency), ...both }));
  }

  /** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
  async journals(
    database: Queryable,
    { merchant, before, limit, ...filter }: JournalsQuery,
  ): Promise<{ journals: ShownJournal[]; next: StoredJournal | undefined }> {
    const tenant = await this.tenantOf(database, merchant);
    const found = await store.listJournals(database, tenant, filter, { before, limit: limit + 1 });
    const page = found.slice(0, limit);
    const journals = page.map((journal) => ({ journal, clientId: merchant }));
    return { journals, next: found.length > limit ? page.at(-1) : undefined };
  }

  /** Throws `journal_not_found`. */
  async journal(database: Queryable, id: string): Promise<ShownJournal> {
    const { merchantId, journalId } = refOf(id);
    const journal = await this.ledger.find(database, merchantId, journalId);
    return { journal, clientId: (await clientIdsOf(database, [merchantId])).get(merchantId) };
  }

  /** The statement of a day as CSV, in pieces. Throws `merchant_not_found`. */
  async statement(database: Queryable, merchant: string | undefined, day: Date): Promise<AsyncGenerator<string>> {
    return dayStatement(database, await this.tenantOf(database, merchant), day);
  }

  /** Throws `merchant_not_found`. */
  async status(database: Queryable, merchant: string | undefined): Promise<LedgerStatus> {
    const ledger = await findLedgerOf(database, await this.tenantOf(database, merchant));
    return {
      clientId: merchant,
      journals: ledger?.number ?? 0n,
      verified: ledger?.verified.journals ?? 0n,
      verifiedAt: ledger?.verifiedAt,
      fault: ledger?.fault,
    };
  }

  /**
   * Books a treasury entry under its merchant. Throws `merchant_not_found`, `invalid_fields`, and for a reversal
   * `journal_not_found`, `journal_already_reversed` and `journal_not_reversible`; `bank_reference_used`.
   */
  async book(tx: Transaction, by: By, entry: TreasuryEntry): Promise<ShownJournal> {
    const tenant = await this.tenantOf(tx, entry.merchant);
    const content = journalOf(entry);
    for (const { account } of content?.postings ?? []) await this.#requireKnown(tx, tenant, account);
    const occurredAt = await readMerchantClock(tx, tenant);
    const { reason } = entry;
    const posted = content
      ? await this.ledger.post(tx, tenant, { ...content, occurredAt, reason })
      : await this.#reverse(tx, tenant, entry, { event: 'correction', occurredAt, reason });
    const id = journalIdText(tenant, posted.journalId);
    if (content) await this.#takeLines(tx, posted, entry.bankReference ?? id);
    else await this.banks.freeLines(tx, `journal:${entry.reverses}`);
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'ledger.entry_booked',
      subject: `journal:${id}`,
      details: { kind: entry.kind, reason },
      journals: [posted],
    });
    return this.journal(tx, id);
  }

  /**
   * Lets the merchant work again. Throws `merchant_not_found`, `ledger_has_no_fault`, and `ledger_fault_remains` when
   * no verification has passed since the fault was found.
   */
  async clearFault(
    tx: Transaction,
    by: By,
    { merchant, note }: { merchant?: string | undefined; note: string },
  ): Promise<LedgerStatus> {
    const tenant = await this.tenantOf(tx, merchant);
    const fault = (await findLedgerOf(tx, tenant))?.fault?.fault;
    if (fault === undefined)
      throw new RemesaError('conflict', 'ledger_has_no_fault', 'The ledger of this merchant has no fault.');
    if (!(await clearFault(tx, tenant)))
      throw new RemesaError(
        'conflict',
        'ledger_fault_remains',
        'No verification has passed since the fault was found.',
        {
          members: { fault },
        },
      );
    await recordChange(tx, by, {
      merchantId: tenant,
      action: 'ledger.fault_cleared',
      subject: `ledger:${tenant}`,
      details: { fault, note },
    });
    tx.wake(faultsChanged);
    return this.status(tx, merchant);
  }

  async #requireKnown(tx: Transaction, merchantId: TenantId, account: Account): Promise<void> {
    if (kindOf(account) !== 'bank') return;
    const [bank, currency] = [placeOf(account), currencyOf(account)];
    await this.banks.requireKnown(tx, { bank, currency, merchantId }, account);
  }

  /** A line for each bank account. Several postings on one account are lines of their own. */
  async #takeLines(tx: Transaction, { postings, occurredAt, ...journal }: PreparedJournal, reference: string) {
    const id = journalIdText(journal.merchantId, journal.journalId);
    const bookedOn = occurredAt.toISOString().slice(0, 10);
    for (const [index, { account, minor }] of postings.entries()) {
      if (kindOf(account) !== 'bank') continue;
      const moved = minor > 0n ? ({ sign: 'credit', amountMinor: minor } as const) : debited(minor);
      const isRepeated = postings.findIndex((posting) => posting.account === account) < index;
      await this.banks.takeLine(
        tx,
        {
          ...moved,
          bank: placeOf(account),
          currency: currencyOf(account),
          bookedOn,
          reference: isRepeated ? `${reference}.${index}` : reference,
          source: 'hand',
        },
        `journal:${id}`,
      );
    }
  }

  async #reverse(
    tx: Transaction,
    tenant: TenantId,
    { reverses = '' }: TreasuryEntry,
    draft: { event: string; occurredAt: Date; reason: string },
  ): Promise<PreparedJournal> {
    const { merchantId, journalId } = refOf(reverses);
    if (merchantId !== tenant) throw journalNotFound();
    const { event } = await this.ledger.find(tx, tenant, journalId);
    if (![...entryKinds, ...statementEntries].some((kind) => kind === event))
      throw new RemesaError(
        'conflict',
        'journal_not_reversible',
        'Only treasury entries can be reversed here. A journal of an order is reversed by a correction of the order.',
      );
    return this.ledger.reverse(tx, tenant, journalId, draft);
  }
}

function debited(minor: bigint) {
  return { sign: 'debit', amountMinor: -minor } as const;
}

function refOf(id: string): { merchantId: TenantId; journalId: bigint } {
  const ref = readJournalId(id);
  if (!ref) throw journalNotFound();
  return ref;
}

function journalNotFound(): RemesaError {
  return new RemesaError('not_found', 'journal_not_found', 'There is no such journal.');
}
