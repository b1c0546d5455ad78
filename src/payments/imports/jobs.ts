/**
 * The job that does the lines of imported files, part by part. A part that was interrupted is done again, which records
 * nothing twice.
 */
import type { TenantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import type { Job } from '../../worker/worker.js';
import type { PayinAccountService } from '../accounts/service.js';
import { findCandidates } from '../matching/candidates.js';
import { type AccountOfMovement, type MovementField, movementFields, readMovement } from '../movement-fields.js';
import type { AccountRef, Movement } from '../payment.js';
import { type InstanceSealer, ofImportPart } from '../sealed.js';
import type { PaymentService } from '../service.js';
import type { CsvLine } from './csv.js';
import type { LineResult } from './import.js';
import {
  type ClaimedPart,
  claimNextPart,
  findAccountOfImport,
  listOwnersWithParts,
  saveResults,
} from './import-store.js';
import { type LineEntry, recordLines } from './recording.js';
import { importJob } from './service.js';

export interface ImportJobOptions {
  readonly database: Database;
  readonly accounts: PayinAccountService;
  readonly payments: PaymentService;
  readonly sealer: InstanceSealer;
  readonly log: Log;
}

const leaseSeconds = 120;

export function importJobOf(options: ImportJobOptions): Job {
  return { name: importJob, everySeconds: 30, run: (signal) => new ImportRun(options, signal).run() };
}

interface ReadLine {
  readonly line: number;
  readonly movement: Movement;
}

class ImportRun {
  readonly #options: ImportJobOptions;

  constructor(
    options: ImportJobOptions,
    readonly signal: AbortSignal,
  ) {
    this.#options = options;
  }

  /** One part of each owner in turn, so that a long file does not keep the others waiting. Returns how many. */
  async run(): Promise<number> {
    let done = 0;
    for (const owner of await listOwnersWithParts(this.#options.database)) {
      if (this.signal.aborted) return done;
      if (await this.#doNextPart(owner)) done += 1;
    }
    return done;
  }

  async #doNextPart(owner: TenantId): Promise<boolean> {
    const { database, sealer } = this.#options;
    const part = await claimNextPart(database, owner, leaseSeconds);
    if (!part) return false;
    const binding = ofImportPart(owner, part.importId, part.part);
    const lines = sealer.openLines(binding, part.sealedLines) as readonly CsvLine[];
    const results = await this.#doLines(part, lines);
    await database.transaction((tx) => saveResults(tx, part, results));
    return true;
  }

  async #doLines(part: ClaimedPart, lines: readonly CsvLine[]): Promise<LineResult[]> {
    const { database, accounts } = this.#options;
    const { ownerId, importId } = part;
    const accountId = await findAccountOfImport(database, part);
    if (accountId === undefined) throw new Error(`the import ${importId} is gone`);
    const place = await accounts.get(database, accountId);
    const read = lines.map((line) => readLine(line, place));
    const good = read.filter((line): line is ReadLine => 'movement' in line);
    const texts = good.map(({ movement }) => movement.payer.remittanceText);
    const found = await findCandidates(database, ownerId, texts);
    const account: AccountRef = { ownerId, accountId };
    const entries = good.map(
      ({ line, movement }, index): LineEntry => ({
        account,
        movement,
        line,
        source: { importId, line },
        candidate: found[index] ?? { reason: 'no_reference' },
      }),
    );
    const recorded = await recordLines(this.#options, entries);
    const faults = read.filter((line): line is LineResult => !('movement' in line));
    return [...recorded, ...faults].sort((left, right) => left.line - right.line);
  }
}

/** The movement of a line, or its fault: the first, because one must be corrected after the other anyway. */
function readLine({ line, texts, isUneven }: CsvLine, account: AccountOfMovement): ReadLine | LineResult {
  if (isUneven) {
    const message = 'has another number of fields than the first line of the file';
    return { line, outcome: 'fault', reason: 'wrong_format', message };
  }
  const fields = Object.fromEntries(movementFields.map((field, index) => [field, texts[index] ?? '']));
  const read = readMovement(fields as Record<MovementField, string>, account);
  if ('movement' in read) return { line, movement: read.movement };
  const [first] = read.faults;
  const { field: column = '', code: reason = '', message = '' } = first ?? {};
  return { line, outcome: 'fault', reason, column, message };
}
