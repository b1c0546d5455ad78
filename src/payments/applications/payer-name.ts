/** Whether the name of a payer can be the user's. Pure. */
import { nameSimilarity } from '../../screening/matching/compare-names.js';
import { withoutInvisible } from '../../visible-text.js';

/** Of 100. Lets through what banks do to names: order, case, accents, initials of middle names, a typing error. */
const similarScore = 75;

export function isUnlike(payerName: string, user: { readonly firstName: string; readonly lastName: string }): boolean {
  const name = `${user.firstName} ${user.lastName}`;
  if (plainName(name) === plainName(payerName)) return false;
  return nameSimilarity(name, [payerName]) < similarScore;
}

/** Without invisible characters, case, accents, punctuation and the order of the words. */
export function plainName(name: string): string {
  return withoutInvisible(name)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .sort()
    .join(' ')
    .trim();
}
