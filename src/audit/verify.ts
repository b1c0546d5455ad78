/** Walks the whole chain and compares it with its signed heads, those in the database and those outside of it. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Queryable } from '../postgres/statement.js';
import { type AuditHead, type ChainedEntry, emptyChain, entryHash, isHeadGenuine } from './audit.js';
import type { HeadFile } from './head-file.js';
import { findTraces, listChainedAfter, listHeadsAfter } from './store.js';

export interface AuditReport {
  readonly entries: bigint;
  readonly heads: number;
  /** Empty when nothing was touched. */
  readonly faults: readonly string[];
  /** What could not be checked. Empty when everything was. */
  readonly unchecked: readonly string[];
}

const pageSize = 1000;

export async function verifyAudit(
  database: Queryable,
  signingKey: KeyObject,
  headFile: HeadFile,
): Promise<AuditReport> {
  const inside = await readHeads(database);
  const outside = await headFile.read();
  const walk = new ChainWalk(createPublicKey(signingKey), [...inside, ...outside.heads]);
  for (;;) {
    const page = await listChainedAfter(database, walk.end.sequence, pageSize);
    if (page.length === 0) break;
    for (const entry of page) walk.visit(entry);
  }
  // A service that went on chaining meanwhile has signed the end that the walk came to after the heads were read.
  const late = await listHeadsAfter(database, inside.at(-1)?.sequence ?? 0n, pageSize);
  walk.finish([...inside, ...late].find((head) => head.sequence === walk.end.sequence));
  return {
    entries: walk.end.sequence,
    heads: inside.length + outside.heads.length,
    faults: [...outside.faults, ...walk.faults, ...(await emptyLogFaults(database))],
    unchecked: inside.length > 0 && outside.isEmpty ? [lostHeads(headFile.path)] : [],
  };
}

/** Merchants and operators are recorded when they are created: where there are some, an empty log was emptied. */
async function emptyLogFaults(database: Queryable): Promise<string[]> {
  const { hasEntries, hasAccounts } = await findTraces(database);
  if (hasEntries || !hasAccounts) return [];
  return ['the log is empty, but there are merchants or operators whose creation it must hold'];
}

function lostHeads(path: string): string {
  return `there are no heads outside the database: ${path} is missing or empty, so a log that was rebuilt as a whole would not be noticed`;
}

class ChainWalk {
  readonly faults: string[] = [];
  end: { sequence: bigint; hash: Buffer } = emptyChain;
  readonly #heads = new Map<bigint, AuditHead[]>();

  constructor(
    readonly publicKey: KeyObject,
    heads: readonly AuditHead[],
  ) {
    for (const head of heads)
      this.#heads.set(head.sequence, [...(this.#heads.get(head.sequence) ?? []), head]);
  }

  visit(entry: ChainedEntry): void {
    const { sequence, previousHash, hash, content } = entry;
    const expected = this.end.sequence + 1n;
    if (sequence !== expected) this.faults.push(`entry ${expected} is missing`);
    else if (!previousHash.equals(this.end.hash))
      this.faults.push(`entry ${sequence} does not follow the one before`);
    if (!hash.equals(entryHash(previousHash, sequence, content)))
      this.faults.push(`entry ${sequence} was changed`);
    this.faults.push(...headFaults(this.publicKey, this.#heads.get(sequence) ?? [], hash));
    this.#heads.delete(sequence);
    this.end = entry;
  }

  finish(headOfEnd: AuditHead | undefined): void {
    for (const sequence of this.#heads.keys()) {
      this.faults.push(`the log once reached entry ${sequence}, which is missing`);
    }
    const { sequence, hash } = this.end;
    if (sequence === 0n) return;
    const isSigned = headOfEnd && headFaults(this.publicKey, [headOfEnd], hash).length === 0;
    if (!isSigned) this.faults.push(`the end of the log, entry ${sequence}, has no signed head`);
  }
}

function headFaults(publicKey: KeyObject, heads: readonly AuditHead[], hash: Buffer): string[] {
  return heads.flatMap((head) => {
    if (!isHeadGenuine(publicKey, head)) return [`the signature of head ${head.sequence} is not ours`];
    return head.hash.equals(hash) ? [] : [`entry ${head.sequence} is not the one that was signed`];
  });
}

async function readHeads(database: Queryable): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for (;;) {
    const page = await listHeadsAfter(database, heads.at(-1)?.sequence ?? 0n, pageSize);
    if (page.length === 0) return heads;
    heads.push(...page);
  }
}
