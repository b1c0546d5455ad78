/** A hash table in two flat arrays, which can be handed from one thread to another without copying. */

/** FNV-1a over the text, with the kind of key as its start, so that a sound and a spelling never share a key by design. */
export function hashOf(kind: number, text: string): number {
  let hash = (0x811c9dc5 ^ kind) >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits choose the bucket: without this step, short texts would fill few buckets.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Values by hash: those of bucket b are from `starts[b]` to `starts[b + 1]`. */
export interface HashTable {
  readonly starts: Uint32Array;
  readonly hashes: Uint32Array;
  readonly values: Uint32Array;
}

/** Builds the table from pairs at the same positions in both arrays. */
export function buildHashTable(
  hashes: readonly number[] | Uint32Array,
  values: readonly number[] | Uint32Array,
): HashTable {
  const count = hashes.length;
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const starts = new Uint32Array(buckets + 1);
  for (const hash of hashes) {
    const after = (hash & (buckets - 1)) + 1;
    starts[after] = (starts[after] ?? 0) + 1;
  }
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
  }
  const next = starts.slice(0, buckets);
  const table = { starts, hashes: new Uint32Array(count), values: new Uint32Array(count) };
  for (let index = 0; index < count; index += 1) {
    const hash = hashes[index] ?? 0;
    const bucket = hash & (buckets - 1);
    const position = next[bucket] ?? 0;
    next[bucket] = position + 1;
    table.hashes[position] = hash;
    table.values[position] = values[index] ?? 0;
  }
  return table;
}

/** Calls `found` for each value that was stored under the hash. */
export function forEachValue(table: HashTable, hash: number, found: (value: number) => void): void {
  const bucket = hash & (table.starts.length - 2);
  const end = table.starts[bucket + 1] ?? 0;
  for (let position = table.starts[bucket] ?? 0; position < end; position += 1) {
    if (table.hashes[position] === hash) found(table.values[position] ?? 0);
  }
}
