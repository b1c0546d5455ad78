/** Names by two of their words. A word in two neighbouring parts written as one is paired with the other parts only. */
import { buildHashTable, type HashTable } from './hash.js';

/** The same for both orders. */
export function pairHash(left: number, right: number): number {
  let hash = Math.imul(Math.min(left, right), 0x9e3779b1) ^ Math.imul(Math.max(left, right), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

interface PairedName {
  readonly words: readonly number[];
  /** Pairs: the joined word, and a bit for each part that it covers. */
  readonly joined: readonly number[];
}

export function buildPairTable(names: readonly PairedName[]): HashTable {
  const hashes: number[] = [];
  const values: number[] = [];
  for (const [number, name] of names.entries()) {
    for (const hash of pairsOf(name)) {
      hashes.push(hash);
      values.push(number);
    }
  }
  return buildHashTable(hashes, values);
}

function pairsOf({ words, joined }: PairedName): Set<number> {
  const covering = words.map((word, part) => ({ word, mask: 1 << part }));
  for (let index = 0; index < joined.length; index += 2) {
    covering.push({ word: joined[index] ?? 0, mask: joined[index + 1] ?? 0 });
  }
  const hashes = new Set<number>();
  for (const [index, left] of covering.entries()) {
    for (const right of covering.slice(index + 1)) {
      if ((left.mask & right.mask) === 0 && left.word !== right.word) hashes.add(pairHash(left.word, right.word));
    }
  }
  return hashes;
}
