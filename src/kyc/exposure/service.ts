/** The verbs about politically exposed users: management accepts one, with a reason, for a year. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { userNotFound } from '../../errors.js';
import type { MerchantId, UserId } from '../../ids.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import type { Account } from '../../persons/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { exposureRecordOf } from '../hits/hit.js';
import type { RateRisk } from '../hits/review-service.js';
import { type Acceptance, exposureOf, needsManagement, reviewedAfterMonths } from './acceptance.js';
import { addAcceptance, findLastAcceptance, listUnaccepted } from './store.js';

type Users = Pick<UserService, 'lock' | 'retainedKey'>;

export interface AcceptanceFile extends Acceptance {
  readonly note: string;
}

export class ExposureService {
  readonly #users: Users;
  readonly #rateRisk: RateRisk;

  constructor(users: Users, rateRisk: RateRisk) {
    this.#users = users;
    this.#rateRisk = rateRisk;
  }

  /** Throws `user_not_found`. */
  async reviewAcceptance(tx: Transaction, user: Account): Promise<ApprovalSubject> {
    await this.#keyOf(tx, user);
    const last = await findLastAcceptance(tx, user);
    return { subject: exposureRecordOf(user), version: String(last?.number ?? 0) };
  }

  /** Throws `user_not_found`, also when nothing of the user is kept any more. */
  async accept(tx: Transaction, by: By, user: Account, note: string): Promise<AcceptanceFile> {
    const key = await this.#keyOf(tx, user);
    const number = ((await findLastAcceptance(tx, user))?.number ?? 0) + 1;
    const acceptedBy = operatorOf(by);
    const sealedNote = seal(key, Buffer.from(note), placeOf(user, number));
    const accepted = await addAcceptance(tx, user, { number, sealedNote, acceptedBy, months: reviewedAfterMonths });
    const { merchantId } = user;
    await recordChange(tx, by, { merchantId, action: 'exposure.accepted', subject: exposureRecordOf(user) });
    await this.#rateRisk(tx, user);
    return { ...accepted, note };
  }

  /** The newest, also one that no longer holds. Whoever reads it is audited by the caller. */
  async last(tx: Transaction, user: Account): Promise<(AcceptanceFile & { readonly isValid: boolean }) | undefined> {
    const [found, key] = [
      await findLastAcceptance(tx, user),
      await this.#users.retainedKey(tx, user.merchantId, user.userId),
    ];
    if (!found || !key) return undefined;
    return { ...found, note: open(key, found.sealedNote, placeOf(user, found.number)).toString() };
  }

  /** Throws `kyc_case_needs_management` for an exposed user whom management has not accepted within the year. */
  async requireAccepted(database: Queryable, user: Account, ...exposed: Parameters<typeof exposureOf>): Promise<void> {
    const exposure = exposureOf(...exposed);
    if (exposure.length === 0 || (await findLastAcceptance(database, user))?.isValid) return;
    throw needsManagement(exposure);
  }

  /** Those of the users who are exposed, and whom management has not accepted within the year. */
  listUnaccepted(database: Queryable, merchantId: MerchantId, users: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    return listUnaccepted(database, merchantId, users);
  }

  async #keyOf(tx: Transaction, { merchantId, userId }: Account): Promise<Buffer> {
    await this.#users.lock(tx, merchantId, userId);
    const key = await this.#users.retainedKey(tx, merchantId, userId);
    if (!key) throw userNotFound();
    return key;
  }
}

function placeOf({ merchantId, userId }: Account, number: number): string {
  return bindingOf('exposure_acceptances', 'sealed_note', merchantId, userId, number);
}
