/**
 * What the operator writes into SCREENING_LISTS: `ofac:/var/lists/ofac, opensanctions:/var/lists/targets.simple.csv`.
 */
import { isAbsolute } from 'node:path';

export interface ScreeningListEntry {
  readonly name: string;
  readonly format: 'ofac' | 'opensanctions';
  readonly path: string;
}

export interface ScreeningListEntries {
  readonly entries: readonly ScreeningListEntry[];
  readonly faults: readonly string[];
}

export function readScreeningListEntries(text: string): ScreeningListEntries {
  const entries: ScreeningListEntry[] = [];
  const faults: string[] = [];
  if (text.trim() === '') return { entries, faults };
  for (const [index, written] of text.split(',').entries()) {
    const entry = entryOf(written.trim(), entries);
    if (typeof entry === 'string') faults.push(`entry ${index + 1} ${entry}`);
    else entries.push(entry);
  }
  return { entries, faults };
}

/** A text tells what is wrong. */
function entryOf(written: string, before: readonly ScreeningListEntry[]): ScreeningListEntry | string {
  const [, format, path = ''] = /^(ofac|opensanctions):(.*)$/.exec(written) ?? [];
  if (format !== 'ofac' && format !== 'opensanctions') {
    return `must be ofac:PATH or opensanctions:PATH, not ${JSON.stringify(written)}`;
  }
  if (!isAbsolute(path)) return `needs an absolute path after ${format}:, not ${JSON.stringify(path)}`;
  if (before.some((entry) => entry.path === path)) return `names ${path} a second time`;
  const count = before.filter((entry) => entry.format === format).length + 1;
  return { name: count === 1 ? format : `${format}-${count}`, format, path };
}
