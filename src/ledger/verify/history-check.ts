/**
 * Checks a stretch of one merchant's history: each change, its place in the chain, and the journals that it wrote.
 * Pure: it reads nothing.
 */
import { changeHash } from '../../changes/chain/chain.js';
import type { ChainedLink } from '../../changes/chain/sealed-change.js';
import { journalsDigest, sealedContent } from '../../changes/seal.js';
import { entriesAre } from '../../changes/verify/findings.js';
import type { Sealer } from '../../keys/sealer.js';
import type { ReadJournal } from '../journal-number-store.js';
import type { VerifiedTo } from '../ledger-store.js';
import { journalFaults, nameOf } from '../sealing/journal-check.js';
import type { LedgerSealer } from '../sealing/seal.js';

export class HistoryCheck {
  readonly #sealer: LedgerSealer;
  readonly #seal: Sealer;
  #reached: VerifiedTo;

  constructor(sealer: LedgerSealer, seal: Sealer, start: VerifiedTo) {
    this.#sealer = sealer;
    this.#seal = seal;
    this.#reached = start;
  }

  /** The last change that was checked, and how many journals there were until then. */
  get reached(): VerifiedTo {
    return this.#reached;
  }

  /** Returns what is wrong with the next change and its journals, in sentences that name them. */
  check(change: ChainedLink, journals: ReadonlyMap<bigint, ReadJournal>): string[] {
    const { number, hash, journalIds } = change;
    const { change: last, journals: before } = this.#reached;
    const expected = last.number + 1n;
    const faults: string[] = [];
    if (number > expected) faults.push(`${entriesAre(expected, number - 1n)} missing from the log of changes`);
    else if (!hash.equals(changeHash(last.hash, number, change)))
      faults.push(`entry ${number} of the log of changes or its place was changed`);
    if (!this.#seal(change.merchantId, sealedContent(change)).equals(change.seal))
      faults.push(`entry ${number} of the log of changes was changed`);
    const found = journalIds.map((journalId) => journals.get(journalId));
    const ofJournals = found.flatMap((journal, index) => this.#journalFaults(journal, before + BigInt(index + 1)));
    faults.push(...ofJournals);
    if (ofJournals.length === 0 && !hasDigest(change, found))
      faults.push(`the journals of entry ${number} of the log of changes are not those that it wrote`);
    this.#reached = { journals: before + BigInt(journalIds.length), change: { number, hash } };
    return faults;
  }

  #journalFaults(journal: ReadJournal | undefined, expected: bigint): string[] {
    if (!journal) return [`journal ${expected} is missing`];
    const faults = journalFaults(this.#sealer, journal, expected);
    if (journal.number !== expected) faults.push(`${nameOf(journal, expected)} is not at its place in the history`);
    return faults;
  }

  /** Call it after the last change. `end` is where the log must end, with at least so many journals. */
  finish(end: VerifiedTo): string[] {
    const { change, journals } = this.#reached;
    const faults: string[] = [];
    if (change.number < end.change.number)
      faults.push(`${entriesAre(change.number + 1n, end.change.number)} missing from the log of changes`);
    else if (!change.hash.equals(end.change.hash))
      faults.push(`the log of changes does not end with entry ${end.change.number} as it was numbered`);
    if (faults.length === 0 && journals < end.journals)
      faults.push(`no change wrote the journals after number ${journals}`);
    return faults;
  }
}

function hasDigest({ journalsDigest: digest }: ChainedLink, found: readonly (ReadJournal | undefined)[]): boolean {
  const written = found.flatMap((journal) => journal ?? []);
  const expected = journalsDigest(written);
  return digest === null ? expected === null : expected?.equals(digest) === true;
}
