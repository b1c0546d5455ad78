/** Builds the audit room: the log that operators read, the job that chains it, and the check that `verify` runs. */
import { join } from 'node:path';
import type { Route } from '../http/route.js';
import { deriveSigningKey } from '../keys/derive.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { HeadFile } from './head-file.js';
import type { AuditNames } from './listing.js';
import { auditRoutes } from './routes.js';
import { auditChainJob } from './service.js';
import { type AuditReport, verifyAudit } from './verify.js';

export interface AuditRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  /** The folder of the file with the signed heads. */
  readonly dataDirectory: string;
  readonly names: AuditNames;
}

export interface AuditRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  verify(): Promise<AuditReport>;
}

export function auditRoom({ database, rootKey, dataDirectory, names }: AuditRoomOptions): AuditRoom {
  const signingKey = deriveSigningKey(rootKey, 'audit head');
  const headFile = new HeadFile(join(dataDirectory, 'audit-heads.jsonl'));
  return {
    routes: auditRoutes(names),
    jobs: [auditChainJob(database, signingKey, headFile)],
    verify: () => verifyAudit(database, signingKey, headFile),
  };
}
