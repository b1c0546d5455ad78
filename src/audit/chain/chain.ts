/** The hash chain of one merchant's entries: each hash covers the previous hash, the number and every column. */
import { createHash } from 'node:crypto';

/** Every column of an entry as text, exactly as the database writes it. */
export type EntryContent = readonly (string | null)[];

export interface ChainEnd {
  readonly sequence: bigint;
  readonly hash: Buffer;
}

export interface ChainedEntry extends ChainEnd {
  readonly previousHash: Buffer;
  readonly content: EntryContent;
}

export interface Link extends ChainEnd {
  readonly id: bigint;
  readonly previousHash: Buffer;
}

export const emptyChain: ChainEnd = { sequence: 0n, hash: Buffer.alloc(32) };

export function entryHash(previousHash: Buffer, sequence: bigint, content: EntryContent): Buffer {
  const canonical = JSON.stringify([previousHash.toString('hex'), sequence.toString(), ...content]);
  return createHash('sha256').update(canonical).digest();
}

/** Continues the chain with the entries, in their order. */
export function linkEntries(
  end: ChainEnd,
  entries: readonly { readonly id: bigint; readonly content: EntryContent }[],
): Link[] {
  let { sequence, hash } = end;
  return entries.map(({ id, content }) => {
    const previousHash = hash;
    sequence += 1n;
    hash = entryHash(previousHash, sequence, content);
    return { id, sequence, previousHash, hash };
  });
}
