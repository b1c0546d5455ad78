/**
 * Builds the room of changes: the audit log that operators read, the jobs that number and sign it, and its
 * verification.
 */
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Route } from '../http/route.js';
import { deriveSigningKey } from '../keys/derive.js';
import { sealerOf } from '../keys/sealer.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { HeadFile } from './chain/head-file.js';
import type { JournalBook } from './chain/journal-book.js';
import { type EventQueue, numberJob } from './chain/numbering.js';
import { signJob } from './chain/signing.js';
import type { AuditNames } from './listing.js';
import { auditRoutes } from './routes.js';
import type { RowSource } from './row.js';
import { describeFindings, type Findings } from './verify/findings.js';
import { rowFaults } from './verify/rows.js';
import { type LogReport, type OnVerified, verifyLog } from './verify/verify.js';

export interface ChangeRoomOptions extends VerificationOptions {
  readonly log: Log;
  readonly queue: EventQueue;
  readonly journals: JournalBook;
}

export interface VerificationOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  /** The folder of the file with the signed heads. */
  readonly dataDirectory: string;
  readonly names: AuditNames;
  readonly clock: Clock;
}

export interface WholeVerificationOptions extends VerificationOptions {
  /** The rows whose content changes remember. */
  readonly rows: readonly RowSource[];
  readonly onVerified?: OnVerified;
}

/** A report whose findings name merchants by their client ids. */
export type NamedReport = Omit<LogReport, keyof Findings> & Findings<string>;

export interface ChangeRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}

export function changeRoom(options: ChangeRoomOptions): ChangeRoom {
  const { database, log, queue, journals, names } = options;
  return {
    routes: auditRoutes(names),
    jobs: [numberJob({ database, log, queue, journals }), signJob(signingContext(options))],
  };
}

/** Checks the whole log, and the rows that it remembers. */
export async function verifyChanges(options: WholeVerificationOptions): Promise<NamedReport> {
  const { database, names, rows, onVerified } = options;
  const seal = sealerOf(options.rootKey);
  const report = await verifyLog({ ...signingContext(options), seal, onVerified });
  const faults = [...report.faults];
  for (const [index, chain] of report.merchants.entries()) {
    onVerified?.('rows', index, report.merchants.length);
    for (const text of await rowFaults({ seal, sources: rows }, database, chain)) faults.push({ chain, text });
  }
  return { ...report, ...(await describeFindings(database, names, { ...report, faults })) };
}

function signingContext({ database, rootKey, dataDirectory, clock }: VerificationOptions) {
  const signingKey = deriveSigningKey(rootKey, 'audit head');
  return { database, signingKey, headFile: new HeadFile(join(dataDirectory, 'audit-heads.jsonl')), clock };
}
