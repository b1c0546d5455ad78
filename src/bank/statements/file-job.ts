/** Reads files of banks into lines, entry by entry, in bounded memory. A file that was interrupted is read again. */
import type { MessagePart } from '../../iso20022/read/messages.js';
import { readMessages } from '../../iso20022/read/messages.js';
import type { ReportedEntry, ReportedStatement } from '../../iso20022/statement.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import type { LineSealer } from '../lines/content.js';
import { type LineSource, lineSources } from '../lines/line.js';
import { type ReportedLine, reportedLineOf } from '../lines/reported.js';
import { releaseDistinctLines } from '../lines/reported-store.js';
import { LineTaken, type Reporting, reportLines } from '../lines/reporting.js';
import { matchJob } from '../matching/jobs.js';
import { readFileJob, uploaded } from './file-service.js';
import { type BankFile, claimNextFile, type FileFault, findChunk, finishFile, saveProgress } from './file-store.js';
import { isOfAccount, newStatementOf } from './statement.js';
import { addStatement, finishStatement } from './statement-store.js';

export interface FileJobOptions {
  readonly database: Database;
  readonly accounts: BankAccountService;
  readonly sealer: LineSealer;
}

const leaseSeconds = 300;
const entriesAtOnce = 100;
const mostFaults = 100;
const start = { line: undefined, path: '/' } as const;
const longestText = 500;

export function fileJobOf(options: FileJobOptions): Job {
  return { name: readFileJob, everySeconds: 30, run: (signal) => readNext(options, signal) };
}

async function readNext(options: FileJobOptions, signal: AbortSignal): Promise<number> {
  const file = await claimNextFile(options.database, leaseSeconds);
  if (!file) return 0;
  const account = await options.accounts.get(options.database, file.accountId);
  await new StatementReading(options, file, account).run(signal);
  return 1;
}

/** The statement that is being read. */
interface Current extends Reporting {
  entries: number;
  netMinor: bigint;
  readonly faultsBefore: number;
}

class StatementReading {
  readonly #options: FileJobOptions;
  readonly #file: BankFile;
  readonly #account: BankAccount;
  readonly #faults: FileFault[] = [];
  #faultCount = 0;
  #entries = 0;
  #format: string | undefined;
  #current: Current | undefined;
  #waiting: ReportedLine[] = [];

  constructor(options: FileJobOptions, file: BankFile, account: BankAccount) {
    this.#options = options;
    this.#file = file;
    this.#account = account;
  }

  async run(signal: AbortSignal): Promise<void> {
    for await (const part of readMessages(this.#bytes())) {
      // The lease ends by itself, and the next worker begins again.
      if (signal.aborted) return;
      await this.#take(part);
    }
    await this.#flush();
    const { fileId } = this.#file;
    await this.#options.database.transaction(async (tx) => {
      const [format, entries, faults, faultCount] = [this.#format, this.#entries, this.#faults, this.#faultCount];
      await finishFile(tx, { fileId, format, entries, faults, faultCount });
      tx.wake(matchJob);
    });
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    const { fileId } = this.#file;
    for (let number = 0; ; number += 1) {
      const sealed = await findChunk(this.#options.database, fileId, number);
      if (!sealed) return;
      yield this.#options.sealer.openChunk(fileId, number, sealed);
    }
  }

  async #take(part: MessagePart): Promise<void> {
    switch (part.part) {
      case 'message':
        this.#format ??= part.format;
        return;
      case 'statement':
        return this.#begin(part.statement);
      case 'entry':
        return this.#add(part.entry);
      case 'end_of_statement':
        return this.#end();
      case 'fault':
        return this.#fault(part.message, part.position);
      default:
        return;
    }
  }

  async #begin(statement: ReportedStatement): Promise<void> {
    await this.#flush();
    this.#current = undefined;
    const { number } = statement.account;
    if (!isOfAccount(statement, this.#account)) {
      // A file that came through a connection may be of several accounts, each of which reads its own statements.
      const isUploaded = this.#file.source === uploaded;
      if (isUploaded) this.#fault(`The statement is of the account ${number.slice(0, 42)}.`, start);
      return;
    }
    const added = newStatementOf(statement, this.#account, this.#file.fileId);
    const statementId = await this.#options.database.transaction((tx) => addStatement(tx, added));
    this.#current = {
      account: this.#account,
      statementId,
      isStatement: statement.kind === 'statement',
      sequence: added.sequence,
      source: sourceOf(this.#format),
      named: new Set(),
      entries: 0,
      netMinor: 0n,
      faultsBefore: this.#faultCount,
    };
  }

  async #add(entry: ReportedEntry): Promise<void> {
    if (!this.#current || entry.status !== 'booked') return;
    const line = reportedLineOf(entry, this.#account);
    if (typeof line === 'string') return this.#fault(line, entry.position);
    this.#current.entries += 1;
    this.#current.netMinor += line.sign === 'credit' ? line.amountMinor : -line.amountMinor;
    this.#entries += 1;
    this.#waiting.push(line);
    if (this.#waiting.length >= entriesAtOnce) await this.#flush();
  }

  async #end(): Promise<void> {
    await this.#flush();
    const current = this.#current;
    this.#current = undefined;
    if (!current) return;
    const { statementId, entries, netMinor, faultsBefore } = current;
    const isWhole = faultsBefore === this.#faultCount;
    await this.#options.database.transaction(async (tx) => {
      await finishStatement(tx, { statementId, entries, netMinor, isWhole });
      await releaseDistinctLines(tx, statementId);
    });
  }

  async #flush(): Promise<void> {
    const [current, lines] = [this.#current, this.#waiting];
    this.#waiting = [];
    if (!current || lines.length === 0) return;
    for (let attempt = 1; ; attempt += 1) {
      const named = new Set(current.named);
      try {
        await this.#book({ ...current, named }, lines);
      } catch (error) {
        if (!(error instanceof LineTaken) || attempt === 5) throw error;
        continue;
      }
      for (const lineId of named) current.named.add(lineId);
      return;
    }
  }

  #book(current: Current, lines: readonly ReportedLine[]): Promise<void> {
    const { fileId } = this.#file;
    return this.#options.database.transaction(async (tx) => {
      const newLines = await reportLines(tx, this.#options.sealer, current, lines);
      await saveProgress(tx, { fileId, entries: this.#entries, newLines, leaseSeconds });
      tx.wake(matchJob);
    });
  }

  #fault(message: string, { line, path }: { readonly line: number | undefined; readonly path: string }): void {
    this.#faultCount += 1;
    if (this.#faults.length >= mostFaults) return;
    this.#faults.push({ message: message.slice(0, longestText), line: line ?? null, path: path.slice(0, longestText) });
  }
}

function sourceOf(format: string | undefined): LineSource {
  return lineSources.find((source) => source.startsWith('camt') && format?.startsWith(source)) ?? 'camt.053';
}
