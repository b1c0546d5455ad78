/** A worker ends when its run is killed, and a browser ends with its worker. Loaded before each test file. */
const watched = Symbol.for('remesa: the worker ends with its run');
const worker = globalThis as { [watched]?: NodeJS.Process };

worker[watched] ??= process.once('disconnect', () => process.exit(1));
