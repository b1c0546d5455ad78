/** What the block list says about an order. Nobody clears what is on it: the block is lifted first. */
import { identifyingValues } from '../../beneficiaries/requirements.js';
import type { BlockId } from '../../persons/blocks/block.js';
import type { BlockService } from '../../persons/blocks/service.js';
import type { RuleFinding } from '../order/gate.js';
import { blockedRule } from '../order/review.js';
import type { GateRule } from './facts.js';

/** The sender, and the account that is paid. */
export function blockListRule(blocks: Pick<BlockService, 'find'>): GateRule {
  return {
    async check(database, merchantId, orders) {
      const involved = orders.map(({ order: { userId }, beneficiary }) => ({
        users: [{ merchantId, userId }],
        accounts: [identifyingValues(beneficiary)],
      }));
      const found = await blocks.find(database, involved);
      return new Map(orders.map(({ order }, index) => [order.orderId, (found[index] ?? []).map(blockedFinding)]));
    },
  };
}

export function blockedFinding(blockId: BlockId): RuleFinding {
  const explanation = 'The block list names the sender, or an account or a phone of this order. Lift the block first.';
  return { rule: blockedRule, key: blockId, facts: { blockId }, explanation };
}
