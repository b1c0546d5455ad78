/** An audit log for tests, with a way to tamper with it. */
import { type KeyObject, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeEach } from 'vitest';
import { HeadFile } from '../../src/changes/chain/head-file.js';
import { ChangeNumbering } from '../../src/changes/chain/numbering.js';
import { HeadSigning } from '../../src/changes/chain/signing.js';
import type { Channel } from '../../src/changes/event.js';
import { recordChange } from '../../src/changes/service.js';
import type { Finding } from '../../src/changes/verify/findings.js';
import { type LogReport, verifyLog } from '../../src/changes/verify/verify.js';
import { systemClock } from '../../src/clock.js';
import { instanceTenant, type TenantId } from '../../src/ids.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import { sealerOf } from '../../src/keys/sealer.js';
import { createLog } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { newFolder } from '../harness/new-folder.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { noJournals, noQueue } from '../webhooks/happenings.js';

const by = { actor: { kind: 'system', name: 'test' } } as const;
export const rootKey = Buffer.alloc(32, 7);
const { log } = createLog({ level: 'silent' });

/** Numbers and signs, as the two jobs do. Returns how many changes were numbered, and one more when a head was full. */
export interface LogWorker {
  run(signal: AbortSignal): Promise<number>;
}

export class AuditLog {
  readonly key: KeyObject = deriveSigningKey(rootKey, 'audit head');
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
  async record(
    count: number,
    { merchant = instanceTenant as TenantId, action = 'note.kept', channel = undefined as Channel | undefined } = {},
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (let index = 0; index < count; index += 1)
        await recordChange(tx, by, {
          merchantId: merchant,
          action,
          subject: `note:${index}`,
          details: { fields: ['b', 'a'], index },
          ...(channel ? { event: { channel, type: `${channel}.noted`, object: { index }, previousStatus: null } } : {}),
        });
    });
  }

  /** A worker of its own, as another process would have it. */
  worker(database = this.database, headFile = this.file): LogWorker {
    const numbering = new ChangeNumbering({ database, log, queue: noQueue, journals: noJournals });
    const signing = new HeadSigning({ database, signingKey: this.key, headFile, clock: systemClock });
    return {
      async run(signal) {
        const numbered = await numbering.run(signal);
        return numbered + (await signing.run());
      },
    };
  }

  chain(): Promise<number> {
    return this.worker().run(new AbortController().signal);
  }

  verify(): Promise<LogReport> {
    const { database, key: signingKey, file: headFile } = this;
    return verifyLog({ database, signingKey, headFile, clock: systemClock, seal: sealerOf(rootKey) });
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
  database.seal = sealerOf(rootKey);
  const log = new AuditLog(database, sql);
  beforeEach(async () => {
    await log.tamper('TRUNCATE changes, change_chains, signed_heads RESTART IDENTITY');
    log.file = log.newFile();
  });
  return log;
}
