/**
 * Pages in a real browser. Those of the identity form are in form.test.ts, and no suite is a file of its own: each
 * further file would start a browser and load Playwright for itself, which takes as long as a tenth of these tests.
 */
import { describe } from 'vitest';

// Imported inside of `describe`, so that the service of a suite starts with it and stops with it.
const suites = {
  docs: () => import('./docs.suite.js'),
  receipt: () => import('./receipt.suite.js'),
  console: () => import('./console.suite.js'),
  consoleDay: () => import('./console-day.suite.js'),
  transfer: () => import('./transfer.suite.js'),
};

for (const [name, load] of Object.entries(suites))
  describe(name, async () => {
    await load();
  });
