/** Checks a stretch of one merchant's history, journal by journal. Pure: it reads nothing. */
import { journalFaults, nameOf } from '../sealing/journal-check.js';
import type { LedgerEnd, LedgerSealer } from '../sealing/seal.js';
import type { NumberedJournal } from './verify-store.js';

export class HistoryCheck {
  #end: LedgerEnd;

  constructor(
    readonly sealer: LedgerSealer,
    start: LedgerEnd,
  ) {
    this.#end = start;
  }

  /** The last journal that was checked. */
  get end(): LedgerEnd {
    return this.#end;
  }

  /** Returns what is wrong with the next journal, in sentences that name it. */
  check(journal: NumberedJournal): string[] {
    const { merchantId, number, hash } = journal;
    const faults = journalFaults(this.sealer, journal, number);
    const expected = this.#end.number + 1n;
    if (number > expected) faults.push(missing(expected, number - 1n));
    else if (!hash.equals(this.sealer.chainHash(merchantId, this.#end.hash, number, journal)))
      faults.push(`${nameOf(journal, number)} is not at its place in the history`);
    this.#end = { number, hash };
    return faults;
  }

  /** Call it after the last journal. `end` is where the history must end. */
  finish(end: LedgerEnd): string[] {
    if (this.#end.number < end.number) return [missing(this.#end.number + 1n, end.number)];
    return this.#end.hash.equals(end.hash)
      ? []
      : [`the history does not end with journal ${end.number} as it was numbered`];
  }
}

function missing(from: bigint, to: bigint): string {
  return from === to ? `journal ${from} is missing` : `journals ${from} to ${to} are missing`;
}
