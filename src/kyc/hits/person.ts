/** What is known of a user, as screening asks for it: every name, the birth date, and the countries. */
import { createHmac } from 'node:crypto';
import type { MerchantId, UserId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Subject } from '../../screening/screening.js';
import type { SealedUser } from '../../users/personal-data.js';
import type { OpenedUser, UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import type { Answers } from '../cases/requirements.js';
import { declaredNames, distinct, documentNames, fullName } from '../checks/person-names.js';
import { openSubmission } from '../submissions/sealed.js';
import { type LastSubmission, listLastSubmissions } from './people-store.js';

export interface Person {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  /** As the merchant registered the user. */
  readonly profile: Profile;
  readonly subject: Subject;
}

/** What is known of several users of a merchant, read in two statements. Each is opened when it is asked for. */
export class People {
  readonly #users: UserService;
  readonly #sealed: ReadonlyMap<UserId, SealedUser>;
  readonly #submissions: ReadonlyMap<UserId, readonly LastSubmission[]>;

  private constructor(
    users: UserService,
    sealed: ReadonlyMap<UserId, SealedUser>,
    submissions: ReadonlyMap<UserId, readonly LastSubmission[]>,
  ) {
    this.#users = users;
    this.#sealed = sealed;
    this.#submissions = submissions;
  }

  static async gather(
    users: UserService,
    database: Queryable,
    merchantId: MerchantId,
    userIds: readonly UserId[],
  ): Promise<People> {
    const [sealed, submissions] = await Promise.all([
      users.list(database, merchantId, userIds),
      listLastSubmissions(database, merchantId, userIds),
    ]);
    return new People(users, sealed, submissions);
  }

  /** `person` is undefined for a deleted user. Throws when the profile, a key or a submission cannot be opened. */
  open(userId: UserId): OpenedUser & { readonly person: Person | undefined } {
    const sealed = this.#sealed.get(userId);
    if (!sealed) return { profile: undefined, retainedKey: undefined, person: undefined };
    const opened = this.#users.open(sealed);
    const { profile, retainedKey } = opened;
    if (!profile || !retainedKey) return { ...opened, person: undefined };
    const submitted = (this.#submissions.get(userId) ?? []).map((submission) => ({
      answers: openSubmission(retainedKey, submission.kycCase, submission),
      isVerified: submission.isVerified,
    }));
    const { merchantId } = sealed;
    return { ...opened, person: { merchantId, userId, profile, subject: subjectOf(profile, submitted) } };
  }
}

interface Submitted {
  readonly answers: Answers;
  readonly isVerified: boolean;
}

/** The names of all submissions count. The birth date is that of the newest one that was verified, else the newest. */
function subjectOf(profile: Profile, newestFirst: readonly Submitted[]): Subject {
  const answers = newestFirst.map((submitted) => submitted.answers);
  const verified = newestFirst.filter(({ isVerified }) => isVerified).map((submitted) => submitted.answers);
  const names = [
    fullName(profile.firstName, profile.lastName),
    ...answers.flatMap((each) => [...declaredNames(each), ...documentNames(each)]),
  ];
  const countries = [
    profile.countryCode,
    ...answers.flatMap(({ nationality, countryCode, documentCountry, nationalIdCountry }) => [
      nationality,
      countryCode,
      documentCountry,
      nationalIdCountry,
    ]),
  ];
  const birthDate = [...verified, ...answers].find(({ dateOfBirth }) => dateOfBirth !== undefined)?.dateOfBirth;
  return {
    kind: 'person',
    names: distinct(names),
    countries: distinct(countries),
    isVerified: verified.length > 0,
    ...(birthDate === undefined ? {} : { birthDate }),
  };
}

/** A keyed hash: equal as long as nothing that screening compares has changed, of no use without the key. */
export function hashPerson(key: Buffer, { merchantId, userId, subject }: Person): Buffer {
  const { names, birthDate = '', countries = [] } = subject;
  return createHmac('sha256', key)
    .update(JSON.stringify([merchantId, userId, [...names].sort(), birthDate, [...countries].sort()]))
    .digest();
}
