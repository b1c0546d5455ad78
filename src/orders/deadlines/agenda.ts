/**
 * What orders do by a merchant's clock: they expire, wait for answers in vain, and go on when the right to cancel ends.
 */
import type { Agenda } from '../../worker/agenda.js';
import { type AdvanceJobOptions, advanceOrders } from '../flow/advance-job.js';
import { hasDueOrders, nextDueOfOrders } from './agenda-store.js';
import { type ExpiryJobOptions, expireOrders } from './jobs.js';

export function orderAgenda(options: AdvanceJobOptions & ExpiryJobOptions): Agenda {
  const { database } = options;
  return {
    nextDue: (merchantId, after) => nextDueOfOrders(database, merchantId, after),
    hasDue: (merchantId) => hasDueOrders(database, merchantId),
    async runDue(merchantId, signal) {
      const expired = await expireOrders(options, async () => [merchantId], signal);
      return expired + (await advanceOrders(options, [merchantId], signal));
    },
  };
}
