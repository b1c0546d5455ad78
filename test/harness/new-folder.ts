import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of a test. The end of the run removes it. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'files-'));
}
