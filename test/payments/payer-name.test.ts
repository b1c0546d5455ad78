/** A payment by somebody with another name than the user's: applied, and then reviewed. */
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';
import { get, placed, sender } from '../orders/orders.js';
import { usePayInAccounts } from '../payments/payments.js';
import { movement, record } from './payments.js';

const running = useRemesa({ hasRates: true });
usePayInAccounts(running);

it('is applied also when the payer has another name, and a person then looks at the order before it is paid out', async () => {
  const unpaid = async () => placed(running, await sender(running));
  const [own, other] = [await unpaid(), await unpaid()];
  const pay = (order: { payIn: { reference: string } }, name: string) =>
    record(running, movement({ remittanceText: order.payIn.reference, payer: { name, account: '1' } }));
  await pay(own, 'REYES NUNEZ ANA');
  const paid = await pay(other, 'Boris Petrov');
  await eventually(async () => (await get(running, other.id)).json.status === 'IN_REVIEW' || undefined);
  const { json } = await running.api.get(`/operator/orders/${other.id}/review`, { token: running.reviewer });
  expect(JSON.stringify(json)).toContain(`The payer of ${paid.json.id} has a name unlike the user's.`);
  await eventually(async () => (await get(running, own.id)).json.status === 'COMPLETED' || undefined);
});
