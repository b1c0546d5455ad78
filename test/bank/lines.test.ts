/** A line of a bank is booked once, by whatever way it is reported, and the ledger moves with lines only. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  attemptOf,
  failedPayout,
  happens,
  operate,
  paidByBank,
  statusOf,
  submittedByBank,
  useCorrections,
  versionOf,
  withTwo,
} from '../corrections/corrections.js';
import { done } from '../harness/api.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { reaches } from '../orders/paid-orders.js';
import { csvOf, importLines, movement, record } from '../payments/payments.js';
import { bankDifferences, held } from './books.js';

const running = useCorrections();

afterEach(async () => {
  expect(await bankDifferences(running)).toEqual([]);
});

let keys = 0;
/** Records what happened to the newest payment out of the order. */
async function recorded(id: string, path: 'paid' | 'returned', body: object) {
  keys += 1;
  const { attempt_id, version } = await attemptOf(running, id);
  const bookedAt = '2026-11-15T09:41:00.000Z';
  return running.api.post(`/operator/payouts/${attempt_id}/${path}`, {
    ...{ token: running.as('rita'), key: `line-test-${keys}` },
    body: { version, bookedAt, ...body },
  });
}

/** An order whose refund of 100 was paid from the account that it was paid to. */
async function refunded(): Promise<string> {
  const { id } = await failedPayout(running);
  const version = await versionOf(running, id);
  done(await operate(running, `orders/${id}/refund`, { version, reason: 'corridor', note: 'Back.' }));
  await reaches(running, id, 'REFUND_PENDING');
  done(await recorded(id, 'paid', { bankReference: `refund-${id}`, bank: 'acme-usd' }));
  expect(await statusOf(running, id)).toBe('REFUNDED');
  return id;
}

describe('the money of a refund that bounced', () => {
  it('is not booked again as a return when it was recorded as a payment, until that is voided (M1)', async () => {
    const id = await refunded();
    const before = await held(running, 'bank:USD:acme-usd');
    const bounced = movement({ bankReference: `bounce-${id}`, remittanceText: 'RETURN AC04' });
    const payment = done(await record(running, bounced));
    const returned = { bankReference: `bounce-${id}`, bank: 'acme-usd' };
    expect(told(await recorded(id, 'returned', returned))).toEqual([409, 'bank_reference_used']);
    expect((await held(running, 'bank:USD:acme-usd')) - before).toBe(10_000);
    const voided = { version: 1, note: 'It is the refund that bounced.' };
    done(await operate(running, `payments/${payment.id}/corrections/void`, voided));
    expect(await held(running, 'bank:USD:acme-usd')).toBe(before);
    done(await recorded(id, 'returned', returned));
    expect((await held(running, 'bank:USD:acme-usd')) - before).toBe(10_000);
  });

  it('is not booked again as a payment when it was recorded as a return: by hand, or from a file (M1)', async () => {
    const id = await refunded();
    const before = await held(running, 'bank:USD:acme-usd');
    done(await recorded(id, 'returned', { bankReference: `bounce-${id}`, bank: 'acme-usd' }));
    const bounced = movement({ bankReference: `bounce-${id}`, remittanceText: 'RETURN AC04' });
    expect(told(await record(running, bounced))).toEqual([409, 'bank_reference_used']);
    const [line] = await importLines(running, 'acme-usd', [csvOf(bounced)]);
    expect(line).toContain('fault,,bank_reference_used');
    expect((await held(running, 'bank:USD:acme-usd')) - before).toBe(10_000);
  });
});

describe('a reference of the bank', () => {
  it('pays one payout, whichever merchant it is of (M8)', async () => {
    const [first, second] = [
      await submittedByBank(running),
      await paidByBank(running, { accountId: 'shared-usd' }, running.rival),
    ];
    await reaches(running, second.id, 'PAYOUT_SUBMITTED', running.rival);
    done(await recorded(first.id, 'paid', { bankReference: 'LINE-7', bank: 'mexico' }));
    expect(told(await recorded(second.id, 'paid', { bankReference: 'LINE-7', bank: 'mexico' }))).toEqual([
      409,
      'bank_reference_used',
    ]);
  });

  it('is that of another line on another account, and in the next year (M8)', async () => {
    await openBankAccounts(running, 'bank:MXN:puebla');
    const [first, second] = [await submittedByBank(running), await submittedByBank(running)];
    done(await recorded(first.id, 'paid', { bankReference: 'LINE-8', bank: 'mexico' }));
    done(await recorded(second.id, 'paid', { bankReference: 'LINE-8', bank: 'puebla' }));
    const [lastYear, thisYear] = ['2025-03-02', '2026-11-02'].map((bookedAt) =>
      movement({ bankReference: 'NTRY-42', bookedAt }),
    );
    const [one, other] = [done(await record(running, lastYear ?? {})), done(await record(running, thisYear ?? {}))];
    expect(one.id).not.toBe(other.id);
    expect(done(await record(running, lastYear ?? {})).id).toBe(one.id);
  });
});

describe('the bank account of a payout', () => {
  it('bears the charge of a return that came before the payment was recorded (M6)', async () => {
    const before = [await held(running, 'bank:MXN:mexico'), await held(running, 'settlement:MXN:manual')];
    const { id } = await submittedByBank(running);
    await happens(running, { id }, 'submitted');
    done(await recorded(id, 'returned', { bankReference: `back-${id}`, bank: 'mexico', charge: '50.00' }));
    expect(await held(running, 'bank:MXN:mexico')).toBe((before[0] ?? 0) - 5000);
    expect(await held(running, 'settlement:MXN:manual')).toBe(before[1]);
  });

  it('agrees with the bank after a payment that was made twice, came back, and was proved in the end (Z2)', async () => {
    const before = await held(running, 'settlement:MXN:manual');
    const { id } = await submittedByBank(running);
    await happens(running, { id }, 'paid');
    const correct = async (verb: string) => {
      const { attempt_id: attemptId, version } = await attemptOf(running, id);
      const line = { bank: 'mexico', bankReference: `${verb}-${id}`, bookedAt: '2026-11-16T09:41:00.000Z' };
      done(await withTwo(running, `payouts/${attemptId}/${verb}`, { ...line, version, note: 'A test.' }));
    };
    await correct('paid-twice');
    done(await recorded(id, 'returned', { bankReference: `back-${id}`, bank: 'mexico' }));
    await correct('prove-paid');
    expect(await statusOf(running, id)).toBe('COMPLETED');
    expect(await held(running, 'settlement:MXN:manual')).toBe(before);
  });

  it('is named whenever it moves: nothing is paid or comes back without it, nor a charge taken (M7, Z3)', async () => {
    const { id } = await submittedByBank(running);
    const charged = await recorded(id, 'paid', { bankReference: `charged-${id}`, charge: '30.00' });
    expect([charged.status, charged.json.errors[0].field]).toEqual([400, 'bank']);
    await happens(running, { id }, 'paid', { charge: '30.00' });
    const before = await held(running, 'bank:MXN:mexico');
    done(await recorded(id, 'returned', { bankReference: `back-${id}`, bank: 'mexico', charge: '20.00' }));
    const { amount_minor: paid } = await attemptOf(running, id);
    expect((await held(running, 'bank:MXN:mexico')) - before).toBe(Number(paid) - 2000);
  });
});

it('a treasury entry is a line, which its reversal takes away', async () => {
  const entry = (body: object) => {
    keys += 1;
    const { admin: token } = running;
    return running.api.post('/operator/ledger/entries', {
      token,
      key: `entry-${keys}`,
      body: { reason: 'October', ...body },
    });
  };
  const fee = { kind: 'bank_fee', bank: 'mexico', currency: 'MXN', amount: '7.50', bankReference: 'FEE-1' };
  const booked = done(await entry(fee));
  expect(told(await entry(fee))).toEqual([409, 'bank_reference_used']);
  done(await entry({ kind: 'correction', reverses: booked.id }));
  done(await entry(fee));
});
