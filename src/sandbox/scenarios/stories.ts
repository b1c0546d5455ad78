/** The stories that the sandbox can play. */
import { cancelledStories } from './cancelled-stories.js';
import { paymentStories } from './payment-stories.js';
import { payoutStories } from './payout-stories.js';
import { reviewStories } from './review-stories.js';
import type { Scenario } from './scenario.js';
import { usualStories } from './usual-stories.js';

export const scenarios: readonly Scenario[] = [
  ...usualStories,
  ...cancelledStories,
  ...paymentStories,
  ...reviewStories,
  ...payoutStories,
];
