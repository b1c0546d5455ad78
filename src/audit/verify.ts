/** Checks the whole chain against its signed heads, both those in the database and those in the file. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Queryable } from '../postgres/statement.js';
import { type AuditHead, type ChainedEntry, emptyChain, entryHash, isHeadGenuine } from './audit.js';
import type { HeadFile } from './head-file.js';
import { headsOfLostTail, lostTailFaults } from './lost-tail.js';
import { findLogExistence, listChainedAfter, listHeadsAfter } from './store.js';

export interface AuditReport {
  readonly entries: bigint;
  readonly heads: number;
  /** Empty when nothing was changed. */
  readonly faults: readonly string[];
  /** What could not be checked. Empty when everything was. */
  readonly unchecked: readonly string[];
}

const pageSize = 1000;

/** Reports faults and does not throw when the log was changed. */
export async function verifyAudit(
  database: Queryable,
  signingKey: KeyObject,
  headFile: HeadFile,
): Promise<AuditReport> {
  const databaseHeads = await readHeads(database);
  const file = await headFile.read();
  const chain = new ChainVerifier(createPublicKey(signingKey), [...databaseHeads, ...file.heads]);
  for (;;) {
    const page = await listChainedAfter(database, chain.end.sequence, pageSize);
    if (page.length === 0) break;
    for (const entry of page) chain.verify(entry);
  }
  // A running service may have chained and signed more entries after the heads were read.
  const newHeads = await listHeadsAfter(database, databaseHeads.at(-1)?.sequence ?? 0n, pageSize);
  const signed = [...databaseHeads, ...newHeads];
  const lost = headsOfLostTail(chain.genuine(file.heads), signed, chain.end.sequence);
  chain.ignore(lost);
  chain.finish(signed.find((head) => head.sequence === chain.end.sequence));
  const isUnchanged = file.faults.length === 0 && chain.faults.length === 0;
  return {
    entries: chain.end.sequence,
    heads: databaseHeads.length + file.heads.length,
    faults: [
      ...file.faults,
      ...chain.faults,
      ...lostTailFaults(lost, chain.end.sequence, isUnchanged),
      ...(await emptyLogFaults(database)),
    ],
    unchecked: databaseHeads.length > 0 && file.isEmpty ? [missingHeadFile(headFile.path)] : [],
  };
}

/** The creation of merchants and operators is recorded, so if any exist, an empty log was emptied. */
async function emptyLogFaults(database: Queryable): Promise<string[]> {
  const { hasEntries, hasAccounts } = await findLogExistence(database);
  if (hasEntries || !hasAccounts) return [];
  return ['the log is empty, but there are merchants or operators whose creation it must contain'];
}

function missingHeadFile(path: string): string {
  return `there are no heads outside the database: ${path} is missing or empty, so a log that was rebuilt as a whole would not be noticed`;
}

class ChainVerifier {
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

  verify(entry: ChainedEntry): void {
    const { sequence, previousHash, hash, content } = entry;
    const expected = this.end.sequence + 1n;
    if (sequence !== expected) this.faults.push(`entry ${expected} is missing`);
    else if (!previousHash.equals(this.end.hash))
      this.faults.push(`entry ${sequence} does not follow the previous entry`);
    if (!hash.equals(entryHash(previousHash, sequence, content)))
      this.faults.push(`entry ${sequence} was changed`);
    this.faults.push(...headFaults(this.publicKey, this.#heads.get(sequence) ?? [], hash));
    this.#heads.delete(sequence);
    this.end = entry;
  }

  genuine(heads: readonly AuditHead[]): AuditHead[] {
    return heads.filter((head) => isHeadGenuine(this.publicKey, head));
  }

  /** Heads that are reported in another way. */
  ignore(heads: readonly AuditHead[]): void {
    for (const { sequence } of heads) this.#heads.delete(sequence);
  }

  finish(headOfEnd: AuditHead | undefined): void {
    for (const sequence of this.#heads.keys()) {
      this.faults.push(`entry ${sequence} was signed and is missing now`);
    }
    const { sequence, hash } = this.end;
    if (sequence === 0n) return;
    const isSigned = headOfEnd && headFaults(this.publicKey, [headOfEnd], hash).length === 0;
    if (!isSigned) this.faults.push(`the end of the log, entry ${sequence}, has no signed head`);
  }
}

function headFaults(publicKey: KeyObject, heads: readonly AuditHead[], hash: Buffer): string[] {
  return heads.flatMap((head) => {
    if (!isHeadGenuine(publicKey, head)) return [`the signature of head ${head.sequence} is not valid`];
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
