/** The chain of one merchant's changes: each hash covers the previous hash, the numbers, the times and the seal. Pure. */
import { createHash } from 'node:crypto';
import type { Channel } from '../event.js';

export interface ChainEnd {
  readonly number: bigint;
  readonly hash: Buffer;
}

/** What the database gave to a change, and the seal that covers everything else. */
export interface ChainedFields {
  readonly id: bigint;
  /** Of its event in the channel. Null for a change without an event, and for a test. */
  readonly sequence: bigint | null;
  /** As the database writes them, with microseconds. */
  readonly occurredAt: string;
  readonly recordedAt: string;
  readonly seal: Buffer;
}

/** The end of a chain, and the last number that was given in each channel. */
export interface ChainState extends ChainEnd {
  readonly sequences: Readonly<Record<Channel, bigint>>;
}

export interface Link extends ChainEnd {
  readonly id: bigint;
  readonly sequence: bigint | null;
}

export const emptyChain: ChainEnd = { number: 0n, hash: Buffer.alloc(32) };

export function changeHash(previousHash: Buffer, number: bigint, change: ChainedFields): Buffer {
  const { id, sequence, occurredAt, recordedAt, seal } = change;
  const canonical = JSON.stringify([
    previousHash.toString('hex'),
    String(number),
    sequence === null ? null : String(sequence),
    String(id),
    occurredAt,
    recordedAt,
    seal.toString('hex'),
  ]);
  return createHash('sha256').update(canonical).digest();
}

/** Continues the chain with the changes, in their order. `channel` names those whose event gets a number. */
export function linkChanges(
  state: ChainState,
  changes: readonly (Omit<ChainedFields, 'sequence'> & { readonly channel: Channel | undefined })[],
): { readonly links: Link[]; readonly state: ChainState } {
  let { number, hash } = state;
  const sequences = { ...state.sequences };
  const links = changes.map(({ channel, ...change }) => {
    number += 1n;
    if (channel) sequences[channel] += 1n;
    const sequence = channel ? sequences[channel] : null;
    hash = changeHash(hash, number, { ...change, sequence });
    return { id: change.id, number, hash, sequence };
  });
  return { links, state: { number, hash, sequences } };
}
