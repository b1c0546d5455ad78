/** Statements of banks: what they report is booked once, in whatever file, and what nothing explains is a break. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  attemptOf,
  happens,
  operate,
  paidByBank,
  statusOf,
  submittedByBank,
  useCorrections,
} from '../corrections/corrections.js';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { isoSamples } from '../iso20022/published.js';
import { newBankAccount, openBankAccounts } from '../ledger/bank-accounts.js';
import { get, lupita, placed, sender } from '../orders/orders.js';
import { reaches } from '../orders/paid-orders.js';
import { movement, record } from '../payments/payments.js';
import { bankDifferences, held } from './books.js';
import { type CamtDetail, type CamtEntry, type CamtStatement, camt } from './camt.js';
import { decimal, loadingOf } from './loading.js';

const running = useCorrections({ FOUR_EYES: 'bank.line' });

afterEach(async () => {
  expect(await bankDifferences(running)).toEqual([]);
});

const { load, mexican, american, breaks, debitOf, tasks } = loadingOf(running);

describe('a payout', () => {
  it('is paid by the debit in a statement and returned by the credit, each once, in whatever files they come', async () => {
    const { id } = await submittedByBank(running);
    await happens(running, { id }, 'submitted');
    const debit = await debitOf(id);
    await mexican([debit], { kind: '052', id: `intraday-${id}` });
    expect(await statusOf(running, id)).toBe('COMPLETED');
    const { amount_minor: minor, reference } = await attemptOf(running, id);
    const before = await held(running, 'bank:MXN:mexico');
    const details: CamtDetail[] = [{ endToEndId: reference, returned: 'AC01' }];
    const back: CamtEntry = {
      ...{ amount: decimal(Number(minor) - 5000), sign: 'CRDT', reference: `C-${id}` },
      isReversal: true,
      details,
    };
    await mexican([back], { kind: '054', id: `notice-${id}` });
    expect(await statusOf(running, id)).toBe('RETURNED');
    for (const round of ['a', 'b']) {
      const { newLines } = await mexican([back, debit], { id: `day-${round}-${id}` });
      expect(newLines).toBe(0);
    }
    expect((await held(running, 'bank:MXN:mexico')) - before).toBe(Number(minor) - 5000);
    expect(await breaks('mexico')).toEqual([]);
  });

  it('is confirmed by its statement when operators recorded it, also as one of a batch', async () => {
    const [first, second] = [await submittedByBank(running), await submittedByBank(running)];
    await happens(running, first, 'paid');
    const parts = [await debitOf(first.id), await debitOf(second.id)];
    const sum = parts.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
    const details = parts.map(({ amount, details: of = [] }) => ({ ...of[0], amount }));
    await mexican([{ amount: decimal(sum), sign: 'DBIT', reference: `B-${first.id}`, details }]);
    expect([await statusOf(running, first.id), await statusOf(running, second.id)]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await breaks('mexico')).toEqual([]);
  });

  it('leaves nothing of who is on the other side where operators recorded all of a batch', async () => {
    for (const isBareFirst of [false, true]) {
      const orders = [await submittedByBank(running), await submittedByBank(running)];
      for (const order of orders) await happens(running, order, 'paid');
      const parts = [await debitOf(orders[0]?.id ?? ''), await debitOf(orders[1]?.id ?? '')];
      const sum = parts.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
      const details = parts.map(({ amount, details: of = [] }) => ({ ...of[0], amount, text: 'Rent' }));
      const debit: CamtEntry = { amount: decimal(sum), sign: 'DBIT', reference: `BY-HAND-${isBareFirst}` };
      if (isBareFirst) await mexican([debit], { kind: '054', id: 'bare' });
      await mexican([{ ...debit, details }], { id: `by-hand-${isBareFirst}` });
      const asked = 'SELECT sealed_content FROM bank_lines WHERE bank_reference = $1';
      const { rows } = await running.sql.query(asked, [debit.reference]);
      expect([rows, await breaks('mexico')]).toEqual([[{ sealed_content: null }], []]);
    }
  });

  it('is not paid twice by a debit that has another amount, or comes again: these are breaks', async () => {
    const { id } = await submittedByBank(running);
    const debit = await debitOf(id);
    await mexican([{ ...debit, amount: '1.00', reference: `odd-${id}` }], { id: `odd-${id}` });
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
    await mexican([debit], { id: `one-${id}` });
    await mexican([{ ...debit, reference: `again-${id}`, on: '2026-12-16' }], { id: `two-${id}` });
    const reasons = (await breaks('mexico')).map(({ reason }: { reason: string }) => reason);
    expect([await statusOf(running, id), reasons]).toEqual(['COMPLETED', ['payout_amount', 'payout_paid_before']]);
    const [odd, twice] = await breaks('mexico');
    const entry = {
      kind: 'bank_fee',
      reason: 'The bank took it.',
      bank: 'mexico',
      currency: 'MXN',
      amount: odd.amount,
    };
    const body = { ...entry, bankReference: odd.lineId };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: odd.lineId, body }));
    const { attempt_id: attemptId, version } = await attemptOf(running, id);
    const proof = { version, bank: 'mexico', bankReference: twice.lineId, bookedAt: '2026-12-16T09:41:00.000Z' };
    done(await operate(running, `payouts/${attemptId}/paid-twice`, { ...proof, note: 'The bank paid it twice.' }));
    expect(await breaks('mexico')).toEqual([]);
  });
});

/** What PostFinance publishes, with our account, currency, amount and reference in it. */
const returns = isoSamples(/(9|10)_camt054_Return.*\.xml$/);

describe.skipIf(returns.length === 0)('a return as PostFinance writes it', () => {
  it.each(returns.map((file) => [basename(file), file]))('ends once, after the debit: %s', async (name, file) => {
    const { id } = await submittedByBank(running);
    const { reference, amount_minor: minor } = await attemptOf(running, id);
    const ours = readFileSync(file, 'utf8')
      .replace(/(<Acct>\s*<Id>\s*)<IBAN>[^<]*<\/IBAN>/, '$1<Othr><Id>123456789</Id></Othr>')
      .replaceAll('"CHF"', '"MXN"')
      .replaceAll('<AcctSvcrRef>', `<AcctSvcrRef>${name.slice(0, 2)}`)
      .replaceAll(/>\d+\.\d\d</g, `>${decimal(minor)}<`)
      .replaceAll(/<EndToEndId>[^<]*/g, `<EndToEndId>${reference}`)
      .replaceAll(/<Dt>\d{4}-\d\d-\d\d/g, '<Dt>2026-11-17');
    await load('mexico', ours);
    expect(await breaks('mexico')).toMatchObject([{ reason: 'return_before_debit' }]);
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
    await mexican([await debitOf(id)], { id: `debit-${name}` });
    await eventually(async () => (await statusOf(running, id)) === 'RETURNED', { what: 'the money back' });
    await load('mexico', `${ours}\n`);
    expect([await statusOf(running, id), await breaks('mexico')]).toEqual(['RETURNED', []]);
  });
});

/** Those about one account. */
const samples = isoSamples(/^postfinance\/.*camt05[34].*\.xml$/i).filter((file) =>
  readFileSync(file, 'utf8').includes('<IBAN>CH2909000000250094239</IBAN>'),
);

describe.skipIf(samples.length === 0)('the files of a bank about an account of ours', () => {
  it('are read to the cent, and what is none of our payments is a break by its name', async () => {
    const account = { accountId: 'postfinance', currency: 'CHF', country: 'CH', profile: 'sps', uses: [] };
    done(await newBankAccount(running, { ...account, number: 'CH2909000000250094239' }));
    for (const file of samples) expect((await load('postfinance', readFileSync(file, 'utf8'))).faults).toEqual([]);
    const reasons = (await breaks('postfinance')).map(
      ({ direction, amount, reason }: Record<string, string>) => `${direction} ${amount} ${reason}`,
    );
    expect(reasons.sort()).toEqual([
      'credit 1.50 unknown',
      'credit 1500.00 unknown',
      'credit 1537.00 unknown',
      'credit 1692.22 unknown',
      'credit 3.00 unknown',
      'credit 4.50 unknown',
      'credit 400.00 return',
      'credit 501.05 unknown',
      'credit 522.10 unknown',
      'credit 778.29 unknown',
      'credit 913.93 unknown',
      'debit 77.70 unknown',
    ]);
  });
});

describe('a payment in a statement', () => {
  it('is taken by the order of its structured reference, and is that which was recorded by hand', async () => {
    const order = await placed(running, await sender(running, running.acme), { body: { beneficiary: { ...lupita } } });
    const details = [{ rf: order.payIn.reference, payer: 'Ana Reyes Núñez', iban: '000123456789' }];
    const entry: CamtEntry = { amount: '100.00', sign: 'CRDT', reference: `IN-${order.id}`, details };
    await american([entry], { id: `in-${order.id}` });
    expect(await breaks('acme-usd')).toEqual([]);
    await reaches(running, order.id, 'PAYOUT_SUBMITTED');
    const byHand = { bankReference: `IN-${order.id}`, bookedAt: '2026-11-16', remittanceText: order.payIn.reference };
    const again = done(await record(running, movement(byHand)));
    expect([again.isDuplicate, (await get(running, order.id)).json.amountReceived]).toEqual([true, 100]);
  });

  it('waits as a possible duplicate when it was recorded by hand with another reference, and moves nothing (M15)', async () => {
    const payer = { name: 'Ana Reyes Núñez', account: '000777' };
    const { id } = await paidByBank(running, { bankReference: 'typed-1', bookedAt: '2026-11-16', payer });
    const before = await held(running, 'bank:USD:acme-usd');
    await american([{ amount: '100.00', sign: 'CRDT', reference: 'NTRY-42', details: [{ text: 'A gift' }] }], {
      id: 'dup',
    });
    const [found] = await breaks('acme-usd');
    expect([found.reason, await held(running, 'bank:USD:acme-usd')]).toEqual(['possible_duplicate', before]);
    expect((await get(running, id)).json.amountReceived).toBe(100);
    const path = `/operator/bank/lines/${found.lineId}/compare`;
    const body = { isSame: true, note: 'Typed with a wrong reference.' };
    expect((await running.api.post(path, { token: running.as('rita'), key: 'same', body })).status).toBe(202);
  });
});

describe('the check of statements', () => {
  it('closes a day with its breaks, and says when a balance, a statement or the ledger does not fit', async () => {
    await openBankAccounts(running, 'bank:MXN:checked');
    const fee: CamtEntry = { amount: '7.50', sign: 'DBIT', reference: 'FEE-1', code: 'PMNT-MDOP-CHRG' };
    const own: CamtEntry = { amount: '1000.00', sign: 'CRDT', reference: 'OWN-1', details: [{ text: 'Capital' }] };
    const load_ = (more: Partial<CamtStatement>) => load('checked', camt({ currency: 'MXN', entries: [], ...more }));
    await load_({ id: '1', on: '2026-11-16', balances: ['0.00', '992.50'], entries: [own, fee], sequence: 1 });
    await load_({ id: '3', on: '2026-11-18', balances: ['990.00', '991.00'], sequence: 3 });
    const days = async () => {
      const query = '?from=2026-11-01&to=2026-11-30';
      return (await running.api.get(`/operator/bank/accounts/checked/days${query}`, { token: running.viewer })).json;
    };
    expect((await tasks('bank_day')).filter((summary) => summary.includes('on checked'))).toEqual([
      'Find out why 2026-11-18 does not close on checked: sum_differs, statement_missing, ledger_differs',
    ]);
    expect(
      (await days()).map(({ faults, breaks: sum }: { faults: string[]; breaks: string }) => [faults, sum]),
    ).toEqual([
      [['sum_differs', 'statement_missing', 'ledger_differs'], '992.50'],
      [[], '992.50'],
    ]);
    const [first, second] = await breaks('checked');
    expect([first.reason, second.reason].sort()).toEqual(['fee', 'unknown']);
    const entry = {
      kind: 'bank_fee',
      reason: 'October',
      bank: 'checked',
      currency: 'MXN',
      amount: '7.50',
      bankReference: 'FEE-1',
    };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: 'fee-1', body: entry }));
    const [, day] = await days();
    expect(day).toMatchObject({ ledger: '-7.50', breaks: '1000.00', breakCount: 1, difference: '0.00', faults: [] });
  });

  it('lists a damaged file as a task with the line and the path of each fault, and reads the rest', async () => {
    await openBankAccounts(running, 'bank:MXN:damaged');
    const fee: CamtEntry = { amount: '7.50', sign: 'DBIT', reference: 'F-1', code: 'PMNT-MDOP-CHRG' };
    const file = camt({ currency: 'MXN', entries: [{ ...fee, amount: 'seven' }, fee] });
    const read = await load('damaged', file);
    expect(read).toMatchObject({
      entries: 1,
      newLines: 1,
      faultCount: 1,
      faults: [{ message: '"seven" is not an amount.' }],
    });
    expect(read.faults[0].path).toContain('Ntry');
    const { json } = await running.api.get('/operator/tasks?kind=statement_file', { token: running.viewer });
    expect(json.map(({ path }: { path: string }) => path)).toContain(
      `/operator/bank/accounts/damaged/statements/${read.id}`,
    );
    expect((await load('damaged', file)).id).toBe(read.id);
  });
});
