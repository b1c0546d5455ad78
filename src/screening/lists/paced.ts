/** Long work on the main thread, in slices: between two of them the event loop turns, so that requests are answered. */
import { setImmediate as turn } from 'node:timers/promises';

/** A slice ends with the first item after this time. */
const sliceMs = 3;

/** The items one by one. Throws the reason of the signal when it aborts. */
export async function* paced<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item> {
  let began = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - began < sliceMs) continue;
    await turn();
    signal?.throwIfAborted();
    began = performance.now();
  }
}

/** What is worked on at once of a file. */
const chunkBytes = 64 * 1024;

export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
