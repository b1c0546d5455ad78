/** The statement of a day as CSV (RFC 4180): opening balances, every posting of the day, closing balances. */
import { csvLine } from '../../http/answers/csv.js';
import type { TenantId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import { type Account, currencyOf } from '../account.js';
import { findBalances } from '../balances/balance-store.js';
import { minorText } from '../journal.js';
import { journalIdText } from '../journal-id.js';
import { type JournalPlace, listJournalsUntil } from '../store.js';

const journalsAtOnce = 500;
const head = 'number,journal,event,occurred_at,account,currency,debit,credit,reference,reason\r\n';

/**
 * Each page is a short statement of its own, so that a slow reader keeps no transaction open. The closing balances are
 * the opening balances plus what was written between them.
 */
export async function* dayStatement(database: Queryable, merchantId: TenantId, day: Date): AsyncGenerator<string> {
  const to = new Date(day.getTime() + 86_400_000);
  const balances = new Map(await findBalances(database, merchantId, { before: day }));
  yield head + balanceLines('opening_balance', day, balances);
  let after: JournalPlace = { occurredAt: day, journalId: 0n };
  for (;;) {
    const page = await listJournalsUntil(database, merchantId, { after, to, limit: journalsAtOnce });
    const last = page.at(-1);
    if (!last) break;
    let lines = '';
    for (const { journalId, number, event, occurredAt, reason, postings } of page) {
      const id = journalIdText(merchantId, journalId);
      for (const { account, minor, reference } of postings) {
        balances.set(account, (balances.get(account) ?? 0n) + minor);
        const first = [number?.toString() ?? '', id, event, occurredAt.toISOString()];
        lines += csvLine([...first, ...amountFields(account, minor), reference ?? '', reason ?? '']);
      }
    }
    yield lines;
    after = last;
  }
  yield balanceLines('closing_balance', to, balances);
}

function balanceLines(event: string, at: Date, balances: ReadonlyMap<Account, bigint>): string {
  const sorted = [...balances].filter(([, minor]) => minor !== 0n).sort(([left], [right]) => (left < right ? -1 : 1));
  const lines = sorted.map(([account, minor]) =>
    csvLine(['', '', event, at.toISOString(), ...amountFields(account, minor), '', '']),
  );
  return lines.join('');
}

function amountFields(account: Account, minor: bigint): string[] {
  const text = minorText(account, minor < 0n ? -minor : minor);
  return [account, currencyOf(account), ...(minor < 0n ? ['', text] : [text, ''])];
}
