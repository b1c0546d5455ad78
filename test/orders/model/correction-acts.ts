/** How operators correct mistakes: a payment is taken off its order, and a payout that was marked as paid is not. */
import { sent } from './customer-acts.js';
import { type Draw, onOrder, orderAt } from './lane.js';
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
        const { minor, hour, isByAnother } = payment;
        const record = new ModelSuspense('taken_off', 'USD', minor, hour, isByAnother, account);
        record.numbers[index] = number;
        if (isCleared) record.clearedFor = index;
        model.suspense.push(record);
        return [200];
      },
    };
  });

/** The newest payout was marked as paid, and was not. */
export const notPaid = (at: number): Draw =>
  onOrder(at, (index, order, { id }) => {
    const number = order.attempts.length;
    const attempt = order.attempts.at(-1);
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
