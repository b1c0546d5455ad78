/** The verbs of safeguarding: what is owed at the end of a day, recorded once and signed. */
import { listAccountsKeptApart } from '../../bank/accounts/service.js';
import type { Clock } from '../../clock.js';
import { invalidField } from '../../errors.js';
import { type Account, accountOf, kindOf, placeOf } from '../../ledger/account.js';
import { balancesBefore } from '../../ledger/balances/customer-funds.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import { dayAfter, daysToRecord, lastDayBefore, safeguardedFunds } from './safeguarding.js';
import { type SafeguardingReport, signedReport } from './schemas.js';
import { addDay, findDay, newestDay } from './store.js';

export interface SafeguardingOptions {
  readonly prover: { sign(type: string, json: string): Promise<string> };
  readonly clock: Clock;
  /** The bank account that a sandbox has without set-up, whose money counts as kept apart. */
  readonly simulatedAccount: string | undefined;
}

export class SafeguardingService {
  readonly #options: SafeguardingOptions;

  constructor(options: SafeguardingOptions) {
    this.#options = options;
  }

  /**
   * As it was recorded; as the books say now, without a proof, for a day that was not recorded. Throws `invalid_fields`
   * for a day that has not begun.
   */
  async report(database: Queryable, day: string): Promise<SafeguardingReport> {
    const recorded = await findDay(database, day);
    if (recorded) {
      const { report, proof, recordedAt } = recorded;
      return { ...JSON.parse(report), recordedAt: recordedAt.toISOString(), proof };
    }
    if (day > dayAfter(lastDayBefore(this.#options.clock.now())))
      throw invalidField('day', 'not_allowed', 'must not be a day that has not begun');
    return { ...signedReport(day, await this.#fundsAt(database, day)), recordedAt: null, proof: null };
  }

  /** Records each day that has ended. Another process may do the same: a day is recorded once. */
  async record(database: Database, signal: AbortSignal): Promise<void> {
    const { prover, clock } = this.#options;
    for (const day of daysToRecord(await newestDay(database), lastDayBefore(clock.now()))) {
      if (signal.aborted) return;
      const funds = await this.#fundsAt(database, day);
      const report = JSON.stringify(signedReport(day, funds));
      const proof = await prover.sign('remesa-safeguarding+json', report);
      await database.transaction((tx) => addDay(tx, { day, report, proof }, funds));
    }
  }

  async #fundsAt(database: Queryable, day: string) {
    const keptApart = new Set((await listAccountsKeptApart(database)).map(ledgerAccountOf));
    const { simulatedAccount } = this.#options;
    const isSimulated = (account: Account) => kindOf(account) === 'bank' && placeOf(account) === simulatedAccount;
    const balances = await balancesBefore(database, new Date(`${dayAfter(day)}T00:00:00Z`));
    return safeguardedFunds(balances, (account) => keptApart.has(account) || isSimulated(account));
  }
}

function ledgerAccountOf({ accountId, currency }: Awaited<ReturnType<typeof listAccountsKeptApart>>[number]): Account {
  return accountOf('bank', currency, accountId);
}
