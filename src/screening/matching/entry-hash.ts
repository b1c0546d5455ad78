/** The content of an entry as a short text, so that a decision about it holds until the entry changes. */
import { createHash } from 'node:crypto';
import type { ListEntry } from '../lists/entry.js';

export function entryHash({ names, birthDates, countries }: ListEntry): string {
  return createHash('sha256')
    .update(JSON.stringify([[...new Set(names)].sort(), birthDates, [...countries].sort()]))
    .digest('hex')
    .slice(0, 32);
}
