/** The identity form in a real browser. */
import { describe } from 'vitest';

// Imported inside of `describe`, so that the service of a suite starts with it and stops with it.
const suites = {
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
