/** All entries of one list: the persons and the organisations, each in an index of their own. */
import type { ListEntry } from '../lists/entry.js';
import { NameIndex } from '../matching/name-index.js';

export class IndexedList {
  entries = 0;
  names = 0;
  screened = 0;
  readonly persons = new NameIndex('person');
  readonly organisations = new NameIndex('organisation');
  /** People who are politically exposed, and no more. */
  readonly exposed = new NameIndex('person');

  add(entry: ListEntry): void {
    this.entries += 1;
    this.names += entry.names.length;
    if (entry.kind !== 'other') this.screened += 1;
    if (entry.isExposure) {
      this.exposed.add(entry);
      return;
    }
    this.persons.add(entry);
    this.organisations.add(entry);
  }
}

export function indexEntries(entries: readonly ListEntry[]): IndexedList {
  const list = new IndexedList();
  for (const entry of entries) list.add(entry);
  return list;
}
