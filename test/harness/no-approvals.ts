/** For a server that a test builds by hand: its commands need one person only. */
import type { Approvals } from '../../src/http/four-eyes.js';

export const noApprovals: Approvals = {
  isDemanded: () => false,
  request: () => Promise.reject(new Error('no action needs a second person')),
};
