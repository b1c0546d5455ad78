/** The operators' rules as one rule of the gate: it loads the facts in one statement, and only when a rule asks for them. */
import type { GateRule } from '../gate/examination.js';
import type { AccountIndex } from './account-index.js';
import { findingsOf } from './evaluation.js';
import { factsAskedBy, noFacts } from './facts.js';
import { findFacts } from './facts-store.js';
import { type ReviewRule, rulesFor } from './rule.js';

export function reviewRulesAt(rules: () => readonly ReviewRule[], accounts: AccountIndex): GateRule {
  return {
    async check(database, order, beneficiary) {
      const concerned = rulesFor(rules(), order);
      const asked = factsAskedBy(concerned);
      if (!asked) return findingsOf(concerned, order, noFacts);
      const digest = asked.asksForAccount ? accounts.digestOf(order.merchantId, beneficiary) : undefined;
      return findingsOf(concerned, order, await findFacts(database, order, asked, digest));
    },
  };
}
