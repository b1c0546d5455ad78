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
    const ranked = sorted.toSorted((left, right) => rankOf(left) - rankOf(right));
    return alternate(ranked, '/test/browser/', '/test/faults/');
  }
}

/** Files of the two folders take turns: the ones keep the processors busy, the others mostly wait. */
function alternate(files: readonly TestSpecification[], busy: string, waiting: string): TestSpecification[] {
  const inFolder = (folder: string) => files.filter(({ moduleId }) => moduleId.includes(folder));
  const [busyFiles, waitingFiles] = [inFolder(busy), inFolder(waiting)];
  const pairs = waitingFiles.flatMap((file, index) => [...busyFiles.slice(index, index + 1), file]);
  const first = new Set([...pairs, ...busyFiles]);
  return [...first, ...files.filter((file) => !first.has(file))];
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = slowFolders.findIndex((folder) => moduleId.includes(folder));
  return index === -1 ? slowFolders.length : index;
}
