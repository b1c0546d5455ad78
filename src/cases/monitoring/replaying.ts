/**
 * Makes the reports of replays: goes through the payments of a period, merchant by merchant, and looks at everybody who
 * paid, a few at a time. So a replay of a day costs a day, however far the rule looks back.
 */
import { randomUUID } from 'node:crypto';
import type { MerchantId } from '../../ids.js';
import type { PaidMovement } from '../../orders/movements/service.js';
import { userText } from '../../persons/identifier.js';
import type { Account } from '../../persons/service.js';
import { isDatabaseUnavailable, isTimeLimit } from '../../postgres/failure.js';
import { type LookingOptions, scanned } from './looking.js';
import { named, usersOfPeople } from './people.js';
import { listMonitoredMerchants } from './progress-store.js';
import { ReplayTally } from './replay.js';
import { claimReplay, keepReplay, type OpenReplay, saveReport } from './replay-store.js';
import { lookBackMs, type Movement } from './rule.js';

export const replayJobName = 'cases.replay';
const paymentsAtOnce = 2000;
const peopleAtOnce = 100;

/** Returns how many reports were made. */
export async function makeReplays(options: LookingOptions, signal: AbortSignal): Promise<number> {
  const { database, log } = options;
  for (let made = 0; ; made += 1) {
    const replay = signal.aborted ? undefined : await database.transaction((tx) => claimReplay(tx, randomUUID()));
    if (!replay) return made;
    try {
      await new Replaying(options, replay, signal).run();
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isTimeLimit(error)) throw error;
      // It is tried again when the lease ends.
      log.error({ replayId: replay.replayId, err: error }, 'a rule could not be replayed');
    }
  }
}

class Replaying {
  readonly #options: LookingOptions;
  readonly #replay: OpenReplay;
  readonly #signal: AbortSignal;
  readonly #tally = new ReplayTally();
  /** Whom it has looked at: users of the merchant that it is at, those of people with several users, accounts. */
  readonly #users = new Set<number>();
  readonly #others = new Set<string>();
  readonly #accounts = new Set<string>();

  constructor(options: LookingOptions, replay: OpenReplay, signal: AbortSignal) {
    this.#options = options;
    this.#replay = replay;
    this.#signal = signal;
  }

  /** Stops without a report when the service stops, or when another worker has taken over. */
  async run(): Promise<void> {
    const { database } = this.#options;
    for (const merchantId of await listMonitoredMerchants(database)) {
      this.#users.clear();
      if (!(await this.#lookAt(merchantId))) return;
    }
    await database.transaction((tx) => saveReport(tx, this.#replay, this.#tally.report()));
  }

  async #lookAt(merchantId: MerchantId): Promise<boolean> {
    const { database, movements } = this.#options;
    const { from, until } = this.#replay;
    for (let after = { micros: BigInt(from.getTime()) * 1000n, orderId: '' }; ; ) {
      const page = await movements.next(database.bulk, merchantId, { after, until, limit: paymentsAtOnce });
      this.#tally.payments += page.length;
      for (const payments of slices(this.#fresh(page), peopleAtOnce)) {
        const isOurs = !this.#signal.aborted && (await database.transaction((tx) => keepReplay(tx, this.#replay)));
        if (!isOurs) return false;
        await this.#count(payments);
      }
      const last = page.at(-1);
      if (!last || page.length < paymentsAtOnce) return true;
      after = last.place;
    }
  }

  /** A payment of each user, or to each account, that was not looked at yet. */
  #fresh(page: readonly PaidMovement[]): PaidMovement[] {
    const isOfAccounts = this.#replay.kind === 'many_to_one';
    return page.filter(({ userId, account }) => {
      const seen: Set<unknown> = isOfAccounts ? this.#accounts : this.#users;
      const subject = isOfAccounts ? account : userId;
      const isNew = subject !== undefined && !seen.has(subject);
      if (isNew) seen.add(subject);
      return isNew;
    });
  }

  /** Too much history is looked at in halves. */
  async #count(payments: readonly PaidMovement[]): Promise<void> {
    const { database, persons, movements } = this.#options;
    const { from, until } = this.#replay;
    const isOfAccounts = this.#replay.kind === 'many_to_one';
    const asked = {
      users: isOfAccounts ? [] : await this.#usersOf(payments),
      accounts: isOfAccounts ? payments.flatMap(({ account }) => account ?? []) : [],
      from: new Date(from.getTime() - lookBackMs(this.#replay)),
      until,
    };
    const found =
      payments.length > 1
        ? await movements.history(database.bulk, asked)
        : await movements.wholeHistory(database.bulk, asked);
    if (found) {
      const history = await named(database.bulk, persons, found);
      const isAsked = ({ paidAt }: Movement) => paidAt >= from && paidAt < until;
      this.#tally.add(await scanned(this.#replay, isAsked, history));
      const own = new Set(payments.map(userText));
      for (const user of asked.users.map(userText)) if (!own.has(user)) this.#others.add(user);
      return;
    }
    const half = Math.floor(payments.length / 2);
    await this.#count(payments.slice(0, half));
    await this.#count(payments.slice(half));
  }

  /** Without the people who were looked at as another of their users. */
  async #usersOf(payments: readonly PaidMovement[]): Promise<Account[]> {
    const { database, persons } = this.#options;
    const fresh = payments.filter((payment) => !this.#others.has(userText(payment)));
    return usersOfPeople(database.bulk, persons, fresh);
  }
}

function slices<Item>(items: readonly Item[], atOnce: number): Item[][] {
  const count = Math.ceil(items.length / atOnce);
  return Array.from({ length: count }, (_, index) => items.slice(index * atOnce, (index + 1) * atOnce));
}
