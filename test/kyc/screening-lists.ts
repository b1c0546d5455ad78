/** Screening lists that a test can replace at any moment, indexed and searched as real ones are. */
import { createHash } from 'node:crypto';
import type { ListEntry } from '../../src/screening/lists/entry.js';
import { sandboxList } from '../../src/screening/lists/sandbox-list.js';
import { indexEntries } from '../../src/screening/loading/indexed-list.js';
import { ScreeningSnapshot, type Usability } from '../../src/screening/snapshot.js';

export class TestLists {
  usability: Usability = { isUsable: true };
  loadedAt = new Date();
  #entries: readonly ListEntry[] = sandboxList;

  replace(entries: readonly ListEntry[]): void {
    this.#entries = entries;
    this.loadedAt = new Date(Math.max(Date.now(), this.loadedAt.getTime() + 1));
  }

  snapshot(): ScreeningSnapshot {
    const { persons, organisations, exposed } = indexEntries(this.#entries);
    const version = createHash('sha256').update(JSON.stringify(this.#entries)).digest('hex').slice(0, 32);
    const list = { name: 'test', version, persons, organisations, exposed };
    return new ScreeningSnapshot([list], this.usability, { matchScore: 80, strongScore: 95 });
  }

  listStatuses() {
    return [{ loadedAt: this.loadedAt }];
  }
}

export function listedPerson(id: string, ...names: string[]): ListEntry {
  return { id, kind: 'person', names, birthDates: [], countries: [] };
}
