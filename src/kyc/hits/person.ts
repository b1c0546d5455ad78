/** What is known of a user, as screening asks for it: every name, the birth date, and the countries. */
import { createHmac } from 'node:crypto';
import type { MerchantId, UserId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Subject } from '../../screening/screening.js';
import type { UserService } from '../../users/service.js';
import type { Profile } from '../../users/user.js';
import type { KycCase } from '../case.js';
import { lastSubmission } from '../form/store.js';
import type { Answers } from '../requirements.js';
import { openSubmission } from '../sealed.js';
import { listCasesOfUser } from '../store.js';
import { declaredNames, distinct, documentNames, fullName } from './person-names.js';

export interface Person {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  /** As the merchant registered the user. */
  readonly profile: Profile;
  readonly subject: Subject;
}

/** Returns undefined for a deleted user. Throws when a submission cannot be opened. */
export async function gatherPerson(
  users: UserService,
  database: Queryable,
  merchantId: MerchantId,
  userId: UserId,
): Promise<Person | undefined> {
  const [profile, key, cases] = await Promise.all([
    users.profile(database, merchantId, userId),
    users.retainedKey(database, merchantId, userId),
    listCasesOfUser(database, merchantId, userId),
  ]);
  if (!profile || !key) return undefined;
  const submitted: Answers[] = [];
  for (const kycCase of newestFirst(cases)) {
    const submission = await lastSubmission(database, kycCase);
    if (submission) submitted.push(openSubmission(key, kycCase, submission));
  }
  return { merchantId, userId, profile, subject: subjectOf(profile, submitted) };
}

/** The names of all submissions count; the birth date is that of the newest. */
function subjectOf(profile: Profile, newestFirstAnswers: readonly Answers[]): Subject {
  const names = [
    fullName(profile.firstName, profile.lastName),
    ...newestFirstAnswers.flatMap((answers) => [...declaredNames(answers), ...documentNames(answers)]),
  ];
  const countries = [
    profile.countryCode,
    ...newestFirstAnswers.flatMap(({ nationality, countryCode, documentCountry, nationalIdCountry }) => [
      ...[nationality, countryCode, documentCountry, nationalIdCountry],
    ]),
  ];
  const birthDate = newestFirstAnswers.find(({ dateOfBirth }) => dateOfBirth !== undefined)?.dateOfBirth;
  return {
    kind: 'person',
    names: distinct(names),
    countries: distinct(countries),
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

function newestFirst(cases: readonly KycCase[]): KycCase[] {
  const time = ({ submittedAt }: KycCase) => submittedAt?.getTime() ?? 0;
  return cases
    .filter(({ submittedAt, isClosed }) => submittedAt !== undefined && !isClosed)
    .sort((left, right) => time(right) - time(left));
}
