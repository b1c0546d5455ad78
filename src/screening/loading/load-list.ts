/** Loads a list in a worker thread: parsing a large list takes seconds, which no request may wait for. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
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
  const options = { workerData, env: {}, resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } };
  const worker = import.meta.url.endsWith('.js')
    ? new Worker(new URL('./load-program.js', import.meta.url), options)
    : new Worker(programOfTests(), { ...options, eval: true });
  worker.unref();
  return worker;
}

/** In tests the program is TypeScript, and its loader must be registered first. */
function programOfTests(): string {
  const packageFile = createRequire(import.meta.url).resolve('tsx/package.json');
  const loader = pathToFileURL(join(dirname(packageFile), 'dist/esm/api/index.mjs')).href;
  const program = new URL('./load-program.ts', import.meta.url).href;
  return `import('${loader}').then(({ register }) => (register(), import('${program}')));`;
}
