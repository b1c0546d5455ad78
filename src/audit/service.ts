/** Records audit entries, and chains them afterwards in a job. */
import type { KeyObject } from 'node:crypto';
import type { Database } from '../postgres/database.js';
import type { Transaction } from '../postgres/statement.js';
import type { Job } from '../worker/worker.js';
import { type AuditRecord, emptyChain, entryHash, signHead } from './audit.js';
import type { HeadFile } from './head-file.js';
import * as store from './store.js';

const chainJob = 'audit.chain';
const batchSize = 500;

/** Writes an entry in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(tx: Transaction, record: AuditRecord): Promise<void> {
  await store.addEntry(tx, record);
  tx.wake(chainJob);
}

export function auditChainJob(database: Database, signingKey: KeyObject, headFile: HeadFile): Job {
  let isHeadPublished = false;
  return {
    name: chainJob,
    everySeconds: 5,
    oldestDueSeconds: () => store.oldestUnchainedSeconds(database),
    async run() {
      if (!isHeadPublished) await publishLastHead(database, headFile);
      // If the batch is committed but its head cannot be written (a full disk), the next run writes it.
      isHeadPublished = false;
      const chained = await chainBatch(database, signingKey, headFile);
      isHeadPublished = true;
      return chained;
    },
  };
}

/**
 * Numbers committed entries in one process at a time. No transaction waits for the number of another one, and the numbers
 * have no gaps. Returns how many entries were chained.
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

/** Writes the head that is only in the database because a process stopped between the commit and the file. */
async function publishLastHead(database: Database, headFile: HeadFile): Promise<void> {
  const last = await store.findLastHead(database);
  const { heads } = await headFile.read();
  if (last && heads.at(-1)?.sequence !== last.sequence) await headFile.append(last);
}
