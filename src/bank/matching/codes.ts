/** What a bank's transaction code says about a line that is no payment of ours. Pure. */

import { type BankProfileName, bankProfiles } from '../../iso20022/profiles.js';

const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['fee', /-(CHRG|COMM|FEES|TAXE|STAM|CHBG)$/],
  ['interest', /-INTR$/],
  ['own_transfer', /-(BOOK|ACON|ZABA|TOPG|SWEP)$|^CAMT-ACCB/],
  ['return', /-(RRTN|RPCR|RVSL|PRDD)$/],
];

/** The reason of a break by the code; undefined where it says nothing that helps. */
export function kindOfCode(code: string | undefined, profile: BankProfileName): string | undefined {
  if (code === undefined) return undefined;
  if (bankProfiles[profile].interestCodes?.test(code)) return 'interest';
  return kinds.find(([, pattern]) => pattern.test(code))?.[0];
}
