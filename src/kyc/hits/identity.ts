/** What a user has said of the own identity in forms: for those who must tell it with a payment. */
import type { MerchantId, UserId } from '../../ids.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Answers } from '../cases/requirements.js';
import { openSubmission } from '../submissions/sealed.js';
import { listLastSubmissions } from './people-store.js';

export interface KnownIdentity {
  /** As YYYY-MM-DD. */
  readonly birthDate: string | undefined;
  readonly birthPlace: string | undefined;
  readonly document: { readonly number: string; readonly country: string | undefined } | undefined;
}

/** Undefined when the user has submitted no form. Throws when a submission cannot be opened. */
export type OpenIdentity = (retainedKey: Buffer) => KnownIdentity | undefined;

/** One statement, which needs no key: what it read is opened later. */
export async function readIdentity(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<OpenIdentity> {
  const submissions = (await listLastSubmissions(database, merchantId, [userId])).get(userId) ?? [];
  return (retainedKey) => {
    if (submissions.length === 0) return undefined;
    const answers = submissions.map((submission) => openSubmission(retainedKey, submission.kycCase, submission));
    return identityOf(answers);
  };
}

/** The newest answer to each question counts. A passport or card counts before a national number. */
function identityOf(newestFirst: readonly Answers[]): KnownIdentity {
  const documents = newestFirst.map((each) => documentIn(each.documentNumber, each.documentCountry));
  const numbers = newestFirst.map((each) => documentIn(each.nationalIdNumber, each.nationalIdCountry));
  return {
    birthDate: newestFirst.find(({ dateOfBirth }) => dateOfBirth)?.dateOfBirth,
    birthPlace: newestFirst.find(({ placeOfBirth }) => placeOfBirth)?.placeOfBirth,
    document: [...documents, ...numbers].find((found) => found !== undefined),
  };
}

function documentIn(number: string | undefined, country: string | undefined): KnownIdentity['document'] {
  return number ? { number, country } : undefined;
}
