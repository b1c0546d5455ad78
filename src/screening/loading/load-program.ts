/** The worker thread that reads one list and hands its index over. */
import { parentPort, workerData } from 'node:worker_threads';
import { ListFault } from '../lists/list-fault.js';
import { buffersOf } from '../search-index/index-data.js';
import type { ListSource } from './list-source.js';
import { readList } from './read-list.js';

try {
  const list = await readList(workerData as ListSource);
  parentPort?.postMessage({ list }, [...buffersOf(list.persons), ...buffersOf(list.organisations)]);
} catch (error) {
  // An unexpected error ends the thread with its stack; the service logs it and keeps the previous list.
  if (!(error instanceof ListFault)) throw error;
  parentPort?.postMessage({ fault: error.message });
}
