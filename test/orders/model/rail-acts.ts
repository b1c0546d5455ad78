/** What happens at the bank, what the rail reports, and how time passes. */
import { moveClock } from '../../kyc/kyc-service.js';
import { report } from '../../payouts/payouts.js';
import type { PayoutVerbs } from '../../payouts/worker-verbs.js';
import { type RailMode, takenIn } from './booked-rail.js';
import { type Draw, onOrder, orderAt } from './lane.js';
import type { ModelOrder } from './order-model.js';
import type { ModelAttempt, ReportKind } from './order-record.js';
import type { ModelSuspense } from './suspense-model.js';

export const wait =
  (hours: number): Draw =>
  ({ merchant }) => ({
    name: `wait ${hours} hours`,
    async ask(service) {
      await moveClock(service, merchant, `${hours} hours`);
      return [200];
    },
    expect(model) {
      model.hour += hours;
      return [200];
    },
  });

/** What can happen at a bank after this. */
const nextAtBank: Readonly<Record<ReportKind, readonly ReportKind[]>> = {
  accepted: ['paid', 'rejected'],
  paid: ['returned'],
  rejected: [],
  returned: [],
};

/** What happens next to the newest attempt, if anything can. */
export function nextOf(attempts: readonly ModelAttempt[], isGood: boolean): ReportKind | undefined {
  const last = attempts.at(-1)?.known?.at(-1);
  return last && nextAtBank[last].at(isGood ? 0 : -1);
}

/** Something happens at the bank, and nobody is told yet. */
export const happen = (at: number, isGood: boolean): Draw =>
  onOrder(at, (index, order, { id }) => {
    const next = nextOf(order.attempts, isGood);
    if (!next) return undefined;
    const reference = referenceOf(id, order.attempts.length);
    return {
      name: `${next} at the bank, of ${index}`,
      async ask({ rail }) {
        rail.happen(reference, next);
        return [200];
      },
      expect(model) {
        orderAt(model, index).attempts.at(-1)?.known?.push(next);
        return [200];
      },
    };
  });

interface Telling {
  /** Counts back: 0 and 1 are the newest two reports of the newest attempt, 2 and 3 those of the attempt before. */
  readonly back: number;
  /** Makes another id of the report. */
  readonly suffix: string;
  readonly times: number;
}

/** The rail reports something that has happened: the newest first, or twice, or under another id. */
export const tell = (verbs: () => PayoutVerbs, at: number, { back, suffix, times }: Telling): Draw =>
  onOrder(at, (index, order, { id }) => {
    const number = order.attempts.length - (back >> 1);
    const kind = order.attempts[number - 1]?.known?.at(-1 - (back % 2));
    if (!kind) return undefined;
    const said = report(kind, referenceOf(id, number));
    const received = { ...said, reportId: `${said.reportId}${suffix}` };
    return {
      name: `report ${received.reportId.split('.').slice(1).join('.')} of attempt ${number} of ${index}, ${times} times`,
      async ask() {
        const { database, reports } = verbs();
        const by = { actor: { kind: 'system', name: 'test' } } as const;
        const receive = () =>
          database.transaction((tx) => reports.receive(tx, by, { rail: 'sandbox', report: received, source: 'rail' }));
        await Promise.all(Array.from({ length: times }, receive));
        return [200];
      },
      expect(model) {
        const told = orderAt(model, index);
        told.receiveReport(told.attempts[number - 1] as ModelAttempt, kind, `${kind}${suffix}`);
        return [200];
      },
    };
  });

/** What a pass of the sending worker does to an attempt. */
export function sendInModel(record: ModelOrder | ModelSuspense, attempt: ModelAttempt, mode: RailMode): void {
  if (attempt.state !== 'ready' && attempt.state !== 'sent') return;
  const isAnswered = mode !== 'down' && (mode !== 'silent' || attempt.known !== undefined);
  attempt.state = 'sent';
  if (mode !== 'down') attempt.known ??= [...takenIn[mode]];
  if (isAnswered) for (const kind of attempt.known ?? []) record.receiveReport(attempt, kind);
}

/**
 * What the banks know an attempt by: `ORD` or `SUS`, the characters of the record, and its number from the second on.
 */
export function referenceOf(id: string, number: number): string {
  const [kind = '', characters = ''] = id.split('_');
  return `${kind.toUpperCase()}${characters}${number === 1 ? '' : `-${number}`}`;
}
