/** Builds the part of the bank through which payments leave: batches, files, and the connections to the banks. */
import type { Clock } from '../../clock.js';
import type { FindPending } from '../../http/four-eyes.js';
import { deriveKey } from '../../keys/derive.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import { type BankConnection, connectionOf } from '../transport/connection.js';
import { OutgoingFiles, transportJob } from '../transport/outgoing.js';
import { FileSending } from '../transport/sending.js';
import { Collecting } from './collecting.js';
import { type BatchedPayments, batchJob } from './ports.js';
import { Releasing } from './releasing.js';
import { batchRoutes } from './routes.js';
import { BatchService } from './service.js';
import { listBatchTasks } from './task-store.js';
import { listUnfitTasks } from './unfit-store.js';

export interface BankPaymentOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly findPending: FindPending;
  readonly payments: BatchedPayments;
  readonly connections: readonly BankConnection[];
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
}

export function bankPaymentRoom(options: BankPaymentOptions) {
  const { database, rootKey, clock, log, findPending, payments, connections, isSendingHeld } = options;
  const files = new OutgoingFiles(deriveKey(rootKey, 'bank files'));
  const hasConnection = (accountId: string) => connectionOf(connections, accountId) !== undefined;
  const collecting = new Collecting({ database, payments, clock, hasConnection });
  const releasing = new Releasing({ database, payments, files, clock, log });
  const sending = new FileSending({ database, files, connections, log, nextJob: batchJob });
  const jobs: Job[] = [
    {
      name: batchJob,
      everySeconds: 5,
      run: async () => {
        if (await isSendingHeld()) return 0;
        const collected = await collecting.collect();
        const closed = await collecting.closeDue();
        return collected + closed + (await releasing.run());
      },
    },
    {
      name: transportJob,
      everySeconds: 10,
      run: async (signal) => ((await isSendingHeld()) ? 0 : sending.run(signal)),
    },
  ];
  return {
    routes: batchRoutes(new BatchService(), findPending),
    jobs,
    taskSources: [
      { kind: 'bank_batch' as const, list: listBatchTasks },
      { kind: 'bank_payment_unfit' as const, list: listUnfitTasks },
    ],
  };
}
