/** What a sender accepted before paying: which text, and what it says. Pure. */
import { RemesaError } from '../../errors.js';
import type { Licensee } from '../../licensee/licensee.js';
import type { Locale } from '../../locale.js';
import type { Disclosure } from './disclosure.js';
import { type DisclosureView, viewOfDisclosure } from './schemas.js';
import { wordingOf } from './wording.js';

export interface Acceptance {
  readonly textHash: string;
  readonly language: Locale;
}

/** `simulated`: the sandbox plays a sender who reads nothing. */
export type GivenAcceptance = Acceptance | 'simulated' | undefined;

/** The disclosure as the sender saw it. */
export type AcceptedDisclosure = DisclosureView;

/** Throws `disclosure_not_accepted` where the operator demands an acceptance. */
export function requireAcceptance(
  { acceptedDisclosure = 'optional' }: Pick<Licensee, 'acceptedDisclosure'>,
  given: GivenAcceptance,
): Acceptance | undefined {
  if (given === 'simulated') return undefined;
  if (given === undefined && acceptedDisclosure === 'required')
    throw new RemesaError(
      'impossible',
      'disclosure_not_accepted',
      'Each order must say which disclosure was accepted.',
    );
  return given;
}

/** Throws `disclosure_changed` when the sender accepted another text. */
export function requireSameText(disclosure: Disclosure, { textHash, language }: Acceptance): AcceptedDisclosure {
  const wording = wordingOf(disclosure, language);
  if (wording.textHash !== textHash)
    throw new RemesaError('conflict', 'disclosure_changed', 'The disclosure is not the one that was accepted.', {
      members: { textHash: wording.textHash, language },
    });
  return viewOfDisclosure(disclosure, wording);
}
