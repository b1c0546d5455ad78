/** The metric of orders that are under way, by state. */
import { readAtMostEvery } from '../../http/monitoring/kept-reading.js';
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import type { Queryable } from '../../postgres/statement.js';
import { orderStates } from '../order/transitions.js';
import { countOrdersIn } from './desk/desk-store.js';

const ended: ReadonlySet<string> = new Set(['COMPLETED', 'REFUNDED', 'CANCELLED', 'EXPIRED']);
const keptSeconds = 60;

/** Orders that have ended are many, and only grow: they are not counted. */
export function orderGauges(database: Queryable): RoomGauge[] {
  const states = orderStates.filter((state) => !ended.has(state));
  const read = readAtMostEvery(keptSeconds, async () => {
    const counts = await countOrdersIn(database, states);
    return new Map(states.map((state) => [state, counts.get(state) ?? 0]));
  });
  return [{ name: 'remesa_orders', help: 'Orders that have not ended, by state.', label: 'state', read }];
}
