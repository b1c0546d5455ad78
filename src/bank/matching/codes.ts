/** What a bank's transaction code says about a line that is no payment of ours. Pure. */

const kinds: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['fee', /-(CHRG|COMM|FEES|TAXE|STAM|CHBG)$/],
  ['interest', /-(INTR|ADJT)$|^ACMT-MCOP-INTR/],
  ['own_transfer', /-(BOOK|ACON|ZABA|TOPG|SWEP)$|^CAMT-ACCB/],
  ['return', /-(RRTN|RPCR|RVSL|PRDD)$/],
];

/** The reason of a break by the code; undefined where it says nothing that helps. */
export function kindOfCode(code: string | undefined): string | undefined {
  return code === undefined ? undefined : kinds.find(([, pattern]) => pattern.test(code))?.[0];
}
