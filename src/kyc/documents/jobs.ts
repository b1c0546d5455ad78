/** What time does to documents: files that nobody knows go, and what can't be opened any more goes too. */
import type { Clock } from '../../clock.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Job } from '../../worker/worker.js';
import type { DocumentFiles } from './document-files.js';
import { type ClosedCase, closedCasesAfter, filesInUse, removeDocumentsOf } from './document-store.js';

/** Far longer than any transaction lives whose row is still to come. */
const graceMs = 3600 * 1000;
const batchSize = 200;

/** After a transaction that was rolled back, a document that was taken away, or a crash between file and row. */
export function sweepFilesJob(database: Database, files: DocumentFiles, clock: Clock): Job {
  return {
    name: 'kyc.sweep-document-files',
    everySeconds: 3600,
    async run(signal) {
      const then = new Date(clock.now().getTime() - graceMs);
      for await (const names of files.writtenBefore(then, batchSize)) {
        if (signal.aborted) break;
        const inUse = await filesInUse(database, names);
        for (const name of names) if (!inUse.has(name)) await files.remove(name);
      }
      return 0;
    },
  };
}

/** Whether the user's retained key is gone for good; the users answer. */
export type IsKeyGone = (database: Queryable, merchantId: MerchantId, userId: UserId) => Promise<boolean>;

/** Of erased users, once the law keeps nothing of them any more: bytes that nobody can open are only in the way. */
export function removeErasedJob(database: Database, isKeyGone: IsKeyGone): Job {
  return {
    name: 'kyc.remove-erased-documents',
    everySeconds: 3600,
    async run(signal) {
      let after: ClosedCase | undefined;
      do {
        const cases = await closedCasesAfter(database, after, batchSize);
        for (const closed of cases) await removeIfGone(database, closed, isKeyGone);
        after = cases.at(-1);
      } while (after && !signal.aborted);
      return 0;
    },
  };
}

async function removeIfGone(database: Database, closed: ClosedCase, isKeyGone: IsKeyGone): Promise<void> {
  if (!(await isKeyGone(database, closed.merchantId, closed.userId))) return;
  await database.transaction((tx) => removeDocumentsOf(tx, closed));
}
