/**
 * All pages in a real browser. They are one file, so that one worker runs them: each further worker would start a
 * browser and load Playwright for itself, which takes as long as a tenth of these tests.
 */
import { describe } from 'vitest';

// Imported inside of `describe`, so that the service of a suite starts with it and stops with it.
const suites = {
  docs: () => import('./docs.suite.js'),
  receipt: () => import('./receipt.suite.js'),
  transfer: () => import('./transfer.suite.js'),
  'kyc-completing': () => import('./kyc-completing.suite.js'),
  'kyc-ways': () => import('./kyc-ways.suite.js'),
  'kyc-script': () => import('./kyc-script.suite.js'),
  'kyc-states': () => import('./kyc-states.suite.js'),
  'kyc-looks': () => import('./kyc-looks.suite.js'),
  'kyc-hostile': () => import('./kyc-hostile.suite.js'),
};

for (const [name, load] of Object.entries(suites))
  describe(name, async () => {
    await load();
  });
