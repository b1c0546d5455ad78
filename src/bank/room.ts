/** Builds the bank: our accounts at banks, what the banks say about them, and the files in which payments leave. */
import type { Clock } from '../clock.js';
import type { FindPending } from '../http/four-eyes.js';
import { deriveKey } from '../keys/derive.js';
import type { LedgerService } from '../ledger/service.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { TaskSource } from '../tasks/task.js';
import type { Job } from '../worker/worker.js';
import { bankAccountRoutes } from './accounts/routes.js';
import { BankAccountService } from './accounts/service.js';
import { listAnswerTasks } from './answers/answer-store.js';
import { FileDesk } from './answers/files.js';
import { answerRoutes } from './answers/routes.js';
import { AnswerService, answerJob } from './answers/service.js';
import { Collecting } from './batches/collecting.js';
import { type BatchedPayments, batchJob, paymentsBuiltLater, releaseJob } from './batches/ports.js';
import { Releasing } from './batches/releasing.js';
import { batchRoutes } from './batches/routes.js';
import { BatchService } from './batches/service.js';
import { listBatchTasks } from './batches/task-store.js';
import { listUnfitTasks } from './batches/unfit-store.js';
import { breakRoutes } from './breaks/routes.js';
import { listBankFileTasks, listBreakTasks } from './breaks/service.js';
import { booksJobOf } from './days/books.js';
import { listDayTasks } from './days/service.js';
import { FileReading, incomingJob } from './incoming/reading.js';
import { LineSealer } from './lines/content.js';
import { freeBankLines, takeBankLine } from './lines/service.js';
import { matchJobOf } from './matching/jobs.js';
import type { LineTaker } from './matching/taker.js';
import { recallRoutes } from './recalls/routes.js';
import { RecallService } from './recalls/service.js';
import { statementReceiver } from './statements/arriving.js';
import { fileJobOf } from './statements/file-job.js';
import { BankFileService } from './statements/file-service.js';
import { statementRoutes } from './statements/routes.js';
import { type BankConnection, connectionOf } from './transport/connection.js';
import { listFileTasks } from './transport/incoming-store.js';
import { OutgoingFiles, sendingJob } from './transport/outgoing.js';
import { FileReceiving, receivingJob } from './transport/receiving.js';
import { FileSending } from './transport/sending.js';
import { treasuryTaker } from './treasury/taker.js';
import { listTransferTasks } from './treasury/transfer-store.js';

export interface BankRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly log: Log;
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
  /** Whose lines are, in the rooms above. */
  readonly takers: () => readonly LineTaker[];
  /** The payments that leave in files; undefined where none does. */
  readonly payments: () => BatchedPayments | undefined;
  readonly connections: readonly BankConnection[];
  readonly ledger: () => LedgerService;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
}

export function bankRoom(options: BankRoomOptions) {
  const { database, rootKey, log, mode, findPending, takers, payments, connections } = options;
  const accounts = new BankAccountService({ hasSimulated: mode === 'sandbox' });
  const sealer = new LineSealer(rootKey);
  const files = new BankFileService(sealer);
  const receiveStatement = statementReceiver({ database, accounts, files, connections });
  const exchanged = exchangeOfFiles(options, receiveStatement);
  const banks = {
    requireKnown: (...asked: Parameters<BankAccountService['requireKnown']>) => accounts.requireKnown(...asked),
    takeLine: takeBankLine,
    freeLines: async (tx: Transaction, record: string) => {
      await freeBankLines(tx, record, 'credit');
      await freeBankLines(tx, record, 'debit');
    },
  };
  const taskSources: TaskSource[] = [
    { kind: 'bank_break', list: listBreakTasks },
    { kind: 'bank_day', list: listDayTasks },
    { kind: 'bank_transfer', list: listTransferTasks },
    { kind: 'statement_file', list: listBankFileTasks },
    ...exchanged.taskSources,
  ];
  return {
    accounts,
    banks,
    lineTaker: treasuryTaker({ accounts, ledger: options.ledger }),
    routes: [
      ...bankAccountRoutes(accounts, findPending),
      ...statementRoutes(accounts, files),
      ...breakRoutes(accounts, sealer),
      ...exchanged.routes,
    ],
    jobs: [
      fileJobOf({ database, accounts, sealer, log }),
      matchJobOf({ database, accounts, sealer, takers, payments, log }),
      booksJobOf({ database, log }),
      ...exchanged.jobs,
    ],
    taskSources,
  };
}

/** What goes to the banks in files, and what comes from them. */
function exchangeOfFiles(options: BankRoomOptions, receiveStatement: ReturnType<typeof statementReceiver>) {
  const { database, clock, log, findPending, connections, isSendingHeld } = options;
  const payments = paymentsBuiltLater(options.payments);
  const key = deriveKey(options.rootKey, 'bank files');
  const files = new OutgoingFiles(key);
  const hasConnection = (accountId: string) => connectionOf(connections, accountId) !== undefined;
  const collecting = new Collecting({ database, payments, clock, log, hasConnection });
  const releasing = new Releasing({ database, payments, files, clock, log });
  const sending = new FileSending({ database, files, connections, log, nextJob: releaseJob });
  const receiving = new FileReceiving({ database, key, connections, log, nextJob: incomingJob });
  const answers = new AnswerService({ database, payments, log });
  const recalls = new RecallService({ payments, files, answers, clock });
  const reading = new FileReading({ database, key, answers, recalls, receiveStatement, log });
  // A copy of an instance sends nothing, and takes no files away from the one that runs.
  const unlessHeld = (name: string, everySeconds: number, run: Job['run']): Job => ({
    name,
    everySeconds,
    run: async (signal) => ((await isSendingHeld()) ? 0 : run(signal)),
  });
  const ofPayments = (name: string, run: Job['run']): Job =>
    unlessHeld(name, 5, async (signal) => (options.payments() ? run(signal) : 0));
  const jobs: Job[] = [
    { name: incomingJob, everySeconds: 30, run: () => reading.run() },
    ofPayments(answerJob, () => answers.applyApproved()),
    ofPayments(batchJob, () => collecting.collect()),
    ofPayments('bank.closing', () => collecting.closeDue()),
    ofPayments(releaseJob, () => releasing.run()),
    unlessHeld(sendingJob, 10, (signal) => sending.run(signal)),
    unlessHeld(receivingJob, 10, (signal) => receiving.run(signal)),
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
