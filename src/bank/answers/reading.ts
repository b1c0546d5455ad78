/** Reads stored files of the banks: what answers our batches is noted or proposed, and statements are handed on. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordChange } from '../../changes/service.js';
import { instanceTenant, publicId } from '../../ids.js';
import type { ReportedPaymentStatus, ReportedRecallAnswer } from '../../iso20022/payment-status.js';
import { type MessagePart, readMessages } from '../../iso20022/read/messages.js';
import type { ReportedStatement } from '../../iso20022/statement.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isConflictOfTransactions, isDatabaseUnavailable } from '../../postgres/failure.js';
import type { Transaction } from '../../postgres/statement.js';
import { byBank, raiseBatch } from '../batches/changing.js';
import { listBatchPayments, saveAnswer } from '../batches/payment-store.js';
import { lockBatch } from '../batches/store.js';
import type { RecallService } from '../recalls/service.js';
import type { ReceiveStatement } from '../statements/arriving.js';
import type { FileFault, IncomingFile } from '../transport/incoming-file.js';
import { type ClaimedIncoming, claimIncomingFile, finishIncomingFile } from '../transport/incoming-store.js';
import { openIncomingFile } from '../transport/receiving.js';
import { answersTo, batchesAnswered, overallAnswer } from './answer.js';
import type { AnswerService } from './service.js';

export interface ReadingOptions {
  readonly database: Database;
  readonly key: Buffer;
  readonly answers: AnswerService;
  readonly recalls: RecallService;
  /** Takes files of camt.052, .053 and .054. */
  readonly receiveStatement: ReceiveStatement;
  readonly log: Log;
}

/** The job that reads what came from the banks. */
export const incomingJob = 'bank.incoming';

const leaseSeconds = 300;
const mostFaults = 100;
const chunkBytes = 256 * 1024;

interface FileContent {
  format: string | undefined;
  isOfStatements: boolean;
  readonly statements: ReportedStatement[];
  readonly statuses: ReportedPaymentStatus[];
  readonly recallAnswers: ReportedRecallAnswer[];
  readonly faults: FileFault[];
}

export class FileReading {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Reads the next file. Returns how many were read: 0 or 1. */
  async run(): Promise<number> {
    const { database, log } = this.#options;
    const claimed = await claimIncomingFile(database, leaseSeconds);
    if (!claimed) return 0;
    try {
      await this.#read(claimed);
    } catch (error) {
      if (isDatabaseUnavailable(error) || isConflictOfTransactions(error)) throw error;
      // It would fail again at every lease, and nobody would know.
      const { digest, name } = claimed;
      log.error({ digest, name, err: error }, 'a file from a bank could not be read');
      const faults = [told('The service could not read it. Its log says why; ask the bank for the file again.')];
      await database.transaction((tx) => finish(tx, claimed, { state: 'FAULTY', format: undefined, faults }));
    }
    return 1;
  }

  async #read(claimed: ClaimedIncoming): Promise<void> {
    const { database, key, receiveStatement } = this.#options;
    const { connection } = claimed;
    const bytes = openIncomingFile(key, claimed.digest, claimed.sealedContent);
    const content = await contentOf(bytes);
    if (content.isOfStatements) {
      const { statements } = content;
      for (const fault of await receiveStatement({ connection, content: bytes, statements }))
        content.faults.push(told(fault));
    }
    await database.transaction((tx) => this.#answers(tx, claimed, content)).catch(ignoreLostLease);
  }

  async #answers(tx: Transaction, claimed: ClaimedIncoming, content: FileContent): Promise<void> {
    const { digest } = claimed;
    const { format, statuses, recallAnswers, faults } = content;
    const { batchIds, unknown } = batchesAnswered(statuses);
    if (unknown > 0) faults.push(told(`${unknown} answers are to messages that are not ours.`));
    for (const id of batchIds)
      if (!(await this.#answer(tx, id, digest, statuses))) faults.push(told(`There is no batch ${id}.`));
    for (const fault of await this.#options.recalls.take(tx, digest, recallAnswers)) faults.push(told(fault));
    const state = faults.length > 0 ? 'FAULTY' : 'READ';
    if (!(await finish(tx, claimed, { state, format, faults: faults.slice(0, mostFaults) }))) throw new LeaseLost();
  }

  /** Returns false when there is no such batch. */
  async #answer(
    tx: Transaction,
    id: string,
    digest: string,
    statuses: readonly ReportedPaymentStatus[],
  ): Promise<boolean> {
    const batchId = publicId('bat', id);
    const batch = batchId && (await lockBatch(tx, batchId));
    if (!batch?.file) return false;
    const said = answersTo(batch.batchId, await listBatchPayments(tx, batch), statuses);
    for (const [reference, code] of said.codes) await saveAnswer(tx, batch.batchId, reference, code);
    const answer = overallAnswer(batch.batchId, statuses) ?? batch.answer;
    const details = { digest, payments: said.codes.size, rejected: said.rejected.length };
    await raiseBatch(tx, byBank, batch, { action: 'bank_batch.answered', details }, { answer });
    const { answers } = this.#options;
    await answers.propose(tx, { digest, batchId: batch.batchId, kind: 'rejected', payments: said.rejected });
    await answers.propose(tx, { digest, batchId: batch.batchId, kind: 'duplicate', payments: said.duplicates });
    return true;
  }
}

/** Another worker has the file by now: what this one has found out is undone. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}

/** Returns false when another worker has the file by now. */
async function finish(
  tx: Transaction,
  claimed: ClaimedIncoming,
  result: Pick<IncomingFile, 'state' | 'format' | 'faults'>,
): Promise<boolean> {
  if (!(await finishIncomingFile(tx, claimed, result))) return false;
  const { digest, name } = claimed;
  await recordChange(tx, byBank, {
    merchantId: instanceTenant,
    action: 'bank_file.read',
    subject: `bank_file:${digest}`,
    toState: result.state,
    details: { name, format: result.format ?? null, faults: result.faults.length },
  });
  return true;
}

async function contentOf(bytes: Buffer): Promise<FileContent> {
  const content: FileContent = {
    format: undefined,
    isOfStatements: false,
    statements: [],
    statuses: [],
    recallAnswers: [],
    faults: [],
  };
  for await (const part of readMessages(inChunks(bytes))) take(content, part);
  return content;
}

/** Lets other work run between two chunks: a file may have 64 MB. */
async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
    await nextTurn();
  }
}

function take(content: FileContent, part: MessagePart): void {
  switch (part.part) {
    case 'message':
      content.format = content.format ?? part.format;
      content.isOfStatements ||= part.format.startsWith('camt.05');
      break;
    case 'statement':
      content.statements.push(part.statement);
      break;
    case 'payment_status':
      content.statuses.push(part.status);
      break;
    case 'recall_answer':
      content.recallAnswers.push(part.answer);
      break;
    case 'fault': {
      const { line, path } = part.position;
      // Faults of statements that are ours are told by the book of lines.
      if (!content.isOfStatements || content.statements.length === 0)
        content.faults.push({ message: part.message, line: line ?? null, path: path ?? null });
      break;
    }
    default:
  }
}

function told(message: string): FileFault {
  return { message, line: null, path: null };
}
