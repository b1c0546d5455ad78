/** Builds the audit room: the job that chains the entries, and the check that the command `verify` runs. */
import { join } from 'node:path';
import type { Route } from '../http/route.js';
import { deriveSigningKey } from '../keys/derive.js';
import type { Database } from '../postgres/database.js';
import type { Job } from '../worker/worker.js';
import { HeadFile } from './head-file.js';
import { auditChainJob } from './service.js';
import { type AuditReport, verifyAudit } from './verify.js';

export interface AuditRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  /** The folder of the file that keeps the signed heads outside of the database. */
  readonly dataDirectory: string;
}

export interface AuditRoom {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  verify(): Promise<AuditReport>;
}

export function auditRoom({ database, rootKey, dataDirectory }: AuditRoomOptions): AuditRoom {
  const signingKey = deriveSigningKey(rootKey, 'audit head');
  const headFile = new HeadFile(join(dataDirectory, 'audit-heads.jsonl'));
  return {
    routes: [],
    jobs: [auditChainJob(database, signingKey, headFile)],
    verify: () => verifyAudit(database, signingKey, headFile),
  };
}
