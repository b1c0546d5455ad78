import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/global-setup.ts'],
    pool: 'forks',
    // One file at a time: many start servers and kill processes, and their time limits mean a machine of their own.
    maxWorkers: 1,
    // A build machine may stall for a moment; a guarantee that does not hold fails twice.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/harness/closing-line.ts'],
  },
});
