/** The figures of payouts for the metrics. */
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import type { Queryable } from '../../postgres/statement.js';
import { countUnfinishedAttempts, type UnfinishedCount } from './payout-listing-store.js';

export function payoutGauges(database: Queryable): RoomGauge[] {
  const gauge = (name: string, help: string, figure: (count: UnfinishedCount) => number): RoomGauge => ({
    name,
    help,
    label: 'state',
    read: async () => {
      const counts = await countUnfinishedAttempts(database);
      return new Map(counts.map((count) => [count.state, figure(count)]));
    },
  });
  return [
    gauge('remesa_payout_attempts', 'Payouts and refunds that are not finished, by state.', ({ count }) => count),
    gauge(
      'remesa_payout_oldest_seconds',
      'How long the oldest unfinished payout has been in its state.',
      ({ oldestSeconds }) => oldestSeconds,
    ),
  ];
}
