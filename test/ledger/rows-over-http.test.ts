/**
 * Each row of the table of postings is reached over HTTP, and its journal is that of the table: accounts, signs and
 * amounts.
 */
import { describe, expect, it } from 'vitest';
import { minorText } from '../../src/ledger/journal.js';
import { eventRules } from '../../src/orders/order/order-events.js';
import { type CamtEntry, camt } from '../bank/camt.js';
import { loadingOf } from '../bank/loading.js';
import { postingsTable } from '../generated/postings-page.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newBankAccount } from './bank-accounts.js';
import { shownJournal, useEurosToPesos } from './euros-to-pesos.js';
import { type BookedRow, postingRows } from './posting-rows.js';

const money = useEurosToPesos();
const { load } = loadingOf(money.running);
const seen = new Set<string>();

/** Every journal of the order, as its timeline books them, and those of other references. */
async function journalsOf(reference: string, merchant?: string | null): Promise<BookedRow[]> {
  const journals = await money.journals(reference, merchant);
  for (const { event } of journals) seen.add(event);
  return journals;
}

/** Several rows look at the same story, which is played once. */
function once<T>(play: () => Promise<T>): () => Promise<T> {
  let played: Promise<T> | undefined;
  return () => {
    played ??= play();
    return played;
  };
}

/** A bank on the way keeps 50 pesos, the rest is paid back, and the refund bounces. */
const bounced = once(async () => {
  const paid = await money.submitted();
  await money.happens(paid, 'submitted');
  await money.happens(paid, 'returned', { reason: 'AC01', charge: '50.00' });
  await money.decide(paid, 'refund', { reason: 'beneficiary_data' });
  await money.happens(paid, 'paid', { bank: 'main' });
  await money.happens(paid, 'returned', { bank: 'main' });
  return paid;
});
const ofBounced = async () => journalsOf((await bounced()).orderId);
/** Money on the shared account that an operator matches to an order of the other merchant. Returns the payment. */
const matchedOfShared = once(async () => {
  const { id: orderId } = await money.order(money.running.rival);
  const { id: paymentId } = await money.movement('rent', { accountId: 'shared' });
  await money.decideSuspense(await money.suspenseOf(paymentId), 'match', { orderId });
  await eventually(async () => (await money.read(`orders/${orderId}`)).amountReceived === 100, {
    ...{ withinMs: 60_000, what: 'the money of the shared account' },
  });
  return paymentId as string;
});

/** A part of the amount was recorded, and had never come. */
const voided = once(async () => {
  const paid = await money.paid({ amount: 60 });
  const { version } = await money.read(`orders/${paid.orderId}`);
  await money.operate(`payments/${paid.paymentId}/corrections/void`, { version, note: 'It never came.' });
  return paid;
});
/** How each row is caused. Returns the journals among which it is. */
const causes: Readonly<Record<string, () => Promise<readonly BookedRow[]>>> = {
  'Movement in': async () => journalsOf((await bounced()).paymentId),
  'Payment, exact or short': ofBounced,
  'Payment, over': async () => journalsOf((await money.paid({ amount: 103 })).orderId),
  'Payment that no order takes': async () => journalsOf((await money.movement('rent')).id),
  'Suspense matched': async () => {
    const { id: orderId } = await money.order();
    const record = await money.suspenseOf((await money.movement('rent')).id);
    await money.decideSuspense(record, 'match', { orderId });
    return journalsOf(orderId);
  },
  Converted: ofBounced,
  'Payout submitted': ofBounced,
  'Payout withdrawn': async () => {
    const paid = await money.submitted();
    await money.operate(`orders/${paid.orderId}/refer`, { note: 'Look.' });
    return journalsOf(paid.orderId);
  },
  'Payout debited': async () => {
    const paid = await money.submitted();
    await money.happens(paid, 'paid', { bank: 'mexico', charge: '50.00' });
    return journalsOf(paid.orderId);
  },
  'Payout failed': ofBounced,
  'Payout charged': ofBounced,
  'Payout returned': async () => {
    const paid = await money.submitted();
    await money.happens(paid, 'paid');
    await money.happens(paid, 'returned', { bank: 'mexico', charge: '50.00', reason: 'AC04' });
    return journalsOf(paid.orderId);
  },
  'Conversion reversed': ofBounced,
  'Refund due, in full': async () => journalsOf((await refunding()).orderId),
  'Refund due, in part': ofBounced,
  'Refund of an excess': async () => {
    const { paymentId } = await money.paid({ amount: 103 });
    const record = await money.suspenseOf(paymentId);
    await money.decideSuspense(record, 'return');
    return journalsOf(record.id);
  },
  'Refund of an excess withdrawn': async () => {
    const { paymentId } = await money.paid({ amount: 103 });
    const record = await money.suspenseOf(paymentId);
    const pending = await money.decideSuspense(record, 'return');
    await money.decideSuspense(pending, 'withdraw');
    return journalsOf(record.id);
  },
  Refunded: ofBounced,
  'Refund returned': ofBounced,
  'Written off': async () => {
    const { paymentId } = await money.paid({ amount: 103 });
    const record = await money.suspenseOf(paymentId);
    await money.decideSuspense(record, 'write-off');
    return journalsOf(record.id);
  },
  Frozen: async () => {
    const paid = await money.failed();
    await money.operate(`orders/${paid.orderId}/freeze`, { note: 'Request 4711.' });
    return journalsOf(paid.orderId);
  },
  'Suspense released': async () => {
    const { paymentId } = await money.paid({ amount: 103 });
    const record = await money.suspenseOf(paymentId);
    const frozen = await money.operate(`suspense/${record.id}/freeze`, { note: 'Request 4711.' });
    await money.decideSuspense(frozen, 'release');
    return journalsOf(record.id);
  },
  Clawback: async () => {
    const paid = await money.failed();
    await money.clawBack(paid);
    return journalsOf(paid.orderId);
  },
  'Payment voided': async () => journalsOf((await voided()).orderId),
  'Movement voided': async () => journalsOf((await voided()).paymentId),
  'Loss recovered': async () => {
    const paid = await money.submitted();
    await money.happens(paid, 'submitted');
    await money.clawBack(paid);
    await money.happens(paid, 'failed', { reason: 'AC04' });
    await money.decide(paid, 'refund', { reason: 'corridor' });
    return journalsOf(paid.orderId);
  },
  'Paid twice': async () => {
    const paid = await money.failed();
    const { id, version } = await money.attempt(paid);
    await money.decide(paid, 'retry-payout');
    await money.operate(`payouts/${id}/paid-twice`, { version, note: 'Both came.', ...money.line(), bank: 'mexico' });
    return journalsOf(paid.orderId);
  },
  'Refund overpaid': async () => {
    const paid = await bounced();
    const { id, version } = await money.attempt(paid);
    await money.decide(paid, 'retry-refund');
    await money.happens(paid, 'paid', { bank: 'main' });
    await money.operate(`payouts/${id}/paid-twice`, { version, note: 'Both came.', ...money.line(), bank: 'main' });
    return journalsOf(paid.orderId);
  },
  'Handed over': async () => journalsOf((await money.paid({ accountId: 'shared' })).paymentId, null),
  'Suspense handed over': async () => journalsOf(await matchedOfShared(), null),
  'Taken over': async () => journalsOf(await matchedOfShared(), 'rival'),
  Funding: () => entry({ kind: 'funding', amount: '1000.00', direction: 'in' }),
  'Bank fee': () => entry({ kind: 'bank_fee', amount: '7.50' }),
  Interest: () => toldByBank('interest', { amount: '3.20', sign: 'CRDT', code: 'ACMT-MCOP-INTR' }),
  'Own transfer': async () => {
    const iban = 'ES9121000418450200051332';
    done(await newBankAccount(money.running, { accountId: 'other', currency: 'EUR', merchant: 'acme', number: iban }));
    return toldByBank('own_transfer', { amount: '250.00', sign: 'DBIT', details: [{ payer: 'Remesa', iban }] });
  },
  'Cover trade': () => {
    const bought = { bank: 'mexico', currency: 'MXN', amount: '1980.00' };
    return entry({ kind: 'cover_trade', amount: '98.00', bought, closes: '1971.76' });
  },
};

async function refunding() {
  const paid = await money.failed();
  await money.decide(paid, 'refund', { reason: 'corridor' });
  return paid;
}

/** The journals of an event that a statement books. */
async function toldByBank(event: string, entry: CamtEntry): Promise<BookedRow[]> {
  await load('main', camt({ currency: 'EUR', id: event, entries: [entry] }));
  const { api, viewer: token } = money.running;
  return done(await api.get(`/operator/ledger/journals?merchant=acme&event=${event}`, { token })).map(shownJournal);
}

async function entry(fields: object): Promise<BookedRow[]> {
  const body = { merchant: 'acme', bank: 'main', currency: 'EUR', reason: 'A test.', ...fields };
  return [shownJournal(await money.operate('ledger/entries', body))];
}

describe('each row of docs/postings.md', () => {
  it.each(postingsTable.map((row) => [row.title, row.journal] as const))(
    '%s: is as designed, and is booked like this over HTTP',
    async (title, { event, postings }) => {
      const designed = postingRows[title];
      const shown = postings.map(({ account, minor, reference }) => ({
        ...{ account, amount: minorText(account, minor), reference },
      }));
      expect(shownJournal({ event, postings: shown })).toEqual(designed);
      const booked = (await causes[title]?.()) ?? [];
      expect(booked.filter((journal) => journal.event === event)).toEqual([designed]);
    },
  );

  it('is one of the designed rows, and no designed row is missing', () => {
    expect(postingsTable.map(({ title }) => title)).toEqual(Object.keys(postingRows));
  });
});

describe('what the rows say besides', () => {
  /** The journals of this event. */
  const bookedAs = async (event: string, reference: string): Promise<(readonly string[])[]> =>
    (await journalsOf(reference)).filter((journal) => journal.event === event).map((row) => row.postings);

  it('a payout that comes back to the rail is on settlement', async () => {
    const paid = await money.submitted();
    await money.happens(paid, 'submitted');
    await money.simulate(paid, 'payout_paid');
    await money.simulate(paid, 'payout_returned');
    expect(await bookedAs('payout_returned', paid.orderId)).toEqual([
      ['settlement:MXN:manual 1952.04 ord', 'payout:MXN -1952.04 ord'],
    ]);
  });

  it('a freeze takes from the refund too, and a release reverses it', async () => {
    const paid = await refunding();
    await money.operate(`orders/${paid.orderId}/freeze`, { note: 'Request 4711.' });
    await money.operate(`orders/${paid.orderId}/release`, { note: 'It is over.' });
    expect(await bookedAs('frozen', paid.orderId)).toEqual([['refund:EUR 100.00 ord', 'frozen:EUR -100.00 ord']]);
    expect(await bookedAs('released', paid.orderId)).toEqual([['refund:EUR -100.00 ord', 'frozen:EUR 100.00 ord']]);
  });

  it('a clawback takes from where the money is', async () => {
    const rest = ['payin:EUR -100.00 pay', 'payin:EUR 100.00 pay', 'bank:EUR:main -100.00 pay'];
    const frozen = await money.failed();
    await money.operate(`orders/${frozen.orderId}/freeze`, { note: 'Request 4711.' });
    await money.clawBack(frozen);
    expect(await bookedAs('clawback', frozen.orderId)).toEqual([['frozen:EUR 100.00 ord', ...rest]]);
    const refund = await refunding();
    await money.clawBack(refund);
    expect(await bookedAs('clawback', refund.orderId)).toEqual([['refund:EUR 100.00 ord', ...rest]]);
    const gone = await money.submitted();
    await money.happens(gone, 'submitted');
    await money.clawBack(gone);
    expect(await bookedAs('clawback', gone.orderId)).toEqual([['writeoff:EUR 100.00 ord', ...rest]]);
    const { id: paymentId } = await money.movement('rent');
    const { id, version } = await money.suspenseOf(paymentId);
    const body = { version, note: 'Disputed.', ...money.line() };
    await money.operate(`payments/${paymentId}/corrections/clawback`, body);
    expect(await bookedAs('clawback', id)).toEqual([['suspense:EUR 100.00 sus', ...rest]]);
  });

  it('a correction reverses exactly what was booked', async () => {
    const short = await money.paid({ amount: 60 });
    const { version } = await money.read(`orders/${short.orderId}`);
    const takeOff = `payments/${short.paymentId}/corrections/take-off`;
    await money.operate(takeOff, { version, note: 'For another order.' });
    expect(await bookedAs('payment_taken_off', short.orderId)).toEqual([
      ['payin:EUR -60.00 pay', 'liability:EUR 60.00 ord'],
    ]);
    const proved = await money.failed();
    const { id, version: failedVersion } = await money.attempt(proved);
    const proof = { version: failedVersion, note: 'It came.', ...money.line(), bank: 'mexico' };
    await money.operate(`payouts/${id}/prove-paid`, proof);
    expect(await bookedAs('payout_failure_reversed', proved.orderId)).toEqual([
      ['settlement:MXN:manual -1952.04 ord', 'payout:MXN 1952.04 ord'],
    ]);
    const { version: provedVersion } = await money.attempt(proved);
    await money.operate(`payouts/${id}/not-paid`, { version: provedVersion, note: 'Another line.' });
    expect(await bookedAs('payout_debit_reversed', proved.orderId)).toEqual([
      ['settlement:MXN:manual -1952.04 ord', 'bank:MXN:mexico 1952.04 ord'],
    ]);
    await money.happens(proved, 'paid');
    await money.happens(proved, 'returned', { bank: 'mexico', charge: '50.00', reason: 'AC04' });
    const { version: returnedVersion } = await money.attempt(proved);
    const again = { version: returnedVersion, note: 'Of another payout.', ...money.line() };
    await money.operate(`payouts/${id}/prove-paid`, again);
    expect(await bookedAs('payout_return_reversed', proved.orderId)).toEqual([
      ['payin:MXN -1902.04 att', 'charges:MXN -50.00 ord', 'payout:MXN 1952.04 ord'],
    ]);
    expect((await journalsOf(id)).filter(({ event }) => event === 'movement_reversed')).toEqual([
      {
        event: 'movement_reversed',
        postings: ['bank:MXN:mexico -1902.04 att', 'payin:MXN 1902.04 att'],
      },
    ]);
  });

  it('a late proof undoes what was decided since', async () => {
    const withdrawn = await money.submitted();
    const first = await money.attempt(withdrawn);
    await money.operate(`orders/${withdrawn.orderId}/refer`, { note: 'Look.' });
    const line = () => ({ note: 'It came.', ...money.line(), bank: 'mexico' });
    await money.operate(`payouts/${first.id}/prove-paid`, { version: first.version + 1, ...line() });
    expect(await bookedAs('payout_withdrawal_reversed', withdrawn.orderId)).toEqual([
      ['settlement:MXN:manual -1952.04 ord', 'payout:MXN 1952.04 ord'],
    ]);
    const refunded = await money.submitted();
    await money.happens(refunded, 'submitted');
    await money.happens(refunded, 'returned', { reason: 'AC01', charge: '50.00' });
    const { id, version } = await money.attempt(refunded);
    await money.decide(refunded, 'refund', { reason: 'beneficiary_data' });
    await money.operate(`payouts/${id}/prove-paid`, { version, ...line() });
    expect(await bookedAs('payout_charge_reversed', refunded.orderId)).toEqual([
      ['charges:MXN -50.00 ord', 'bank:MXN:mexico 50.00 ord'],
    ]);
    expect(await bookedAs('refund_due_reversed', refunded.orderId)).toEqual([
      ['liability:EUR -100.00 ord', 'refund:EUR 97.51 ord', 'charges:EUR 2.49 ord'],
    ]);
    const { api, acme } = money.running;
    const shown = await api.get(`/orders/${refunded.orderId}`, { token: acme.token });
    expect(shown.json).toMatchObject({ status: 'COMPLETED', refunds: [{ state: 'cancelled' }] });
  });

  it('own money that leaves a bank has the other signs', async () => {
    expect(await entry({ kind: 'funding', amount: '1000.00', direction: 'out' })).toEqual([
      { event: 'funding', postings: ['funding:EUR 1000.00', 'bank:EUR:main -1000.00'] },
    ]);
  });

  it('a completed order, a refund that the bank refuses, and a new rate book nothing', async () => {
    const completed = await money.submitted();
    await money.happens(completed, 'submitted');
    await money.simulate(completed, 'payout_paid');
    const refused = await refunding();
    await money.happens(refused, 'failed', { reason: 'AC04' });
    const late = await money.order();
    const bookedAt = new Date(Date.parse(late.rateGuaranteedUntil) + 1).toISOString();
    const { api, acme } = money.running;
    const body = { orderId: late.id, bookedAt };
    expect((await api.post('/sandbox/payments', { token: acme.token, body })).status).toBe(200);
    const changes = [
      [completed.orderId, 'complete'],
      [refused.orderId, 'fail_refund'],
      [late.id, 'requote'],
    ] as const;
    for (const [orderId, change] of changes) {
      const { timeline } = await money.read(`orders/${orderId}`);
      expect(timeline.filter(({ event }: { event: string }) => event === change)).toMatchObject([
        { event: change, journals: [] },
      ]);
    }
  });
});

it('every journal that a change of an order may write was written, and the books are sound', async () => {
  const possible = Object.values(eventRules).flatMap(({ postings = [] }) => postings);
  expect([...new Set<string>(possible)].filter((event) => !seen.has(event))).toEqual([]);
  for (const merchant of ['?merchant=acme', '?merchant=rival', '']) {
    const sums = await money.read(`ledger/trial-balance${merchant}`);
    for (const { difference } of sums) expect(Number(difference)).toBe(0);
    expect(await money.read(`ledger${merchant}`)).toMatchObject({ fault: null });
  }
});
