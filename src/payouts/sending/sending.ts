/**
 * The worker's part: sends what is due and asks what became of it. The rail is asked outside of any transaction, under
 * a lease. Whatever a rail does, a payment is sent under one reference only, with the same bytes.
 */
import { findAltered } from '../../changes/service.js';
import type { Clock } from '../../clock.js';
import type { TenantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Transaction } from '../../postgres/statement.js';
import { mapAtMost } from '../../worker/claim.js';
import { Semaphore } from '../../worker/semaphore.js';
import { type Attempt, digestedAttempt, messageIdOf } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import { type Finding, isAsked, type Rail } from '../rail.js';
import { askInSeconds, nextQuestion } from '../reports/asking.js';
import { isStopped, receiveAll } from '../reports/receiving.js';
import type { ReportService } from '../reports/report-service.js';
import { listReportsOf } from '../reports/report-store.js';
import * as store from '../store.js';
import { isDead } from '../transitions.js';
import { batchOf } from './batch.js';
import type { ExitChecks } from './exit-checks.js';
import {
  claimAttempts,
  type Lease,
  listMerchantsWithDue,
  markSending,
  postpone,
  releaseAttempts,
} from './lease-store.js';
import { addFailure, backOff, forgetFailures, isFailing } from './rail-failure-store.js';
import { leaseSeconds, pauseAfterFailures } from './schedule.js';
import { withinTime } from './within-time.js';

export interface SendingOptions {
  readonly database: Database;
  readonly keys: AttemptKeys;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly reports: ReportService;
  readonly exitChecks: ExitChecks;
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process. */
  readonly holder: string;
  /** How long one request to a rail may take. */
  readonly answerWithinMs: number;
}

/** Few of each merchant at a time, so that a merchant with many payouts does not keep the others waiting. */
const attemptsAtOnce = 50;
const attemptsRead = 1000;
const merchantsAtOnce = 4;

/** Attempts that are done together: one message to a rail, or one question. */
interface Work {
  readonly rail: Rail;
  readonly attempts: Attempt[];
  readonly claimedAt: Date;
}

export class PayoutSending {
  readonly #slots = new Map<string, Semaphore>();
  readonly #lease: Lease;

  readonly #options: SendingOptions;

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#lease = { holder: options.holder, seconds: leaseSeconds };
  }

  /** Works on everything that is due, merchant by merchant, and returns how many attempts there were. */
  async run(signal: AbortSignal): Promise<number> {
    return this.runFor(await listMerchantsWithDue(this.#options.database, this.#railNames(), attemptsRead), signal);
  }

  async runFor(merchants: readonly TenantId[], signal: AbortSignal): Promise<number> {
    const works = await mapAtMost(merchants, merchantsAtOnce, (merchant) => this.#claim(merchant));
    const done = await Promise.all(works.flat().map((work) => this.#work(work, signal)));
    return done.reduce((sum, count) => sum + count, 0);
  }

  /** Those that were not sent yet are grouped into messages; the others are asked about one by one. */
  async #claim(merchant: TenantId): Promise<Work[]> {
    const { database, clock } = this.#options;
    const claimedAt = clock.now();
    const claim = { rails: this.#railNames(), atMost: attemptsAtOnce, lease: this.#lease };
    const attempts = await claimAttempts(database, merchant, claim);
    const works: Work[] = [];
    for (const attempt of attempts) {
      const rail = this.#options.rails.get(attempt.rail);
      if (!rail) continue;
      const message = works.find(
        (work) => work.rail === rail && work.attempts.length < rail.capabilities.paymentsPerMessage,
      );
      if (message && attempt.state === 'READY' && message.attempts[0]?.state === 'READY')
        message.attempts.push(attempt);
      else works.push({ rail, attempts: [attempt], claimedAt });
    }
    return works;
  }

  /**
   * A failure with one message does not stop the others. What waited too long for its rail is given back. Throws when
   * the database cannot be reached.
   */
  async #work(work: Work, signal: AbortSignal): Promise<number> {
    const { rail, attempts, claimedAt } = work;
    const [first] = attempts;
    if (!first) return 0;
    const release = await this.#slotsOf(rail).acquire();
    try {
      if (signal.aborted || !this.#isLeaseLongEnough(claimedAt)) {
        await releaseAttempts(this.#options.database, attempts, this.#lease);
        return 0;
      }
      return await (first.state === 'READY' ? this.#send(work) : this.#ask(work, first));
    } catch (error) {
      if (isStopped(error)) throw error;
      this.#options.log.error({ attemptId: first.attemptId, rail: rail.name, err: error }, 'payout not handled');
      return 0;
    } finally {
      release();
    }
  }

  async #send({ rail, attempts, claimedAt }: Work): Promise<number> {
    const leaving = await this.#leaving(rail, attempts);
    if (leaving.length === 0) return attempts.length;
    const sending = await this.#options.database.transaction(async (tx) =>
      this.#markAll(tx, await this.#untouchedOf(tx, leaving), claimedAt),
    );
    if (sending.length > 0) await this.#submit(rail, sending, claimedAt);
    return sending.length;
  }

  /** Those that nobody else has changed in the database. The others are not sent. */
  async #untouchedOf(tx: Transaction, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
    const [first] = attempts;
    if (!first) return [];
    const rows = attempts.map((attempt) => ({ ...digestedAttempt(attempt), attempt }));
    const altered = (await findAltered(tx, first.merchantId, rows)).map(({ attempt }) => attempt);
    return attempts.filter((attempt) => !altered.includes(attempt));
  }

  /** Those that pass the gate again. One that must wait is tried again later; one that was withdrawn has ended. */
  async #leaving(rail: Rail, attempts: readonly Attempt[]): Promise<Attempt[]> {
    const verdicts = await this.#options.exitChecks.verdictsOf(attempts);
    const waiting = attempts.filter((attempt) => verdicts.get(attempt) === 'wait');
    if (waiting.length > 0) await this.#askLater(rail, waiting, false);
    return attempts.filter((attempt) => verdicts.get(attempt) === 'pass');
  }

  /**
   * The message is named after its first attempt. If another worker has that one, the message may be on its way:
   * nothing is added to it then.
   */
  async #markAll(tx: Transaction, attempts: readonly Attempt[], createdAt: Date): Promise<Attempt[]> {
    const [first] = attempts;
    if (!first) return [];
    const message = { messageId: messageIdOf(first.attemptId), createdAt };
    const sending: Attempt[] = [];
    for (const attempt of attempts) {
      const marked = await markSending(tx, attempt, message, this.#lease);
      if (marked) sending.push(marked);
      else if (sending.length === 0) return [];
    }
    return sending;
  }

  /** Hands over the message of these attempts, which were claimed at that time, and records the answer. */
  async #submit(rail: Rail, leased: readonly Attempt[], claimedAt: Date): Promise<void> {
    if (leased.length === 0) return;
    const batch = await batchOf(this.#options, leased);
    if (!batch) return this.#lose(rail, leased);
    // This process was stopped for so long that another worker may have taken over: that one asks the rail first.
    if (!this.#isLeaseLongEnough(claimedAt)) return;
    const reports = await this.#answer(rail, leased, (signal) => rail.submit(batch, signal));
    if (!reports) return;
    await receiveAll(this.#options, rail, reports, { asked: leased });
    const answered = new Set(reports.map(({ reference }) => reference));
    await this.#lose(
      rail,
      leased.filter(({ reference }) => !answered.has(reference)),
    );
  }

  async #ask({ rail, claimedAt }: Work, leased: Attempt): Promise<number> {
    const finding = await this.#answer(rail, [leased], (signal) => rail.find(leased.reference, signal));
    const { state } = leased;
    if (finding === 'never_received' && (state === 'SENDING' || state === 'UNKNOWN'))
      await this.#sendAgain(rail, leased, claimedAt);
    else if (finding !== undefined) await this.#follow(rail, leased, finding);
    return 1;
  }

  async #follow(rail: Rail, leased: Attempt, finding: Finding): Promise<void> {
    const { state } = leased;
    if (typeof finding === 'object') {
      const known = await listReportsOf(this.#options.database, leased);
      const knownIds = new Set(known.map(({ reportId }) => reportId));
      const fresh = finding.reports.filter(({ reportId }) => !knownIds.has(reportId));
      const results = await receiveAll(this.#options, rail, fresh, { asked: [leased] });
      return this.#askLater(rail, [leased], !results.some(({ outcome }) => outcome === 'failed'));
    }
    // The rail had it and now says that it has not, or it cannot tell about what was sent.
    if (state === 'SENDING' || (state === 'ACCEPTED' && finding === 'never_received'))
      return this.#lose(rail, [leased]);
    return this.#askLater(rail, [leased]);
  }

  /** The rail does not have it: the same message goes out again, byte for byte. */
  async #sendAgain(rail: Rail, leased: Attempt, claimedAt: Date): Promise<void> {
    const { database } = this.#options;
    const { message, merchantId } = leased;
    if (!message) throw new Error(`attempt ${leased.attemptId} was sent without a message`);
    const again =
      leased.state === 'SENDING'
        ? leased
        : await database.transaction((tx) => markSending(tx, leased, message, this.#lease));
    if (!again) return;
    const others = await store.listAttemptsOfMessage(database, merchantId, message.messageId);
    // A message with a payment that has ended is never repeated: the payment could be made after all.
    if (others.some(({ state }) => isDead(state))) await this.#lose(rail, [again]);
    else await this.#submit(rail, await this.#leaving(rail, [again]), claimedAt);
  }

  #isLeaseLongEnough(claimedAt: Date): boolean {
    const { clock, answerWithinMs } = this.#options;
    const passedMs = clock.now().getTime() - claimedAt.getTime();
    return passedMs >= 0 && passedMs + answerWithinMs < this.#lease.seconds * 1000;
  }

  /** Returns undefined when the rail failed or did not answer in time. It is then asked again later. */
  async #answer<Answer>(
    rail: Rail,
    leased: readonly Attempt[],
    ask: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { log, answerWithinMs } = this.#options;
    const answer = await withinTime(ask, answerWithinMs).catch((error: unknown) => {
      log.warn({ rail: rail.name, err: error }, 'the rail did not answer');
      return undefined;
    });
    if (answer !== undefined) {
      await this.#recordSuccess(rail);
      return answer;
    }
    await this.#recordFailure(rail);
    await this.#askLater(rail, leased, false);
    return undefined;
  }

  /** Nobody can say what became of these. An attempt that has changed meanwhile stays as it is. */
  #lose(rail: Rail, attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return Promise.resolve();
    return this.#options.database.transaction(async (tx) => {
      for (const attempt of attempts) await store.saveState(tx, attempt, 'UNKNOWN', askInSeconds(rail, 'UNKNOWN', 0));
    });
  }

  #askLater(rail: Rail, attempts: readonly Attempt[], isAnswered = true): Promise<void> {
    return this.#options.database.transaction(async (tx) => {
      for (const attempt of attempts) await postpone(tx, attempt, nextQuestion(rail, attempt, isAnswered), this.#lease);
    });
  }

  async #recordFailure(rail: Rail): Promise<void> {
    await this.#options.database.transaction(async (tx) => {
      const seconds = pauseAfterFailures(await addFailure(tx, rail.name));
      if (seconds > 0) await backOff(tx, rail.name, seconds);
    });
  }

  async #recordSuccess({ name }: Rail): Promise<void> {
    const { database } = this.#options;
    if (await isFailing(database, name)) await database.transaction((tx) => forgetFailures(tx, name));
  }

  /** Attempts of a rail that was removed from the settings wait, and are tasks after a while. */
  #railNames(): string[] {
    return [...this.#options.rails.values()].filter(isAsked).map(({ name }) => name);
  }

  #slotsOf({ name, capabilities }: Rail): Semaphore {
    const slots = this.#slots.get(name) ?? new Semaphore(capabilities.messagesAtOnce);
    this.#slots.set(name, slots);
    return slots;
  }
}
