/** Loads a list in a worker thread: parsing a large list takes seconds, which no request may wait for. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ListFault } from '../lists/list-fault.js';
import type { ListSource } from './list-source.js';
import type { ReadList } from './read-list.js';

/** A list that needs more ends the thread, not the service. */
const mostMegabytes = 3072;

/** Throws `ListFault` when the list is damaged or too large. Aborting ends the thread. */
export function loadList(source: ListSource, signal: AbortSignal): Promise<ReadList> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(source);
    const stop = () => void worker.terminate();
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', ({ list, fault }: { list?: ReadList; fault?: string }) => {
      if (list) resolve(list);
      else reject(new ListFault(fault ?? 'The list could not be read.'));
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      reject(isTooLarge ? new ListFault('The list needs more memory than is allowed for loading.') : error);
    });
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      reject(new ListFault('Loading ended before the list was complete.'));
    });
  });
}

function startWorker(workerData: ListSource): Worker {
  // Compiled, the program is JavaScript beside this file; in tests it is TypeScript, which needs its loader.
  const isCompiled = import.meta.url.endsWith('.js');
  const program = new URL(`./load-program.${isCompiled ? 'js' : 'ts'}`, import.meta.url);
  const worker = new Worker(program, {
    workerData,
    env: {},
    execArgv: isCompiled ? [] : ['--import', createRequire(import.meta.url).resolve('tsx')],
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  worker.unref();
  return worker;
}
