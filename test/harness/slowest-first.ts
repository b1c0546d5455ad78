import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow folders, the slowest first. */
const slowFolders = [
  '/test/browser/',
  '/test/faults/',
  '/test/kyc-documents/',
  '/test/commands/',
  '/test/kyc-form/',
  '/test/embedded/',
  '/test/webhooks/',
];

/**
 * Begins with the folders of slow files, so that no worker is left with one of them at the end. Vitest knows how long files
 * take from the run before, which a fresh clone has not had.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = slowFolders.findIndex((folder) => moduleId.includes(folder));
  return index === -1 ? slowFolders.length : index;
}
