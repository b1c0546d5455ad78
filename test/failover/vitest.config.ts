import { defineConfig } from 'vitest/config';

/** Started by scripts/test-failover.mjs in namespaces of its own; `npm test` does not run it. */
export default defineConfig({
  test: {
    include: ['test/failover/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    reporters: ['verbose'],
    testTimeout: 400_000,
  },
});
