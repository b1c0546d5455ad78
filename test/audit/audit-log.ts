/** An audit log for tests, with a way to tamper with it. */
import { type KeyObject, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeEach } from 'vitest';
import { HeadFile } from '../../src/audit/head-file.js';
import { chainBatch, recordAudit } from '../../src/audit/service.js';
import { type AuditReport, verifyAudit } from '../../src/audit/verify.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import type { Database } from '../../src/postgres/database.js';
import { useTestDatabase } from '../harness/test-database.js';

export class AuditLog {
  readonly key: KeyObject = deriveSigningKey(Buffer.alloc(32, 7), 'audit head');
  readonly folder = mkdtempSync(join(tmpdir(), 'remesa-audit-'));
  file = this.newFile();

  constructor(
    readonly database: Database,
    readonly sql: pg.Pool,
  ) {}

  newFile(): HeadFile {
    return new HeadFile(join(this.folder, `heads-${randomBytes(4).toString('hex')}.jsonl`));
  }

  async record(count: number, action = 'note.kept'): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await this.database.transaction((tx) =>
        recordAudit(tx, {
          actor: { kind: 'system', name: 'test' },
          action,
          subject: `note:${index}`,
          details: { fields: ['b', 'a'], index },
        }),
      );
    }
  }

  chain(): Promise<number> {
    return chainBatch(this.database, this.key, this.file);
  }

  verify(): Promise<AuditReport> {
    return verifyAudit(this.database, this.key, this.file);
  }

  async faults(): Promise<readonly string[]> {
    return (await this.verify()).faults;
  }

  /** Changes the tables like an attacker who owns the database: no trigger or constraint applies. */
  async tamper(statements: string, values: unknown[] = []): Promise<void> {
    const client = await this.sql.connect();
    try {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      await client.query(statements, values);
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }
}

/** Returns a log that is empty before each test. */
export function useAuditLog(): AuditLog {
  const { database, sql } = useTestDatabase();
  const log = new AuditLog(database, sql);
  beforeEach(async () => {
    await log.tamper('TRUNCATE audit_entries, audit_heads RESTART IDENTITY');
    log.file = log.newFile();
  });
  afterAll(() => rmSync(log.folder, { recursive: true }));
  return log;
}
