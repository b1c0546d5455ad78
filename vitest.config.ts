import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// In the projects, not above them: there it would start a server more, for nobody.
const globalSetup = ['test/harness/global-setup.ts'];

/** They kill processes and servers, or look at memory and delays: their limits mean a machine of their own. */
const alone = [
  'test/{faults,embedded,commands}/**/*.test.ts',
  'test/kyc-form/hostile-*.test.ts',
  'test/users/list-*.test.ts',
  'test/webhooks/client-memory.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Files of one worker share the loaded modules: importing them anew cost as much as half of the tests.
    isolate: false,
    // A build machine may stall for a moment; a guarantee that does not hold fails twice.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/harness/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          globalSetup,
          include: ['test/**/*.test.ts'],
          exclude: alone,
          maxWorkers: Math.min(4, availableParallelism()),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', globalSetup, include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
