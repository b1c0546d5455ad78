/** Reads files of banks into lines, entry by entry, in bounded memory. A file that was interrupted is read again. */
import type { MessagePart } from '../../iso20022/read/messages.js';
import { readMessages } from '../../iso20022/read/messages.js';
import type { Position, ReportedEntry, ReportedStatement } from '../../iso20022/statement.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { isValueRefused } from '../../postgres/failure.js';
import type { Job } from '../../worker/worker.js';
import type { BankAccount } from '../accounts/bank-account.js';
import type { BankAccountService } from '../accounts/service.js';
import type { LineSealer } from '../lines/content.js';
import { type LineSource, lineSources, matchJob } from '../lines/line.js';
import { type ReportedLine, reportedLineOf } from '../lines/reported.js';
import { releaseDistinctLines } from '../lines/reported-store.js';
import { LineTaken, type Reporting, reportLines } from '../lines/reporting.js';
import { beginsAsXml, readCsv } from './csv.js';
import { readFileJob, uploaded } from './file-service.js';
import { type ClaimedFile, claimNextFile, type FileFault, findChunk, finishFile, saveProgress } from './file-store.js';
import { isOfAccount, newStatementOf } from './statement.js';
import { addStatement, finishStatement } from './statement-store.js';

export interface FileJobOptions {
  readonly database: Database;
  readonly accounts: BankAccountService;
  readonly sealer: LineSealer;
  readonly log: Log;
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
  try {
    await new StatementReading(options, file, account).run(signal);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  }
  return 1;
}

/** Another worker has the file by now, and does all of it. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** An entry that waits to be booked. */
interface WaitingLine {
  readonly line: ReportedLine;
  readonly position: Position;
}

/** The statement that is being read. */
interface Current extends Reporting {
  entries: number;
  netMinor: bigint;
  readonly faultsBefore: number;
}

class StatementReading {
  readonly #options: FileJobOptions;
  readonly #file: ClaimedFile;
  readonly #account: BankAccount;
  readonly #faults: FileFault[] = [];
  #faultCount = 0;
  #entries = 0;
  #format: string | undefined;
  #current: Current | undefined;
  #waiting: WaitingLine[] = [];

  constructor(options: FileJobOptions, file: ClaimedFile, account: BankAccount) {
    this.#options = options;
    this.#file = file;
    this.#account = account;
  }

  async run(signal: AbortSignal): Promise<void> {
    for await (const part of this.#parts()) {
      // The lease ends by itself, and the next worker begins again.
      if (signal.aborted) return;
      await this.#take(part);
    }
    await this.#flush();
    await this.#options.database.transaction(async (tx) => {
      const [format, entries, faults, faultCount] = [this.#format, this.#entries, this.#faults, this.#faultCount];
      if (!(await finishFile(tx, this.#file, { format, entries, faults, faultCount }))) throw new LeaseLost();
      tx.wake(matchJob);
    });
  }

  /** A file of ISO 20022, or CSV where the account says how its bank writes that. */
  async *#parts(): AsyncGenerator<MessagePart> {
    const { csv } = this.#account;
    const [head] = csv ? [await this.#chunk(0)] : [];
    if (csv && head && !beginsAsXml(head)) yield* readCsv(this.#bytes(), this.#account, csv);
    else yield* readMessages(this.#bytes());
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    for (let number = 0; ; number += 1) {
      const chunk = await this.#chunk(number);
      if (!chunk) return;
      yield chunk;
    }
  }

  async #chunk(number: number): Promise<Buffer | undefined> {
    const { fileId } = this.#file;
    const sealed = await findChunk(this.#options.database, fileId, number);
    return sealed && this.#options.sealer.openChunk(fileId, number, sealed);
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
    const statementId = await this.#stored('The statement', start, () =>
      this.#options.database.transaction((tx) => addStatement(tx, added)),
    );
    if (statementId === undefined) return;
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
    this.#count(this.#current, line, 1);
    this.#waiting.push({ line, position: entry.position });
    if (this.#waiting.length >= entriesAtOnce) await this.#flush();
  }

  #count(current: Current, { sign, amountMinor }: ReportedLine, by: 1 | -1): void {
    this.#entries += by;
    current.entries += by;
    current.netMinor += BigInt(by) * (sign === 'credit' ? amountMinor : -amountMinor);
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

  /** Entries that the database does not take together are taken one by one: what is wrong with one stops no other. */
  async #flush(): Promise<void> {
    const [current, waiting] = [this.#current, this.#waiting];
    this.#waiting = [];
    if (!current || waiting.length === 0) return;
    try {
      await this.#book(current, waiting);
    } catch (error) {
      if (!isValueRefused(error)) throw error;
      for (const one of waiting) await this.#bookAlone(current, one);
    }
  }

  async #bookAlone(current: Current, waiting: WaitingLine): Promise<void> {
    const { line, position } = waiting;
    const isBooked = await this.#stored('The entry', position, async () => {
      await this.#book(current, [waiting]);
      return true;
    });
    if (!isBooked) this.#count(current, line, -1);
  }

  async #book(current: Current, waiting: readonly WaitingLine[]): Promise<void> {
    const { database, sealer } = this.#options;
    const lines = waiting.map(({ line }) => line);
    for (let attempt = 1; ; attempt += 1) {
      const named = new Set(current.named);
      try {
        await database.transaction(async (tx) => {
          const newLines = await reportLines(tx, sealer, { ...current, named }, lines);
          const progress = { entries: this.#entries, newLines, leaseSeconds };
          if (!(await saveProgress(tx, this.#file, progress))) throw new LeaseLost();
          tx.wake(matchJob);
        });
      } catch (error) {
        if (!(error instanceof LineTaken) || attempt === 5) throw error;
        continue;
      }
      for (const lineId of named) current.named.add(lineId);
      return;
    }
  }

  /** Undefined for what the database does not take, such as an id of thousands of characters: that is a fault. */
  async #stored<Result>(what: string, position: Position, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isValueRefused(error)) throw error;
      this.#options.log.warn({ err: error, fileId: this.#file.fileId }, 'a part of a file from a bank was refused');
      this.#fault(`${what} cannot be stored: one of its texts or numbers is too long.`, position);
      return undefined;
    }
  }

  #fault(message: string, { line, path }: Position): void {
    this.#faultCount += 1;
    if (this.#faults.length >= mostFaults) return;
    this.#faults.push({ message: message.slice(0, longestText), line: line ?? null, path: path.slice(0, longestText) });
  }
}

function sourceOf(format: string | undefined): LineSource {
  if (format === 'csv') return 'csv_statement';
  return lineSources.find((source) => source.startsWith('camt') && format?.startsWith(source)) ?? 'camt.053';
}
