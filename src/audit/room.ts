/** Builds the audit room: the log that operators read, the job that chains it, and the check that `verify` runs. */
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Route } from '../http/route.js';
import { deriveSigningKey } from '../keys/derive.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { HeadFile } from './chain/head-file.js';
import type { AuditNames } from './listing.js';
import { auditRoutes } from './routes.js';
import { auditChainJob } from './service.js';
import { describeFindings, type Findings } from './verify/findings.js';
import { type AuditReport, verifyAudit } from './verify/verify.js';

export interface AuditRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  /** The folder of the file with the signed heads. */
  readonly dataDirectory: string;
  readonly names: AuditNames;
  readonly clock: Clock;
}

/** A report whose findings name merchants by their client ids. */
export type NamedReport = Omit<AuditReport, keyof Findings> & Findings<string>;

export interface AuditRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  verify(): Promise<NamedReport>;
}

export function auditRoom({ database, rootKey, dataDirectory, names, clock }: AuditRoomOptions): AuditRoom {
  const signingKey = deriveSigningKey(rootKey, 'audit head');
  const headFile = new HeadFile(join(dataDirectory, 'audit-heads.jsonl'));
  const context = { database, signingKey, headFile, clock };
  return {
    routes: auditRoutes(names),
    jobs: [auditChainJob(context)],
    async verify() {
      const report = await verifyAudit(context);
      return { ...report, ...(await describeFindings(database, names, report)) };
    },
  };
}
