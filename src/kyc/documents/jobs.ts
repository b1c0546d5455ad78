/** The jobs of documents: delete files without a row, and documents whose key was destroyed. */
import type { Clock } from '../../clock.js';
import type { DocumentFiles } from '../../documents/document-files.js';
import { fileSweep } from '../../documents/file-sweep.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import { doOneByOne } from '../../worker/one-by-one.js';
import type { Job } from '../../worker/worker.js';
import { type ClosedCase, closedCasesAfter, filesInUse, removeDocumentsOf } from './document-store.js';

const batchSize = 200;

/** Files remain after a rollback, after a document was removed, and after a crash between file and row. */
export function sweepFilesJob(database: Database, files: DocumentFiles, clock: Clock, log: Log): Job {
  const inUse = (names: readonly string[]) => filesInUse(database, names);
  return fileSweep({ name: 'kyc.sweep-document-files', files, inUse, clock, log });
}

/** Returns whether the user's retained key was destroyed. The users room provides it. */
export type IsKeyGone = (database: Queryable, merchantId: MerchantId, userId: UserId) => Promise<boolean>;

/** Removes documents of erased users after the retention period, when nobody can open them any more. */
export function removeErasedJob(database: Database, isKeyGone: IsKeyGone, log: Log): Job {
  return {
    name: 'kyc.remove-erased-documents',
    everySeconds: 3600,
    async run(signal) {
      let last: ClosedCase | undefined;
      const next = async () => {
        const cases = await closedCasesAfter(database, last, batchSize);
        last = cases.at(-1);
        return cases;
      };
      const work = (closed: ClosedCase) => removeIfGone(database, closed, isKeyGone);
      const onFailure = ({ caseId }: ClosedCase, err: unknown) =>
        log.error({ caseId, err }, 'documents of an erased user cannot be removed');
      await doOneByOne({ next, work, onFailure }, signal);
      return 0;
    },
  };
}

async function removeIfGone(database: Database, closed: ClosedCase, isKeyGone: IsKeyGone): Promise<boolean> {
  if (!(await isKeyGone(database, closed.merchantId, closed.userId))) return false;
  await database.transaction((tx) => removeDocumentsOf(tx, closed));
  return true;
}
