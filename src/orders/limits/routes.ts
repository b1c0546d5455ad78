/** Routes for merchants and their users: what a user may still send. */
import { type Route, read } from '../../http/route.js';
import { UserLimitsShape } from './schemas.js';
import type { LimitService } from './service.js';
import { viewOfLimits } from './user-limits.js';

export function limitRoutes(limits: LimitService): Route[] {
  return [
    read({
      tag: 'Orders',
      method: 'GET',
      path: '/user/limits',
      operationId: 'getUserLimits',
      summary: 'Get what a user may still send',
      description:
        'Limits are in US dollars and depend on the KYC level. An order is valued at its creation, at the mid-market rate, rounded up to the cent. Cancelled and expired orders that were not paid do not count. [Guide](docs/guides/limits).',
      returns: 'Each limit with what is used and left, and what the next KYC level would unlock.',
      access: { token: 'either', scope: 'orders', user: 'required' },
      answer: UserLimitsShape,
      async run({ caller, user }, database) {
        const shown = await limits.show(database, { merchantId: caller.merchantId, userId: user.id });
        return { userId: user.id, ...viewOfLimits(shown) };
      },
    }),
  ];
}
