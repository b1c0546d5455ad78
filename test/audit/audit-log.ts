/** An audit log for tests, with a way to tamper with it. */
import { type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeEach } from 'vitest';
import { AuditChaining } from '../../src/audit/chain/chaining.js';
import { HeadFile } from '../../src/audit/chain/head-file.js';
import { recordAudit } from '../../src/audit/service.js';
import type { Finding } from '../../src/audit/verify/findings.js';
import { type AuditReport, verifyAudit } from '../../src/audit/verify/verify.js';
import { systemClock } from '../../src/clock.js';
import { instanceTenant, type TenantId } from '../../src/ids.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import type { Database } from '../../src/postgres/database.js';
import { newFolder } from '../harness/new-folder.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';

export class AuditLog {
  readonly key: KeyObject = deriveSigningKey(Buffer.alloc(32, 7), 'audit head');
  readonly folder = newFolder();
  file = this.newFile();

  constructor(
    readonly database: Database,
    readonly sql: pg.Pool,
  ) {}

  newFile(): HeadFile {
    return new HeadFile(join(this.folder, `heads-${randomBytes(4).toString('hex')}.jsonl`));
  }

  /** Records the entries in one transaction. */
  async record(count: number, { merchant = instanceTenant as TenantId, action = 'note.kept' } = {}): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (let index = 0; index < count; index += 1)
        await recordAudit(tx, merchant, {
          actor: { kind: 'system', name: 'test' },
          action,
          subject: `note:${index}`,
          details: { fields: ['b', 'a'], index },
        });
    });
  }

  /** A worker of its own, as another process would have it. */
  worker(database = this.database, headFile = this.file): AuditChaining {
    return new AuditChaining({ database, signingKey: this.key, headFile, clock: systemClock });
  }

  chain(): Promise<number> {
    return this.worker().run(new AbortController().signal);
  }

  verify(): Promise<AuditReport> {
    const { database, key: signingKey, file: headFile } = this;
    return verifyAudit({ database, signingKey, headFile, clock: systemClock });
  }

  /** Each finding as `0: text`, with the number of its chain. */
  async findings(): Promise<Record<'faults' | 'losses' | 'unchecked', string[]>> {
    const { faults, losses, unchecked } = await this.verify();
    const write = ({ chain, text }: Finding) => (chain === undefined ? text : `${chain}: ${text}`);
    return { faults: faults.map(write), losses: losses.map(write), unchecked: unchecked.map(write) };
  }

  async faults(): Promise<string[]> {
    return (await this.findings()).faults;
  }

  /** Changes the tables like an attacker who owns the database: no trigger or constraint applies. */
  async tamper(statements: string, values: unknown[] = []): Promise<void> {
    await withoutTriggers(this.sql, (client) => client.query(statements, values));
  }
}

/** Returns a log that is empty before each test. */
export function useAuditLog(): AuditLog {
  const { database, sql } = useTestDatabase();
  const log = new AuditLog(database, sql);
  beforeEach(async () => {
    await log.tamper('TRUNCATE audit_entries, audit_chains, audit_signed_heads RESTART IDENTITY');
    log.file = log.newFile();
  });
  return log;
}
