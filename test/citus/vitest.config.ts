import { defineConfig } from 'vitest/config';
import { excludedFiles, excludedTests } from './excluded.js';

/** Started by scripts/test-citus.mjs; `npm test` does not run it. */
export default defineConfig({
  test: {
    include: [
      'test/citus/**/*.test.ts',
      'test/{users,rates,webhooks,kyc,audit,approvals,beneficiaries,ledger,orders}/**/*.test.ts',
      'test/http/idempotency*.test.ts',
    ],
    exclude: excludedFiles,
    testNamePattern: new RegExp(`^(?!.*(${excludedTests.join('|')}))`),
    globalSetup: ['test/citus/global-setup.ts'],
    setupFiles: ['test/harness/patience.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    // Emptying tables while the service writes may end in a deadlock between machines. A guarantee that does not hold
    // fails twice.
    retry: 1,
    reporters: ['default'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
