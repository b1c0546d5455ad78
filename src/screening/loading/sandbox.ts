/** Indexes the list of the sandbox. It has six entries, so that no thread is needed. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { sandboxList } from '../lists/sandbox-list.js';
import { NameIndex } from '../matching/name-index.js';
import { indexEntries } from './read-list.js';
import type { LoadedList } from './watched-list.js';

export function loadSandboxList(clock: Clock): LoadedList {
  const { entries, names, persons, organisations } = indexEntries(sandboxList);
  return {
    name: 'sandbox',
    version: createHash('sha256').update(JSON.stringify(sandboxList)).digest('hex').slice(0, 32),
    entries,
    names,
    loadedAt: clock.now(),
    persons: new NameIndex(persons),
    organisations: new NameIndex(organisations),
  };
}
