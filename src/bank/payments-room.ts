/** Builds the part of the bank through which payments leave: batches, files, and the connections to the banks. */
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import { deriveKey } from '../keys/derive.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { listAnswerTasks } from './answers/answer-store.js';
import { FileDesk } from './answers/files.js';
import { FileReading } from './answers/reading.js';
import { answerRoutes } from './answers/routes.js';
import { AnswerService } from './answers/service.js';
import { Collecting } from './batches/collecting.js';
import { type BatchedPayments, batchJob } from './batches/ports.js';
import { Releasing } from './batches/releasing.js';
import { batchRoutes } from './batches/routes.js';
import { BatchService } from './batches/service.js';
import { listBatchTasks } from './batches/task-store.js';
import { listUnfitTasks } from './batches/unfit-store.js';
import { recallRoutes } from './recalls/routes.js';
import { RecallService } from './recalls/service.js';
import type { ReceiveStatement } from './statements/arriving.js';
import { type BankConnection, connectionOf } from './transport/connection.js';
import { listFileTasks } from './transport/incoming-store.js';
import { OutgoingFiles, transportJob } from './transport/outgoing.js';
import { FileReceiving } from './transport/receiving.js';
import { FileSending } from './transport/sending.js';

export interface BankPaymentOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly findPending: FindPending;
  readonly payments: BatchedPayments;
  readonly connections: readonly BankConnection[];
  readonly receiveStatement: ReceiveStatement;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
}

export function bankPaymentRoom(options: BankPaymentOptions) {
  const { database, rootKey, clock, log, findPending, payments, connections, isSendingHeld } = options;
  const key = deriveKey(rootKey, 'bank files');
  const files = new OutgoingFiles(key);
  const hasConnection = (accountId: string) => connectionOf(connections, accountId) !== undefined;
  const collecting = new Collecting({ database, payments, clock, hasConnection });
  const releasing = new Releasing({ database, payments, files, clock, log });
  const sending = new FileSending({ database, files, connections, log, nextJob: batchJob });
  const receiving = new FileReceiving({ database, key, connections, log, nextJob: batchJob });
  const answers = new AnswerService({ database, payments, log });
  const recalls = new RecallService({ payments, files, answers, clock });
  const reading = new FileReading({ database, key, answers, recalls, receiveStatement: options.receiveStatement });
  const jobs: Job[] = [
    {
      name: batchJob,
      everySeconds: 5,
      run: async () => {
        const read = await reading.run();
        if (await isSendingHeld()) return read;
        const applied = await answers.applyApproved();
        const collected = await collecting.collect();
        const closed = await collecting.closeDue();
        return read + applied + collected + closed + (await releasing.run());
      },
    },
    {
      name: transportJob,
      everySeconds: 10,
      run: async (signal) => {
        // A copy of an instance takes no files away from the one that runs.
        if (await isSendingHeld()) return 0;
        return (await sending.run(signal)) + (await receiving.run(signal));
      },
    },
  ];
  return {
    routes: [
      ...batchRoutes(new BatchService(), findPending),
      ...answerRoutes(answers, new FileDesk(), findPending),
      ...recallRoutes(recalls),
    ],
    jobs,
    taskSources: [
      { kind: 'bank_batch' as const, list: listBatchTasks },
      { kind: 'bank_answer' as const, list: listAnswerTasks },
      { kind: 'bank_file' as const, list: listFileTasks },
      { kind: 'bank_payment_unfit' as const, list: listUnfitTasks },
    ],
  };
}
