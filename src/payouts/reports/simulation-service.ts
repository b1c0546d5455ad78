/** A rail of the sandbox reports what somebody wants it to. A live instance has no such verb. */
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { Order } from '../../orders/order/order.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Direction } from '../attempt.js';
import type { Report, ReportKind } from '../rail.js';
import { listAttemptsOfOrder } from '../store.js';
import type { ReportService } from './report-service.js';

export interface SimulatedReport {
  readonly direction: Direction;
  readonly kind: ReportKind;
  /** A code of ISO 20022, such as `AC04`. */
  readonly reason: string | undefined;
}

export class PayoutSimulation {
  readonly #reports: ReportService;

  constructor(reports: ReportService) {
    this.#reports = reports;
  }

  /** About the newest attempt. Throws `simulated_event_impossible` when the rail cannot say this now. */
  async report(
    tx: Transaction,
    { requestId }: By,
    order: Order,
    { direction, kind, reason }: SimulatedReport,
  ): Promise<void> {
    const attempts = await listAttemptsOfOrder(tx, order);
    const attempt = attempts.filter((made) => made.direction === direction).at(-1);
    if (!attempt) throw impossible(`The order has no ${direction} yet.`);
    const { reference, amount, rail } = attempt;
    // The simulated rail would report under the same id, so that it does not say the same again.
    const report: Report = {
      reportId: `${reference}.${kind}`,
      reference,
      kind,
      amount,
      ...(reason === undefined ? {} : { reason }),
      raw: JSON.stringify({ kind, reference, reason }),
    };
    const by: By = {
      actor: { kind: 'system', name: 'sandbox rail' },
      ...(requestId === undefined ? {} : { requestId }),
    };
    const outcome = await this.#reports.receive(tx, by, { rail, report, source: 'rail' });
    if (outcome !== 'applied') throw impossible(`The ${direction} is ${attempt.state}.`);
  }
}

function impossible(message: string): RemesaError {
  return new RemesaError('conflict', 'simulated_event_impossible', message);
}
