/** What operators see of one person: found by anything that is known, and shown with an entry in the audit log. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidFields, userNotFound } from '../../errors.js';
import { instanceTenant, type MerchantId, type UserId } from '../../ids.js';
import type { KycCase } from '../../kyc/cases/case.js';
import type { Hit } from '../../kyc/hits/hit.js';
import type { HitService } from '../../kyc/hits/service.js';
import type { KycService } from '../../kyc/service.js';
import { merchantIdOf } from '../../merchants/service.js';
import type { LimitService } from '../../orders/limits/service.js';
import type { UserLimits } from '../../orders/limits/user-limits.js';
import type { OrderDesk } from '../../orders/operator/desk/service.js';
import type { Order } from '../../orders/order/order.js';
import type { AccountIndex } from '../../orders/rules/account-index.js';
import type { BlockId } from '../../persons/blocks/block.js';
import type { BlockService } from '../../persons/blocks/service.js';
import { identifiersOf, type KnownData } from '../../persons/identifier.js';
import type { Account, PersonIndex } from '../../persons/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { RiskFile, RiskService } from '../../risk/service.js';
import { knownProfile } from '../../users/known-profile.js';
import type { UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import type { CaseId } from '../case/case.js';
import type { CaseService } from '../case/service.js';
import type { Alert } from '../monitoring/alert.js';
import { listAlertsOf } from '../monitoring/alert-store.js';
import { readUserNotes, type UserNote, writeUserNote } from './notes.js';

export interface PeopleOptions {
  readonly users: UserService;
  readonly cases: Pick<CaseService, 'casesOf'>;
  readonly persons: Pick<PersonIndex, 'find' | 'accountsOf'>;
  readonly blocks: Pick<BlockService, 'find'>;
  readonly kyc: Pick<KycService, 'listCases'>;
  readonly hits: Pick<HitService, 'listOf'>;
  readonly desk: Pick<OrderDesk, 'list'>;
  readonly limits: Pick<LimitService, 'limitsOf'>;
  readonly accounts: Pick<AccountIndex, 'findSenders'>;
  readonly risk: Pick<RiskService, 'find'>;
}

export interface PersonSearch extends KnownData {
  /** An account that money was sent to. */
  readonly account?: string | undefined;
}

export interface PersonFile extends Account {
  readonly externalClientId: string;
  readonly isDeleted: boolean;
  /** Of a deleted user what the law wants kept. */
  readonly profile: Profile | undefined;
  readonly limits: UserLimits | undefined;
  readonly cases: readonly KycCase[];
  readonly hits: readonly Hit[];
  readonly orders: readonly Order[];
  readonly samePerson: readonly Account[];
  readonly blocks: readonly BlockId[];
  readonly notes: readonly UserNote[];
  /** At payments of any user of the person. */
  readonly alerts: readonly Alert[];
  readonly complianceCases: readonly CaseId[];
  /** Undefined for a user who was never rated, and when nothing is kept any more. */
  readonly risk: RiskFile | undefined;
}

const ordersShown = 100;

export class PeopleService {
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** Each search is audited, without what was searched for. Throws `invalid_fields` for a number without a country. */
  async search(tx: Transaction, by: By, { account, ...known }: PersonSearch): Promise<readonly Account[]> {
    const { persons, accounts } = this.#options;
    const faults = (['document', 'nationalId'] as const)
      .filter((name) => known[`${name}Number`] !== undefined && known[`${name}Country`] === undefined)
      .map((name) => ({ field: `${name}Country`, code: 'required', message: 'must be given with the number' }));
    if (faults.length > 0) throw invalidFields(faults);
    const identifiers = identifiersOf(known);
    const [byData, bySent] = [
      identifiers.length > 0 ? await persons.find(tx, identifiers) : undefined,
      account === undefined ? undefined : await accounts.findSenders(tx, account),
    ];
    const details = {
      criteria: [...identifiers.map(({ kind }) => kind), ...(account === undefined ? [] : ['account'])],
    };
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'person.searched',
      subject: 'persons:search',
      details,
    });
    if (!byData || !bySent) return byData ?? bySent ?? [];
    return byData.filter((found) => bySent.some((sent) => isSame(found, sent)));
  }

  /** Each reading is audited. Throws `merchant_not_found` and `user_not_found`. */
  async look(tx: Transaction, by: By, clientId: string, userId: UserId): Promise<PersonFile> {
    const { users, persons, blocks, kyc, hits, desk } = this.#options;
    const merchantId = await merchantIdOf(tx, clientId);
    const sealed = (await users.list(tx, merchantId, [userId])).get(userId);
    if (!sealed) throw userNotFound();
    const isDeleted = sealed.sealedProfile === undefined;
    const profile = await knownProfile(users, tx, merchantId, userId);
    const filter = { merchantId, userId, states: undefined, from: undefined, to: undefined };
    const [accounts, [named = []], cases, found, orders, limits] = await Promise.all([
      persons.accountsOf(tx, merchantId, [userId]),
      blocks.find(tx, [{ users: [{ merchantId, userId }], accounts: [] }]),
      kyc.listCases(tx, merchantId, userId),
      hits.listOf(tx, merchantId, userId),
      desk.list(tx, filter, { after: undefined, limit: ordersShown }),
      this.#limitsOf(tx, merchantId, userId, isDeleted ? undefined : profile),
    ]);
    const samePerson = (accounts.get(userId) ?? []).slice(1);
    await recordChange(tx, by, { merchantId, action: 'user.looked_at', subject: `user:${userId}` });
    return {
      merchantId,
      userId,
      externalClientId: sealed.externalClientId,
      isDeleted,
      profile,
      limits,
      cases,
      hits: found,
      orders,
      samePerson,
      blocks: named.map(({ blockId }) => blockId),
      notes: await readUserNotes(tx, users, { merchantId, userId }),
      alerts: await listAlertsOf(tx, [{ merchantId, userId }, ...samePerson]),
      complianceCases: await this.#options.cases.casesOf(tx, merchantId, userId),
      risk: await this.#options.risk.find(tx, { merchantId, userId }),
    };
  }

  /** Throws `merchant_not_found` and `user_not_found`. */
  async note(tx: Transaction, by: By, clientId: string, userId: UserId, note: string): Promise<void> {
    const merchantId = await merchantIdOf(tx, clientId);
    await writeUserNote(tx, by, this.#options.users, { merchantId, userId }, note);
  }

  async #limitsOf(
    tx: Transaction,
    merchantId: MerchantId,
    userId: UserId,
    profile: Profile | undefined,
  ): Promise<UserLimits | undefined> {
    return profile && this.#options.limits.limitsOf(tx, { merchantId, userId }, profile.countryCode);
  }
}

function isSame(one: Account, other: Account): boolean {
  return one.merchantId === other.merchantId && one.userId === other.userId;
}
