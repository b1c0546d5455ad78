/** A new version of a list that lost too much is more likely torn than true. */
import { ListFault } from '../lists/list-fault.js';

interface Counts {
  readonly entries: number;
  readonly names: number;
}

/** Throws `ListFault` when more than so many percent of the entries or names are gone. */
export function refuseShrunken(before: Counts, list: Counts, percent: number): void {
  const least = 1 - percent / 100;
  for (const count of ['entries', 'names'] as const) {
    if (list[count] < before[count] * least) {
      throw new ListFault(
        `The new version has ${list[count]} ${count}, the one before has ${before[count]}: more than ${percent} % are gone.`,
      );
    }
  }
}
