/** Checks one journal by itself: that the service wrote it so, completely, and that it sums to zero. Pure. */
import { sumsByCurrency } from '../journal.js';
import { journalIdText } from '../journal-id.js';
import type { LedgerSealer } from './seal.js';
import type { SealedJournal } from './sealed-journal.js';

/** Returns what is wrong, in sentences that name the journal and the posting. */
export function journalFaults(sealer: LedgerSealer, journal: SealedJournal, number?: bigint): string[] {
  const name = nameOf(journal, number);
  const { seal, postings } = journal;
  const expected = (seal.length - 32) / 8;
  const faults: string[] = [];
  if (!sealer.isHeadGenuine(journal, seal)) faults.push(`${name} was not written by the service, or was changed`);
  for (let position = 1; position <= expected; position += 1)
    if (!postings.some((posting) => posting.position === position))
      faults.push(`posting ${position} of ${name} is missing`);
  for (const posting of postings) {
    const { position } = posting;
    if (position > expected) faults.push(`posting ${position} of ${name} was added`);
    else if (!sealer.isPostingGenuine(journal, seal, position, posting))
      faults.push(`posting ${position} of ${name} was changed`);
  }
  for (const [currency, sum] of sumsByCurrency(postings))
    if (sum !== 0n) faults.push(`${name} does not sum to zero in ${currency}`);
  return faults;
}

export function nameOf({ merchantId, journalId }: SealedJournal, number?: bigint): string {
  const id = journalIdText(merchantId, journalId);
  return number === undefined ? `journal ${id}` : `journal ${number} (${id})`;
}
