/** The content of an entry as a short text, so that a decision about it holds until the entry changes. */
import { createHash } from 'node:crypto';
import { groupOf } from '../search-index/index-data.js';
import type { NameIndex } from './name-index.js';

/** Reads all names of the list once, which is fast enough for the few entries that match. */
export function entryHash(index: NameIndex, entry: number): string {
  const { data } = index;
  const names: string[] = [];
  for (let name = data.entryOfName.indexOf(entry); name >= 0; name = data.entryOfName.indexOf(entry, name + 1)) {
    names.push(index.names.read(name));
  }
  const births = groupOf(data.birthDatesOfEntry, entry);
  const countries = groupOf(data.countriesOfEntry, entry);
  return createHash('sha256')
    .update(JSON.stringify([names.sort(), [...births], [...countries].sort()]))
    .digest('hex')
    .slice(0, 32);
}
