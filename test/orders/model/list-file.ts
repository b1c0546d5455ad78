/** A screening list in a file, which a test can replace. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class ListFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'remesa-model-'));
  readonly #file = join(this.folder, 'targets.simple.csv');
  readonly settings = {
    SCREENING_LISTS: `opensanctions:${this.#file}`,
    // A list of a few names loses a large part of itself with one of them.
    SCREENING_LIST_MAX_SHRINK_PERCENT: '100',
  };

  constructor() {
    this.write(alwaysListed);
  }

  write(names: readonly string[]): void {
    const rows = names.map((name, index) => `"NK-${index}","Person","${name}","","","mx"`);
    const head = '"id","schema","name","aliases","birth_date","countries"';
    writeFileSync(`${this.#file}.new`, [head, ...rows, ''].join('\n'));
    renameSync(`${this.#file}.new`, this.#file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const alwaysListed = ['Iris Blokwell'] as const;
export const sometimesListed = [...alwaysListed, 'Zenobio Quiroga Tamez'] as const;
