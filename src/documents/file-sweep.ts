/** The job that deletes files without a row. */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { doOneByOne } from '../worker/one-by-one.js';
import type { Job } from '../worker/worker.js';
import type { DocumentFiles } from './document-files.js';

/** Far longer than any transaction that may still commit the row of a file. */
const graceMs = 3600 * 1000;
const batchSize = 200;

export interface FileSweep {
  readonly name: string;
  readonly files: DocumentFiles;
  /** Which of these files belong to a document. */
  readonly inUse: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly log: Log;
}

export function fileSweep({ name: jobName, files, inUse: findInUse, clock, log }: FileSweep): Job {
  return {
    name: jobName,
    everySeconds: 3600,
    async run(signal) {
      const then = new Date(clock.now().getTime() - graceMs);
      for await (const names of files.writtenBefore(then, batchSize)) {
        if (signal.aborted) break;
        const inUse = await findInUse(names);
        await doOneByOne<string>(
          {
            next: onceOnly(names.filter((name) => !inUse.has(name))),
            work: async (name) => files.remove(name).then(() => true),
            onFailure: (name, err) => log.error({ file: name, err }, 'document file cannot be removed'),
          },
          signal,
        );
      }
      return 0;
    },
  };
}

/** Returns the items at the first call only. */
function onceOnly<Item>(items: readonly Item[]): () => Promise<readonly Item[]> {
  const pages = [items];
  return async () => pages.shift() ?? [];
}
