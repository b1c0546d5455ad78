/** The steps of workers, of time and of the rail. */
import type { Merchant } from '../../harness/users.js';
import { moveClock } from '../../kyc/kyc-service.js';
import { report } from '../../payouts/payouts.js';
import { type RailMode, takenIn } from './booked-rail.js';
import { compareOrders } from './comparison.js';
import type { Fault, ModelService } from './model-service.js';
import type { ModelAttempt, ModelOrder, ReportKind } from './order-model.js';
import { onOrder, type Step, step } from './step.js';

export const advance = (workers: number, fault: Fault): Step =>
  step(`${workers} workers advance, ${fault}`, async (model, real) => {
    const { service, merchant } = real;
    await service.work('orders.advance', { workers, fault }, async () => {
      await service.sql.query('UPDATE orders SET try_at = NULL WHERE merchant_id = $1', [merchant.merchant]);
    });
    for (const order of model.orders) order.advance();
    await compareOrders(model, real);
  });

export const expire = (workers: number, fault: Fault): Step =>
  step(`${workers} workers expire, ${fault}`, async (model, real) => {
    await real.service.work('orders.expire', { workers, fault }, async () => {});
    for (const order of model.orders) order.expire(model.hour);
    await compareOrders(model, real);
  });

export const wait = (hours: number): Step =>
  step(`wait ${hours} hours`, async (model, { service, merchant }) => {
    model.hour += hours;
    await moveClock(service, merchant, `${hours} hours`);
  });

export const send = (workers: number, mode: RailMode, fault: Fault): Step =>
  step(`${workers} workers send, the rail is to ${mode}, ${fault}`, async (model, real) => {
    const { service, merchant } = real;
    service.rail.mode = mode;
    await service.work('payouts.send', { workers, fault }, () => letRailBeAsked(service, merchant));
    for (const order of model.orders) for (const attempt of order.attempts) sendInModel(order, attempt, mode);
    await compareOrders(model, real);
  });

function sendInModel(order: ModelOrder, attempt: ModelAttempt, mode: RailMode): void {
  if (attempt.state !== 'ready' && attempt.state !== 'sent') return;
  const isAnswered = mode !== 'down' && (mode !== 'silent' || attempt.known !== undefined);
  attempt.state = 'sent';
  if (mode !== 'down') attempt.known ??= [...takenIn[mode]];
  if (isAnswered) for (const kind of attempt.known ?? []) order.hear(attempt, kind);
}

async function letRailBeAsked({ sql }: ModelService, { merchant }: Merchant): Promise<void> {
  await sql.query(
    `UPDATE payout_attempts SET due_at = least(due_at, now()), lease_until = NULL, lease_holder = NULL
      WHERE merchant_id = $1 AND due_at IS NOT NULL`,
    [merchant],
  );
  await sql.query('UPDATE payout_rail_failures SET resumes_at = failing_since');
}

/** What can happen at a bank after this. */
const nextAtBank: Readonly<Record<ReportKind, readonly ReportKind[]>> = {
  accepted: ['paid', 'rejected'],
  paid: ['returned'],
  rejected: [],
  returned: [],
};

/** Something happens at the bank, and nobody is told yet. */
export const happen = (at: number, isGood: boolean): Step =>
  onOrder(
    `${isGood ? 'good' : 'bad'} outcome at the bank`,
    at,
    async ({ order, id }, _model, { service }) => {
      const attempt = order.attempts.at(-1);
      const last = attempt?.known?.at(-1);
      const next = last && nextAtBank[last].at(isGood ? 0 : -1);
      if (!attempt || !next) return;
      attempt.known?.push(next);
      service.rail.happen(referenceOf(id, order.attempts.length), next);
    },
  );

/** The rail reports something that has happened: the newest first, or twice, or under another id. */
export const tell = (at: number, back: number, again: string, times: number): Step =>
  onOrder(`report ${back} back${again}, ${times} times,`, at, async ({ order, id }, _model, { verbs }) => {
    const index = order.attempts.length - 1 - (back >> 1);
    const attempt = order.attempts[index];
    const kind = attempt?.known?.at(-1 - (back % 2));
    if (!attempt || !kind) return;
    const said = report(kind, referenceOf(id, index + 1));
    const received = { ...said, reportId: `${said.reportId}${again}` };
    const by = { actor: { kind: 'system', name: 'test' } } as const;
    const receive = () =>
      verbs.database.transaction((tx) =>
        verbs.reports.receive(tx, by, { rail: 'sandbox', report: received, source: 'rail' }),
      );
    await Promise.all(Array.from({ length: times }, receive));
    order.hear(attempt, kind);
  });

function referenceOf(orderId: string, number: number): string {
  return `ORD${orderId.slice('ord_'.length)}${number === 1 ? '' : `-${number}`}`;
}
