/** Nothing is paid out for a politically exposed sender whom management does not accept. Nobody clears that. */
import type { ExposureService } from '../../kyc/exposure/service.js';
import { unacceptedRule } from '../order/review.js';
import type { GateRule } from './facts.js';

const finding = {
  rule: unacceptedRule,
  key: 'sender',
  explanation: 'The sender is politically exposed, and management has not accepted that, or more than a year ago.',
};

export function exposureRule(exposures: Pick<ExposureService, 'listUnaccepted'>): GateRule {
  return {
    async check(database, merchantId, orders) {
      const senders = [...new Set(orders.map(({ order }) => order.userId))];
      const unaccepted = await exposures.listUnaccepted(database, merchantId, senders);
      const stopped = orders.filter(({ order }) => unaccepted.has(order.userId));
      return new Map(stopped.map(({ order }) => [order.orderId, [finding]]));
    },
  };
}
