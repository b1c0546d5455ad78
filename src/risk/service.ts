/** The verbs of risk: rate a user anew, look at the rating, decide about it, and ask what holds. */
import type { ApprovalSubject } from '../approval.js';
import { type By, operatorOf } from '../caller.js';
import { recordChange } from '../changes/service.js';
import { invalidField, RemesaError, userNotFound } from '../errors.js';
import type { MerchantId, UserId } from '../ids.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import type { CloserLook } from '../orders/rules/person-limit.js';
import type { Account } from '../persons/service.js';
import { readMerchantClock } from '../postgres/merchant-clock.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { UserService } from '../users/service.js';
import { type FactsOptions, readRiskFacts } from './facts.js';
import {
  isHigher,
  type Rated,
  type RiskBand,
  type RiskPoints,
  rate,
  reviewedAfterMonths,
  shareOfLimits,
} from './rating.js';
import { bandInForce, isAboutExposure, isLowering } from './review.js';
import * as store from './store.js';

export interface RiskOptions extends FactsOptions {
  readonly users: Pick<UserService, 'lock' | 'retainedKey'>;
  /** Ends what waits for approval about these records, and removes what operators wrote about it. */
  readonly forgetApprovals: (tx: Transaction, merchantId: MerchantId, records: readonly string[]) => Promise<void>;
}

export interface RiskDecision {
  /** Undefined: what the facts give. */
  readonly band: RiskBand | undefined;
  readonly note: string;
  /** Of the rating that was read. */
  readonly version: number;
}

/** A rating with everything that is sealed of it. */
export interface RiskFile extends store.StoredRating {
  readonly because: readonly RiskPoints[];
  readonly note: string | undefined;
}

const byRating: By = { actor: { kind: 'system', name: 'risk rating' } };

export class RiskService {
  readonly #options: RiskOptions;

  constructor(options: RiskOptions) {
    this.#options = options;
  }

  /** As the gate asks: users of a low risk, and those who were never rated, are left out. */
  async looksOf(
    database: Queryable,
    merchantId: MerchantId,
    users: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, CloserLook>> {
    const bands = await store.listBandsOf(database, merchantId, users);
    const raised = [...bands].filter(([, band]) => band !== 'low');
    return new Map(raised.map(([userId, band]) => [userId, lookOf(band)]));
  }

  /**
   * Rates the user by the facts of now. A rating that has changed is recorded. Returns undefined for a user who was
   * deleted, whose rating stays as it was.
   */
  async rate(tx: Transaction, account: Account): Promise<store.StoredRating | undefined> {
    const { merchantId, userId } = account;
    await this.#options.users.lock(tx, merchantId, userId);
    const key = await this.#options.users.retainedKey(tx, merchantId, userId);
    const facts = key && (await readRiskFacts(this.#options, tx, account, await readMerchantClock(tx, merchantId)));
    const before = await store.findRating(tx, account);
    if (!key || !facts) return before;
    const rated = rate(facts);
    if (!before) {
      const added = await store.addRating(tx, account, newRating(key, account, rated, rated.band));
      await audit(tx, byRating, account, 'risk.rated', { band: added.band, points: added.points });
      return added;
    }
    const band = bandInForce(rated, before.review);
    const rating = newRating(key, account, rated, band);
    if (before.points === rated.points && before.ratedBand === rated.band && before.band === band) {
      await store.saveChecked(tx, account, rating.sealedBecause);
      return { ...before, sealedBecause: rating.sealedBecause };
    }
    const changed = await store.changeRating(tx, account, before, rating);
    const details = { band, bandBefore: before.band, points: rated.points, pointsBefore: before.points };
    await audit(tx, byRating, account, 'risk.rated', details);
    return changed;
  }

  /** Rates the user first. Each reading is audited. Throws `user_not_found`, also when nothing is kept any more. */
  async look(tx: Transaction, by: By, account: Account): Promise<RiskFile> {
    const rating = await this.rate(tx, account);
    if (!rating) throw userNotFound();
    await audit(tx, by, account, 'risk.looked_at', {});
    return this.#open(tx, account, rating);
  }

  /** As it was recorded last; undefined for a user who was never rated. Whoever reads it is audited by the caller. */
  async find(tx: Transaction, account: Account): Promise<RiskFile | undefined> {
    const rating = await store.findRating(tx, account);
    return rating && this.#open(tx, account, rating);
  }

  /**
   * What a decision is about; undefined when the user is looked at as closely as before, or more. Throws as `decide`
   * does.
   */
  async reviewDecision(
    tx: Transaction,
    account: Account,
    { band }: RiskDecision,
  ): Promise<ApprovalSubject | undefined> {
    const rating = await this.#require(tx, account);
    await this.#requireAllowed(tx, account, rating, band);
    if (!isLowering(band, rating.band, rating.ratedBand)) return undefined;
    return { subject: recordOf(account), version: String(rating.version) };
  }

  /** Throws `user_not_found`, `version_conflict`, and `invalid_fields` for a lower band of an exposed user. */
  async decide(tx: Transaction, by: By, account: Account, { band, note, version }: RiskDecision): Promise<RiskFile> {
    const before = await this.#require(tx, account);
    if (before.version !== version) {
      const members = { version, currentVersion: before.version };
      throw new RemesaError('conflict', 'version_conflict', 'The rating has changed since you read it.', { members });
    }
    const key = await this.#requireAllowed(tx, account, before, band);
    const inForce = band ?? before.ratedBand;
    const saved = await store.saveReview(tx, account, before, {
      band: inForce,
      chosenBand: band,
      reviewedBy: operatorOf(by),
      sealedNote: seal(key, Buffer.from(note), noteBinding(account)),
      months: reviewedAfterMonths[inForce],
    });
    await audit(tx, by, account, 'risk.reviewed', { band: inForce, bandBefore: before.band });
    return this.#open(tx, account, saved);
  }

  /** When nothing of the user is kept any more. */
  async forget(tx: Transaction, account: Account): Promise<void> {
    await this.#options.forgetApprovals(tx, account.merchantId, [recordOf(account)]);
    await store.deleteRating(tx, account);
  }

  async #require(tx: Transaction, account: Account): Promise<store.StoredRating> {
    await this.#options.users.lock(tx, account.merchantId, account.userId);
    const rating = await store.findRating(tx, account);
    if (!rating) throw userNotFound();
    return rating;
  }

  /** Returns the key of what is sealed. */
  async #requireAllowed(
    tx: Transaction,
    account: Account,
    { sealedBecause, ratedBand }: store.StoredRating,
    band: RiskBand | undefined,
  ): Promise<Buffer> {
    const key = await this.#options.users.retainedKey(tx, account.merchantId, account.userId);
    if (!key) throw userNotFound();
    if (isHigher(ratedBand, band ?? ratedBand) && isAboutExposure(openBecause(key, account, sealedBecause)))
      throw invalidField('band', 'exposed', 'Nobody lowers the risk of who is politically exposed.');
    return key;
  }

  async #open(tx: Transaction, account: Account, rating: store.StoredRating): Promise<RiskFile> {
    const key = await this.#options.users.retainedKey(tx, account.merchantId, account.userId);
    if (!key) throw userNotFound();
    const { review } = rating;
    return {
      ...rating,
      because: openBecause(key, account, rating.sealedBecause),
      note: review && open(key, review.sealedNote, noteBinding(account)).toString(),
    };
  }
}

function lookOf(band: RiskBand): CloserLook {
  const because = `The risk of the user is ${band}.`;
  return { because, percentOfLimits: shareOfLimits[band], isEachOrder: band === 'high' };
}

function newRating(key: Buffer, account: Account, rated: Rated, band: RiskBand): store.NewRating {
  const { points, band: ratedBand, because } = rated;
  const sealedBecause = seal(key, Buffer.from(JSON.stringify(because)), becauseBinding(account));
  return { band, ratedBand, points, sealedBecause, months: reviewedAfterMonths[band] };
}

function openBecause(key: Buffer, account: Account, sealed: Buffer): readonly RiskPoints[] {
  return JSON.parse(open(key, sealed, becauseBinding(account)).toString()) as RiskPoints[];
}

export function recordOf({ userId }: Pick<Account, 'userId'>): string {
  return `risk:${userId}`;
}

function becauseBinding({ merchantId, userId }: Account): string {
  return bindingOf('risk_ratings', 'sealed_because', merchantId, userId);
}

function noteBinding({ merchantId, userId }: Account): string {
  return bindingOf('risk_ratings', 'sealed_note', merchantId, userId);
}

function audit(
  tx: Transaction,
  by: By,
  account: Account,
  action: string,
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  return recordChange(tx, by, { merchantId: account.merchantId, action, subject: recordOf(account), details });
}
