/** What the block list says about an order. Nobody clears what is on it: the block is lifted first. */
import { identifyingValues } from '../../beneficiaries/requirements.js';
import type { BlockService, FoundBlock } from '../../persons/blocks/service.js';
import type { RuleFinding } from '../order/gate.js';
import { blockedRule, likeBlockedRule } from '../order/review.js';
import type { GateRule } from './facts.js';
import { accountsOf } from './payer-screening.js';

/** The sender, the account that is paid, and those that paid. */
export function blockListRule(blocks: Pick<BlockService, 'find'>): GateRule {
  return {
    async check(database, merchantId, orders) {
      const involved = orders.map(({ order: { userId }, beneficiary, payers }) => ({
        users: [{ merchantId, userId }],
        accounts: [identifyingValues(beneficiary), ...accountsOf(payers)],
      }));
      const found = await blocks.find(database, involved);
      return new Map(orders.map(({ order }, index) => [order.orderId, (found[index] ?? []).map(blockedFinding)]));
    },
  };
}

export function blockedFinding({ blockId, isVerified }: FoundBlock): RuleFinding {
  const explanation = isVerified
    ? 'The block list names the sender, or an account or a phone of this order. Lift the block first.'
    : 'The sender and somebody on the block list have a document, a number, or a name with a birth date in common, which nobody has verified for both. Find out whether they are the same person.';
  return { rule: isVerified ? blockedRule : likeBlockedRule, key: blockId, facts: { blockId }, explanation };
}
