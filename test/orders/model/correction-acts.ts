/**
 * How operators correct mistakes, and what comes late: a payment is taken off its order or taken back by its bank, a
 * payout that was marked as paid is not, and one that failed was paid.
 */
import { sent } from './customer-acts.js';
import { type Draw, onOrder, orderAt } from './lane.js';
import { modelBank } from './model-service.js';
import type { ModelAttempt, State } from './order-record.js';
import { ModelSuspense } from './suspense-model.js';

const note = 'A step of the model.';

/** Only the simple case: one payment, all of which the order took, and which was never taken off before. */
export const takeOff = (at: number): Draw =>
  onOrder(at, (index, order, { seen: { version } }, { payments }) => {
    const own = payments.filter((payment) => payment.order === index);
    const [payment] = own;
    const isAskedAboutTerms = order.state === 'ACTION_REQUIRED' && order.requirements.join() === 'requote';
    const isPossible = order.state === 'PAYMENT_RECEIVED' || order.state === 'AWAITING_PAYMENT' || isAskedAboutTerms;
    if (!payment || own.length > 1 || !isPossible || order.receivedMinor !== payment.minor) return undefined;
    return {
      name: `taking the payment off ${index}`,
      async ask(service, fault) {
        const ask = { token: service.operator, body: { note, version } };
        const path = `/operator/payments/${payment.id}/corrections/take-off`;
        const outcome = await sent(service.send(path, ask, fault));
        // A payment is taken off once.
        if (outcome[0] === 200) payments.splice(payments.indexOf(payment), 1);
        return outcome;
      },
      expect(model) {
        const changed = orderAt(model, index);
        const isCleared = changed.isPaidByAnother && changed.isPayerCleared;
        const { account = '', number = 0 } = changed.takings[0] ?? {};
        changed.takeOff();
        const { minor, hour, payer } = payment;
        const record = new ModelSuspense('taken_off', 'USD', minor, hour, payer, account);
        record.order = index;
        record.numbers[index] = number;
        if (isCleared) record.clearedFor = index;
        model.suspense.push(record);
        return [200];
      },
    };
  });

const notYetOut: readonly State[] = [
  ...(['AWAITING_PAYMENT', 'PAYMENT_RECEIVED', 'IN_REVIEW', 'ACTION_REQUIRED', 'CONVERTED', 'FROZEN'] as const),
  ...(['PAYOUT_FAILED', 'RETURNED', 'REJECTED', 'REFUND_PENDING', 'REFUND_FAILED', 'PAYOUT_SUBMITTED'] as const),
];
let lines = 0;
const nextLine = () => {
  lines += 1;
  return { bankReference: `line-${Date.now()}-${lines}`, bookedAt: new Date().toISOString() };
};

/** Only the simple case: one payment, all of which the order took, and which nobody has been paid out by. */
export const clawBack = (at: number): Draw =>
  onOrder(at, (index, order, { seen: { version } }, { payments }) => {
    const own = payments.filter((payment) => payment.order === index);
    const [payment] = own;
    const isSent = order.state === 'PAYOUT_SUBMITTED' && order.attempts.at(-1)?.state !== 'ready';
    const isPossible = notYetOut.includes(order.state) && !isSent && order.refundedMinor === 0;
    const isWhole = order.takings.length === 1 && order.receivedMinor === payment?.minor;
    if (!payment || own.length > 1 || !isPossible || !isWhole || order.wasTakenOff) return undefined;
    return {
      name: `clawback of the payment of ${index}`,
      async ask(service, fault) {
        const ask = { token: service.operator, body: { note, version, ...nextLine() } };
        const path = `/operator/payments/${payment.id}/corrections/clawback`;
        const outcome = await sent(service.send(path, ask, fault));
        if (outcome[0] === 200) payments.splice(payments.indexOf(payment), 1);
        return outcome;
      },
      expect(model) {
        const outcome = orderAt(model, index).clawBack();
        if (outcome[0] === 200) model.pay('USD', -payment.minor);
        return outcome;
      },
    };
  });

/** A line of the bank shows that a payout was made which the rail had refused or sent back. */
export const provePaid = (at: number): Draw =>
  onOrder(at, (index, order, { id }) => {
    const states: readonly State[] = ['PAYOUT_FAILED', 'RETURNED', 'REFUND_PENDING', 'REFUND_FAILED', 'FROZEN'];
    const place = order.attempts.findLastIndex(({ direction }) => direction === 'payout');
    const attempt = order.attempts[place];
    if (!states.includes(order.state) || (attempt?.state !== 'rejected' && attempt?.state !== 'returned'))
      return undefined;
    return {
      name: `proof that the payout of ${index} was made`,
      async ask(service, fault) {
        const { rows } = await service.sql.query(
          'SELECT attempt_id, version FROM payout_attempts WHERE order_id = $1 AND number = $2',
          [id, place + 1],
        );
        const [{ attempt_id, version }] = rows;
        const ask = { token: service.operator, body: { note, version, ...nextLine() } };
        return sent(service.send(`/operator/payouts/${attempt_id}/prove-paid`, ask, fault));
      },
      expect(model) {
        const changed = orderAt(model, index);
        return changed.provePaid(changed.attempts[place] as ModelAttempt);
      },
    };
  });

/** A line of the bank shows that a refund was paid which was withdrawn, refused or sent back. */
export const proveRefund = (at: number, back: number): Draw =>
  onOrder(at, (index, order, { id }) => {
    const isDead = ({ state }: ModelAttempt) => state === 'recalled' || state === 'rejected' || state === 'returned';
    const places = [...order.attempts.keys()].filter((place) => order.attempts[place]?.direction === 'refund');
    const dead = places.filter((place) => isDead(order.attempts[place] as ModelAttempt));
    const place = dead.at(-1 - (back % Math.max(dead.length, 1)));
    if (place === undefined) return undefined;
    return {
      name: `proof that a refund of ${index} was paid`,
      async ask(service, fault) {
        const { rows } = await service.sql.query(
          'SELECT attempt_id, version FROM payout_attempts WHERE order_id = $1 AND number = $2',
          [id, place + 1],
        );
        const [{ attempt_id, version }] = rows;
        const ask = { token: service.operator, body: { note, version, bank: modelBank, ...nextLine() } };
        return sent(service.send(`/operator/payouts/${attempt_id}/prove-paid`, ask, fault));
      },
      expect(model) {
        const changed = orderAt(model, index);
        return changed.proveRefund(changed.attempts[place] as ModelAttempt);
      },
    };
  });

/** The newest payout was marked as paid, and was not. */
export const notPaid = (at: number): Draw =>
  onOrder(at, (index, order, { id }) => {
    const number = order.attempts.length;
    const attempt = order.attempts.at(-1);
    // What was proved is not undone again.
    const isProved = attempt?.reportIds.includes('rejected') || attempt?.reportIds.includes('returned');
    if (isProved) return undefined;
    if (order.state !== 'COMPLETED' || attempt?.state !== 'paid') return undefined;
    return {
      name: `payout of ${index} not paid after all`,
      async ask(service, fault) {
        const { rows } = await service.sql.query(
          'SELECT attempt_id, version FROM payout_attempts WHERE order_id = $1 AND number = $2',
          [id, number],
        );
        const [{ attempt_id, version }] = rows;
        const ask = { token: service.operator, body: { note, version } };
        return sent(service.send(`/operator/payouts/${attempt_id}/not-paid`, ask, fault));
      },
      expect(model) {
        orderAt(model, index).correctCompletion();
        return [200];
      },
    };
  });
