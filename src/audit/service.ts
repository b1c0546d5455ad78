/** The verbs of the audit log: record, chain. */
import type { KeyObject } from 'node:crypto';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import { type AuditRecord, emptyChain, entryHash, signHead } from './audit.js';
import type { HeadFile } from './head-file.js';
import * as store from './store.js';

const chainJob = 'audit.chain';
const batchSize = 500;

/** Written in the transaction of what it records: there is never one without the other. */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  await store.addEntry(tx, record);
  tx.wake(chainJob);
}

export function auditChainJob(database: Database, signingKey: KeyObject, headFile: HeadFile): Job {
  let isCaughtUp = false;
  return {
    name: chainJob,
    everySeconds: 5,
    oldestDueSeconds: () => store.oldestUnchainedSeconds(database),
    async run() {
      if (!isCaughtUp) await publishLastHead(database, headFile);
      // Should this fail after its commit (a full disk), the next run publishes what it left.
      isCaughtUp = false;
      const chained = await chainBatch(database, signingKey, headFile);
      isCaughtUp = true;
      return chained;
    },
  };
}

/**
 * Numbers after commit, in one place at a time, so that no transaction waits for another's number and the numbers
 * still have no gap.
 */
export async function chainBatch(
  database: Database,
  signingKey: KeyObject,
  headFile: HeadFile,
): Promise<number> {
  const chained = await database.transaction(async (tx) => {
    if (!(await store.lockChain(tx))) return undefined;
    const entries = await store.listUnchainedEntries(tx, batchSize);
    if (entries.length === 0) return undefined;
    let { sequence, hash }: { sequence: bigint; hash: Buffer } = (await store.findChainEnd(tx)) ?? emptyChain;
    const links = entries.map(({ id, content }) => {
      const previousHash = hash;
      sequence += 1n;
      hash = entryHash(previousHash, sequence, content);
      return { id, sequence, previousHash, hash };
    });
    await store.saveLinks(tx, links);
    const head = signHead(signingKey, sequence, hash);
    await store.addHead(tx, head);
    return { head, count: links.length };
  });
  if (!chained) return 0;
  await headFile.append(chained.head);
  return chained.count;
}

/** A process that died between the commit and the file left a head in the database only. */
async function publishLastHead(database: Database, headFile: HeadFile): Promise<void> {
  const last = await store.findLastHead(database);
  const { heads } = await headFile.read();
  if (last && heads.at(-1)?.sequence !== last.sequence) await headFile.append(last);
}
