/**
 * The operators' rules as one rule of the gate: it loads the facts in one statement, and only when a rule asks for
 * them.
 */
import type { GateRule } from '../gate/facts.js';
import type { AccountIndex } from './account-index.js';
import { findingsOf } from './evaluation.js';
import { factsAskedBy, noFacts } from './facts.js';
import { findFacts } from './facts-store.js';
import { type ReviewRule, rulesFor } from './rule.js';

export function reviewRulesAt(rules: () => readonly ReviewRule[], accounts: AccountIndex): GateRule {
  return {
    async check(database, merchantId, orders) {
      const current = rules();
      const concerned = orders.map((ruled) => ({ ...ruled, rules: rulesFor(current, ruled.order) }));
      // What one order is asked for is counted for all of them; each rule looks at its own.
      const asked = factsAskedBy(concerned.flatMap(({ rules }) => rules));
      const subjects = concerned.map(({ order, beneficiary }) => ({
        orderId: order.orderId,
        digest: asked?.asksForAccount ? accounts.digestOf(merchantId, beneficiary) : undefined,
      }));
      const facts = asked && (await findFacts(database, merchantId, subjects, asked));
      return new Map(
        concerned.map(({ order, rules }) => [
          order.orderId,
          findingsOf(rules, order, facts?.get(order.orderId) ?? noFacts),
        ]),
      );
    },
  };
}
