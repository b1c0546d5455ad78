import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compileSources, importsCompiledSources } from './test/harness/compiled-sources.js';
import { startsBundledPrograms } from './test/harness/programs.js';

// In the projects, not above them: there it would start another server that no test uses.
const globalSetup = ['test/harness/global-setup.ts'];
const setupFiles = ['test/harness/ends-with-run.ts', 'test/harness/patience.ts'];

/** Measures memory and the time until an answer, so that it needs a processor for itself. */
const alone = ['test/kyc-form/hostile-uploads.test.ts'];

// Vitest finds the tests of a change by what they import through Vite.
const findsChanges = process.argv.includes('--changed');
if (!findsChanges) await compileSources();

/** A fresh clone knows no durations, and the files that take longest would begin last: they only import other files. */
class BrowserFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isForBrowser = (file: TestSpecification) => file.moduleId.includes('/test/browser/');
    return (await super.sort(files)).sort((left, right) => Number(isForBrowser(right)) - Number(isForBrowser(left)));
  }
}

export default defineConfig({
  plugins: findsChanges ? [startsBundledPrograms] : [importsCompiledSources],
  test: {
    pool: 'forks',
    // Files of one worker share the loaded modules: importing them anew cost as much as half of the tests.
    isolate: false,
    // More room for young objects: collecting them took a twelfth of the time of a worker.
    execArgv: ['--enable-source-maps', '--max-semi-space-size=32'],
    server: { deps: { external: [/\/test-output\/programs-/] } },
    // For what never ends: a busy machine may take long.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    sequence: { sequencer: BrowserFirst },
    reporters: ['default', './test/harness/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          globalSetup,
          setupFiles,
          include: ['test/**/*.test.ts'],
          exclude: [...alone, 'test/failover/**', 'test/citus/**'],
          // One more than there are processors, because tests often wait: for a process to start, or for a lease to end.
          maxWorkers: Math.min(4, availableParallelism() + 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          globalSetup,
          setupFiles,
          include: alone,
          maxWorkers: Math.min(2, availableParallelism()),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
