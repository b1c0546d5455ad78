/** Metrics of money in suspense that waits for a decision, by reason. */
import type { RoomGauge } from '../../../http/monitoring/metrics.js';
import type { Queryable } from '../../../postgres/statement.js';
import { countSuspense } from './suspense-listing-store.js';

export function suspenseGauges(database: Queryable): RoomGauge[] {
  const read = (value: 'count' | 'oldestSeconds') => async () =>
    new Map((await countSuspense(database)).map((counted) => [counted.reason, counted[value]]));
  return [
    {
      name: 'remesa_suspense_records',
      help: 'Payments in suspense that wait for a decision.',
      label: 'reason',
      read: read('count'),
    },
    {
      name: 'remesa_suspense_oldest_seconds',
      help: 'How long the oldest of them has been waiting.',
      label: 'reason',
      read: read('oldestSeconds'),
    },
  ];
}
