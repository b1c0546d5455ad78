/** The metric of requests that wait for a second person, by action. */
import type { RoomGauge } from '../http/monitoring/metrics.js';
import type { Queryable } from '../postgres/statement.js';
import { countWaiting } from './listing-store.js';

export function approvalGauges(database: Queryable): RoomGauge[] {
  return [
    {
      name: 'remesa_approvals',
      help: 'Requests that wait for a second operator, by action.',
      label: 'action',
      read: () => countWaiting(database),
    },
  ];
}
