/** Knows from memory whether any ledger has a fault, for the readiness probe. */
import type { RoomGauge } from '../../http/monitoring/metrics.js';
import type { Queryable } from '../../postgres/statement.js';
import { Refresher } from '../../worker/refresher.js';
import { listFaults } from '../ledger-store.js';

const refreshEveryMs = 30_000;
const mostFaults = 1000;

export class FaultWatch extends Refresher {
  #hasFault = false;

  constructor(readonly database: Queryable) {
    super(async () => {
      this.#hasFault = (await listFaults(database, 1)).length > 0;
    }, refreshEveryMs);
  }

  warnings(): string[] {
    return this.#hasFault ? ['ledger_fault'] : [];
  }

  gauge(): RoomGauge {
    return {
      name: 'remesa_ledger_fault',
      help: '1 for each merchant whose ledger has a fault. Merchant 0 is the instance.',
      label: 'merchant',
      read: async () => {
        const faults = await listFaults(this.database, mostFaults);
        return new Map(faults.map(({ merchantId }) => [String(merchantId), 1]));
      },
    };
  }
}
