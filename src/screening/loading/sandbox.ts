/** Indexes the list of the sandbox. */
import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { sandboxList } from '../lists/sandbox-list.js';
import { indexEntries } from './indexed-list.js';
import type { LoadedList } from './watched-list.js';

export function loadSandboxList(clock: Clock): LoadedList {
  const { entries, names, persons, organisations, exposed } = indexEntries(sandboxList);
  const version = createHash('sha256').update(JSON.stringify(sandboxList)).digest('hex').slice(0, 32);
  return { name: 'sandbox', version, entries, names, loadedAt: clock.now(), persons, organisations, exposed };
}
