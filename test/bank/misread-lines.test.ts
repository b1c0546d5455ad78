/** What a bank tells twice, wrongly or in part: no line of it is booked twice, lost, or taken for something else. */
import { afterEach, describe, expect, it } from 'vitest';
import { booksJobOf } from '../../src/bank/days/books.js';
import { attemptOf, operate, statusOf, submittedByBank, useCorrections, withTwo } from '../corrections/corrections.js';
import { done } from '../harness/api.js';
import { silentLog } from '../harness/silent-log.js';
import { told } from '../harness/users.js';
import { openBankAccounts } from '../ledger/bank-accounts.js';
import { csvOf, importLines, movement, newPayer, record } from '../payments/payments.js';
import { bankDifferences, held } from './books.js';
import { type CamtEntry, type CamtStatement, camt } from './camt.js';
import { decimal, loadingOf } from './loading.js';

const running = useCorrections({ FOUR_EYES: 'bank.line,payment.record' });
const { load, mexican, american, breaks, debitOf, tasks } = loadingOf(running);

afterEach(async () => {
  expect(await bankDifferences(running)).toEqual([]);
});

const { sql, database } = running;
const compareBooks = () => booksJobOf({ database, log: silentLog }).run(AbortSignal.timeout(60_000));

const reasons = async (accountId: string) =>
  (await breaks(accountId)).map(({ reason, amount }: Record<string, string>) => `${amount} ${reason}`);

/** Two operators decide about a possible duplicate. */
async function compare(lineId: string, isSame: boolean) {
  return withTwo(running, `bank/lines/${lineId}/compare`, { isSame, note: 'Compared.' });
}

describe('a credit with the id of a payout', () => {
  it('is its return only where the bank says so, and keeps no more than a charge', async () => {
    const { id } = await submittedByBank(running);
    await mexican([await debitOf(id)], { id: `debit-${id}` });
    const { reference, amount_minor: minor } = await attemptOf(running, id);
    const back = (amount: string, returned?: string): CamtEntry => ({
      amount,
      sign: 'CRDT',
      reference: `C-${amount}-${returned}-${id}`,
      details: [{ endToEndId: reference, ...(returned ? { returned } : {}) }],
    });
    const corrected = back('0.50');
    const wholly = back(decimal(minor));
    const nearlyNothing = back('0.60', 'AC04');
    await mexican([corrected, wholly, nearlyNothing], { id: `credits-${id}`, on: '2026-11-17' });
    expect([await statusOf(running, id), (await reasons('mexico')).sort()]).toEqual([
      'COMPLETED',
      ['0.50 payout_credit', '0.60 payout_amount', `${decimal(minor)} payout_credit`],
    ]);
    await mexican([back(decimal(Number(minor) - 1000), 'AC04')], { id: `return-${id}`, on: '2026-11-18' });
    expect(await statusOf(running, id)).toBe('RETURNED');
  });

  it('debits it with no more than a charge on top, and never as a return', async () => {
    const { id } = await submittedByBank(running);
    const { reference, amount_minor: minor } = await attemptOf(running, id);
    const twice = await debitOf(id, { amount: decimal(Number(minor) * 2), reference: `twice-${id}` });
    const returned = await debitOf(id, {
      ...{ reference: `wrong-${id}`, details: [{ endToEndId: reference, returned: 'AC04' }] },
    });
    await mexican([twice, returned], { id: `odd-${id}`, on: '2026-11-19' });
    expect(await statusOf(running, id)).toBe('PAYOUT_SUBMITTED');
    expect(await reasons('mexico')).toEqual(
      expect.arrayContaining([
        `${decimal(Number(minor) * 2)} payout_amount`,
        `${decimal(minor)} payout_return_is_debit`,
      ]),
    );
  });
});

describe('a line that a later file tells more of', () => {
  it('is not booked again after operators have undone what was booked for it', async () => {
    const credit: CamtEntry = {
      amount: '555.00',
      sign: 'CRDT',
      reference: 'VOIDED-0001',
      details: [{ text: 'A gift' }],
    };
    await american([credit], { kind: '054', id: 'voided-1' });
    const { rows } = await sql.query("SELECT payment_id FROM payments WHERE bank_reference = 'VOIDED-0001'");
    const voided = { version: 1, note: 'It is ours.' };
    done(await operate(running, `payments/${rows[0].payment_id}/corrections/void`, voided));
    const before = await held(running, 'bank:USD:acme-usd');
    const payer = { payer: 'Ana', iban: '000888' };
    await american([{ ...credit, details: [{ text: 'A gift', ...payer }] }], { id: 'voided-2' });
    expect([await held(running, 'bank:USD:acme-usd'), await reasons('acme-usd')]).toEqual([
      before,
      expect.arrayContaining(['555.00 corrected']),
    ]);
  });

  it('does not pay a payout that operators have proved to be unpaid', async () => {
    const { id } = await submittedByBank(running);
    const debit = await debitOf(id);
    await mexican([debit], { kind: '054', id: `notice-${id}` });
    const { attempt_id: attemptId, version } = await attemptOf(running, id);
    done(await operate(running, `payouts/${attemptId}/not-paid`, { version, note: 'It was not.' }));
    const state = (await attemptOf(running, id)).state;
    const details = [{ ...debit.details?.[0], text: 'Rent' }];
    await mexican([{ ...debit, details }], { id: `day-${id}` });
    expect([state === 'PAID', (await attemptOf(running, id)).state]).toEqual([false, state]);
    expect(await reasons('mexico')).toContain(`${debit.amount} corrected`);
  });

  it('stays a reversal, which only a person explains', async () => {
    const before = await held(running, 'bank:USD:acme-usd');
    const bare: CamtEntry = { amount: '666.00', sign: 'CRDT', reference: 'REVERSED-01', isReversal: true };
    await american([bare], { kind: '054', id: 'reversed-1' });
    await american([{ ...bare, details: [{ text: 'A gift', payer: 'Ana', iban: '000999' }] }], { id: 'reversed-2' });
    expect(await held(running, 'bank:USD:acme-usd')).toBe(before);
    expect(await reasons('acme-usd')).toContain('666.00 reversal');
  });
});

describe('a movement under another reference', () => {
  it('is not recorded by hand without a second person after a file had it, nor twice by its id (M15)', async () => {
    const payer = newPayer();
    const booked = { payer, amount: 111, bookedAt: '2026-11-09' };
    await importLines(running, 'acme-usd', [csvOf(movement({ ...booked, bankReference: 'NTRY-42' }))]);
    const typed = movement({ ...booked, bankReference: '2026110900042', bookedAt: '2026-11-10' });
    const refused = await record(running, typed);
    expect(told(refused)).toEqual([409, 'possible_duplicate']);
    done(await withTwo(running, 'payments', { ...typed, otherThan: refused.json.lineIds }));
    expect(done(await record(running, typed)).isDuplicate).toBe(true);
  });

  it('is not recorded by its reference or its id while it waits to be compared, by hand or from a file', async () => {
    const payer = newPayer();
    done(await record(running, movement({ payer, amount: 222, bankReference: 'typed-222', bookedAt: '2026-11-09' })));
    const before = await held(running, 'bank:USD:acme-usd');
    const details = [{ text: 'A gift', payer: payer.name, iban: payer.account }];
    const entry: CamtEntry = { amount: '222.00', sign: 'CRDT', reference: 'BANK-222', details };
    await american([entry], { id: 'dup-222', on: '2026-11-09' });
    const [found] = (await breaks('acme-usd')).filter(({ amount }: { amount: string }) => amount === '222.00');
    expect(found.reason).toBe('possible_duplicate');
    for (const bankReference of ['BANK-222', found.lineId]) {
      const again = movement({ payer, amount: 222, bankReference, bookedAt: '2026-11-09' });
      expect(told(await record(running, again))).toEqual([409, 'bank_reference_used']);
      expect((await importLines(running, 'acme-usd', [csvOf(again)]))[0]).toContain('fault,,bank_reference_used');
    }
    expect(await held(running, 'bank:USD:acme-usd')).toBe(before);
    done(await compare(found.lineId, true));
    expect(await reasons('acme-usd')).not.toContain('222.00 possible_duplicate');
  });

  it('is no second payment when it was typed with another amount, and cannot be called the same', async () => {
    const typed = movement({ payer: newPayer(), amount: 444, bankReference: 'REF-333', bookedAt: '2026-11-09' });
    const { id } = done(await record(running, typed));
    const entry: CamtEntry = { amount: '44.40', sign: 'CRDT', reference: 'REF-333', details: [{ text: 'A gift' }] };
    await american([entry], { id: 'typed-333', on: '2026-11-09' });
    const [found] = (await breaks('acme-usd')).filter(({ amount }: { amount: string }) => amount === '44.40');
    expect(found).toMatchObject({ reason: 'possible_duplicate', alike: [{ record: `payment:${id}` }] });
    const same = { isSame: true, note: 'A typing error.' };
    expect(told(await operate(running, `bank/lines/${found.lineId}/compare`, same))).toEqual([
      409,
      'bank_line_differs',
    ]);
    const before = await held(running, 'bank:USD:acme-usd');
    done(await operate(running, `payments/${id}/corrections/void`, { version: 1, note: 'A wrong amount.' }));
    done(await compare(found.lineId, false));
    await american([], { id: 'nothing', on: '2026-11-09' });
    expect((await held(running, 'bank:USD:acme-usd')) - before).toBe(4_440 - 44_400);
  });
});

describe('two statements', () => {
  const credit = (reference: string, payer: string, text: string): CamtEntry => ({
    ...{ amount: '100.00', sign: 'CRDT', reference, details: [{ payer, text }] },
  });
  const newAccount = async (name: string) => {
    await openBankAccounts(running, `bank:MXN:${name}`);
    return (more: Partial<CamtStatement>) => load(name, camt({ currency: 'MXN', entries: [], ...more }));
  };

  it('have two lines where both number their entries of a day from 1, also if both say the same', async () => {
    const loaded = await newAccount('numbered');
    await loaded({ id: 'A', sequence: 1, entries: [credit('1', 'Ana', 'Rent')] });
    await loaded({ id: 'B', sequence: 2, entries: [credit('1', 'Boris', 'Gift')] });
    await loaded({ id: 'C', sequence: 3, entries: [credit('1', 'Ana', 'Rent')] });
    expect((await reasons('numbered')).sort()).toEqual([
      '100.00 possible_duplicate',
      '100.00 possible_duplicate',
      '100.00 unknown',
    ]);
    await loaded({ id: 'A2', sequence: 1, entries: [credit('1', 'Ana', 'Rent')] });
    expect(await breaks('numbered')).toHaveLength(3);
  });

  it('do not book an entry twice that the second moves to the next day', async () => {
    const loaded = await newAccount('moved');
    await loaded({ id: 'A', on: '2026-11-16', entries: [credit('2026111600042', 'Ana', 'Rent')] });
    await loaded({ id: 'B', on: '2026-11-17', entries: [credit('2026111600042', 'Ana', 'Rent')] });
    const [, moved] = await breaks('moved');
    expect(moved).toMatchObject({ reason: 'possible_duplicate', bookedOn: '2026-11-17' });
    done(await compare(moved.lineId, true));
    expect(await breaks('moved')).toMatchObject([{ reason: 'unknown', bookedOn: '2026-11-17' }]);
  });

  it('have a fault when one between them is lost, although the balances fit, and so has each day that does not close', async () => {
    const loaded = await newAccount('gaps');
    const damaged = { ...credit('3', 'Ana', 'Rent'), amount: 'ten' };
    await loaded({ id: '1', sequence: 1, balances: ['0.00', '0.00'], on: '2026-11-16' });
    await loaded({ id: '3', sequence: 3, balances: ['0.00', '0.00'], on: '2026-11-17' });
    await loaded({ id: '4', sequence: 4, balances: ['0.00', '0.00'], on: '2026-11-18' });
    await loaded({ id: '5', sequence: 5, balances: ['0.00', '10.00'], on: '2026-11-18', entries: [damaged] });
    await loaded({ id: '6', sequence: 6, balances: ['0.00', '0.00'], on: '2026-11-19' });
    const open = (await tasks('bank_day')).filter((summary) => summary.includes('on gaps'));
    expect(open).toEqual([
      'Find out why 2026-11-17 does not close on gaps: statement_missing',
      'Find out why 2026-11-18 does not close on gaps: unread_entries, sum_differs, ledger_differs',
      'Find out why 2026-11-19 does not close on gaps: statement_missing',
    ]);
  });

  it('let the next one be missed when it is late, and a ledger that holds more than the lines say is found', async () => {
    const loaded = await newAccount('late');
    await loaded({ id: '1', balances: ['0.00', '0.00'], on: '2026-10-01' });
    await loaded({ id: '2', balances: ['0.00', '0.00'], on: '2026-10-02' });
    const open = async () => (await tasks('bank_day')).filter((summary) => / late\b/.test(summary));
    expect(await open()).toEqual(['Get the statement of late after 2026-10-02, which was due on 2026-10-04']);
    await loaded({ id: '3', on: '2026-10-02', entries: [{ amount: '7.50', sign: 'DBIT', reference: 'FEE-3' }] });
    const entry = { kind: 'bank_fee', bank: 'late', currency: 'MXN', amount: '7.50', bankReference: 'FEE-3' };
    const body = { ...entry, reason: 'October' };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: 'late-fee', body }));
    await compareBooks();
    expect((await open()).some((summary) => summary.startsWith('Find out why the ledger'))).toBe(false);
    await sql.query(`UPDATE bank_line_details SET state = 'break', record = NULL, reason = 'lost'
                      WHERE line_id = (SELECT line_id FROM bank_lines WHERE bank = 'late')`);
    await compareBooks();
    expect(await open()).toContain('Find out why the ledger and the lines of late differ by MXN -7.50');
    await sql.query(`UPDATE bank_line_details SET state = 'explained', record = 'journal:1', reason = NULL
                      WHERE line_id = (SELECT line_id FROM bank_lines WHERE bank = 'late')`);
    await compareBooks();
    expect((await open()).some((summary) => summary.startsWith('Find out why the ledger'))).toBe(false);
  });

  it('are added up from the last day on that is closed, which a line that comes later for it opens again', async () => {
    const loaded = await newAccount('closing');
    await loaded({ id: '1', balances: ['0.00', '100.00'], on: '2026-10-01', entries: [credit('1', 'Ana', 'Rent')] });
    await loaded({ id: '2', balances: ['100.00', '100.00'], on: '2026-10-02' });
    const closed = async () => {
      const asked = `SELECT day::text, total_minor::int FROM bank_closed_days WHERE account_id = 'closing' ORDER BY day`;
      return (await sql.query(asked)).rows.map(({ day, total_minor: total }) => [day, total]);
    };
    await compareBooks();
    expect(await closed()).toEqual([['2026-10-02', 10_000]]);
    await loaded({ id: '3', balances: ['100.00', '200.00'], on: '2026-10-05', entries: [credit('2', 'Eva', 'Gift')] });
    const days = async (query = '') => {
      const path = `/operator/bank/accounts/closing/days${query}`;
      const { json } = await running.api.get(path, { token: running.viewer });
      return json.map(({ breaks: sum, faults }: { breaks: string; faults: string[] }) => [sum, ...faults]);
    };
    expect(await days()).toEqual([['200.00'], ['100.00'], ['100.00']]);
    await sql.query("UPDATE bank_closed_days SET total_minor = 9000 WHERE account_id = 'closing'");
    expect(await days('?from=2026-10-05')).toEqual([['200.00', 'ledger_differs']]);
    await loaded({ id: 'n', kind: '054', on: '2026-10-01', entries: [credit('LATE-00001', 'Leo', 'Loan')] });
    expect([await closed(), await days()]).toEqual([
      [],
      [
        ['300.00', 'ledger_differs'],
        ['200.00', 'ledger_differs'],
        ['200.00', 'ledger_differs'],
      ],
    ]);
    await compareBooks();
    expect(await closed()).toEqual([]);
  });

  it('close a day with an opening balance that people recorded, but none after a day that differs', async () => {
    const loaded = await newAccount('opened');
    const closed = async () => {
      const asked = `SELECT day::text, total_minor::int FROM bank_closed_days WHERE account_id = 'opened' ORDER BY day`;
      return (await sql.query(asked)).rows.map(({ day, total_minor: total }) => [day, total]);
    };
    const own = {
      kind: 'funding',
      direction: 'in',
      bank: 'opened',
      currency: 'MXN',
      amount: '50.00',
      reason: 'Opening',
    };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: 'opening', body: own }));
    await sql.query("UPDATE bank_lines SET booked_on = '2026-09-30' WHERE bank = 'opened'");
    await loaded({ id: '1', balances: ['50.00', '150.00'], on: '2026-10-01', entries: [credit('1', 'Ana', 'Rent')] });
    await compareBooks();
    expect(await closed()).toEqual([['2026-10-01', 10_000]]);
    const later = { ...credit('2', 'Eva', 'Gift'), amount: '20.00', on: '2026-10-03' };
    await loaded({ id: '2', balances: ['150.00', '170.00'], on: '2026-10-02', entries: [later] });
    await loaded({ id: '3', balances: ['170.00', '170.00'], on: '2026-10-05' });
    await compareBooks();
    expect(await closed()).toEqual([['2026-10-01', 10_000]]);
    const differing = (await tasks('bank_day')).filter((summary) => summary.includes('on opened'));
    expect(differing).toEqual(['Find out why 2026-10-02 does not close on opened: ledger_differs']);
  });
});
