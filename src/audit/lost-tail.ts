/**
 * Tells a lost end of the log from a change inside it. A failover to a standby that was behind, or an older backup, takes
 * the last entries and their heads out of the database together, while the file outside still has those heads.
 */
import type { AuditHead } from './audit.js';

/** Heads of the file for entries after the end of a log whose end is signed. */
export function headsOfLostTail(
  fileHeads: readonly AuditHead[],
  databaseHeads: readonly AuditHead[],
  end: bigint,
): readonly AuditHead[] {
  // Where only entries are missing, somebody deleted them: their heads are still in the database.
  const endsWithItsHead = databaseHeads.at(-1)?.sequence === end;
  return endsWithItsHead ? fileHeads.filter(({ sequence }) => sequence > end) : [];
}

/** Returns one fault, or none when nothing was lost. */
export function lostTailFaults(
  lost: readonly AuditHead[],
  end: bigint,
  isOtherwiseUnchanged: boolean,
): string[] {
  const newest = lost.at(-1);
  if (!newest) return [];
  return [
    `the database is behind its file of heads: entries ${end + 1n} to ${newest.sequence} were signed and are lost` +
      `${isOtherwiseUnchanged ? ', and nothing before them was changed' : ''}. ` +
      'A failover to a standby that was behind, or an older backup, does this; so does deleting the end of the log',
  ];
}
