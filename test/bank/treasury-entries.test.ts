/** What a statement says of interest and of transfers between our own accounts, and what payers cannot make of it. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { newAccount } from '../payments/payments.js';
import { bankDifferences, held } from './books.js';
import { type CamtEntry, camt } from './camt.js';
import { loadingOf } from './loading.js';

const running = useRemesa();
const { sql } = running;
const { load, breaks, tasks } = loadingOf(running);
/** All shared but the last, which holds money of a merchant. */
const numbers = {
  'collect-eur': 'ES9121000418450200051332',
  'pay-eur': 'ES7921000813610123456789',
  'acme-eur': 'DE89370400440532013000',
};
type Ours = keyof typeof numbers;

beforeAll(async () => {
  const fields = { currency: 'EUR', country: 'ES', holder: 'Remesa Payments S.L.', profile: 'sepa' };
  for (const [accountId, number] of Object.entries(numbers)) {
    const merchant = accountId === 'acme-eur' ? { merchant: 'acme' } : {};
    done(await newBankAccount(running, { ...fields, ...merchant, accountId, number }));
  }
  done(
    await newAccount(running, {
      accountId: 'collect-eur',
      currency: 'EUR',
      country: 'ES',
      details: { iban: numbers['collect-eur'] },
    }),
  );
});

afterEach(async () => {
  expect(await bankDifferences(running)).toEqual([]);
});

let files = 0;

async function told(accountId: Ours, entry: Partial<CamtEntry>, on = '2026-11-16') {
  files += 1;
  const whole = { amount: '100.00', sign: 'CRDT', reference: `REFERENCE-${files}`, ...entry } as const;
  return load(accountId, camt({ currency: 'EUR', number: numbers[accountId], id: `${files}`, on, entries: [whole] }));
}
const suspense = async () => Number((await sql.query('SELECT count(*) FROM suspense_records')).rows[0].count);
const reasons = async (accountId: Ours) => (await breaks(accountId)).map(({ reason }: { reason: string }) => reason);

describe('interest', () => {
  it('is booked by the code of the bank, in both directions, and is no payment', async () => {
    await told('collect-eur', { amount: '3.20', code: 'ACMT-MCOP-INTR', details: [{ text: 'Habenzinsen' }] });
    await told('pay-eur', { amount: '1.10', sign: 'DBIT', code: 'ACMT-MDOP-INTR' });
    expect([await held(running, 'interest:EUR'), await suspense()]).toEqual([-320 + 110, 0]);
    expect([await reasons('collect-eur'), await reasons('pay-eur')]).toEqual([[], []]);
  });

  it('is not what a payer calls so: that is a payment', async () => {
    const details = [
      { payer: 'Remesa Payments S.L.', text: 'Interest ACMT-MCOP-INTR', iban: 'DE02120300000000202051' },
    ];
    const before = await held(running, 'interest:EUR');
    await told('collect-eur', { code: 'PMNT-RCDT-ESCT', details });
    expect([await held(running, 'interest:EUR'), await suspense()]).toEqual([before, 1]);
  });
});

describe('a transfer between two of our accounts', () => {
  it('leaves one and arrives on the other, in whatever order they are told, and each half is booked once', async () => {
    const left = { amount: '250.00', sign: 'DBIT', details: [{ payer: 'x', iban: numbers['collect-eur'] }] } as const;
    const came = { amount: '250.00', details: [{ payer: 'x', iban: numbers['pay-eur'] }] };
    const before = await suspense();
    await told('collect-eur', { ...came, reference: 'ARRIVED-00001' });
    expect(await held(running, 'transit:EUR')).toBe(-25_000);
    await told('pay-eur', { ...left, reference: 'LEFT-00001' });
    await told('pay-eur', { ...left, reference: 'LEFT-00001' }, '2026-11-17');
    expect([await held(running, 'transit:EUR'), await suspense()]).toEqual([0, before]);
    expect(await tasks('bank_transfer')).toEqual([]);
  });

  it('is a task when its other half is missing for days', async () => {
    await told('pay-eur', { amount: '40.00', sign: 'DBIT', details: [{ payer: 'x', iban: numbers['collect-eur'] }] });
    expect(await tasks('bank_transfer')).toEqual([]);
    await sql.query("UPDATE bank_line_details SET changed_at = changed_at - interval '5 days'");
    expect(await tasks('bank_transfer')).toEqual([
      'Find out whether what left pay-eur on 2026-11-16 arrived on collect-eur',
    ]);
    await told('collect-eur', { amount: '40.00', details: [{ payer: 'x', iban: numbers['pay-eur'] }] });
    expect([await tasks('bank_transfer'), await held(running, 'transit:EUR')]).toEqual([[], 0]);
  });

  it('is a task when one of many with the same amount is lost, until what booked it is undone', async () => {
    const leaves = (on: string) =>
      told('pay-eur', { amount: '60.00', sign: 'DBIT', details: [{ payer: 'x', iban: numbers['collect-eur'] }] }, on);
    const arrives = (on: string) =>
      told('collect-eur', { amount: '60.00', details: [{ payer: 'x', iban: numbers['pay-eur'] }] }, on);
    await leaves('2026-11-02');
    await sql.query("UPDATE bank_line_details SET changed_at = changed_at - interval '5 days'");
    await leaves('2026-11-03');
    await arrives('2026-11-03');
    const lost = 'Find out whether what left pay-eur on 2026-11-02 arrived on collect-eur';
    expect(await tasks('bank_transfer')).toEqual([lost]);
    const { rows } = await sql.query(
      "SELECT split_part(record, ':', 2) AS id FROM bank_lines JOIN bank_line_details USING (line_id) WHERE booked_on = '2026-11-02'",
    );
    const body = { kind: 'correction', reverses: rows[0].id, reason: 'It never left.' };
    done(await running.api.post('/operator/ledger/entries', { token: running.admin, key: 'never-left', body }));
    expect(await tasks('bank_transfer')).toEqual([]);
    expect(await reasons('pay-eur')).toContain('corrected');
  });

  it('is a break when the accounts hold money of two owners, or are one account', async () => {
    const before = await suspense();
    await told('collect-eur', { details: [{ payer: 'x', iban: numbers['acme-eur'] }] });
    await told('collect-eur', { details: [{ payer: 'x', iban: numbers['collect-eur'] }] });
    expect([await reasons('collect-eur'), await suspense()]).toEqual([['own_transfer', 'own_transfer'], before]);
    expect(await held(running, 'transit:EUR')).toBe(0);
  });

  it('is nothing that a name, a text or the number of another bank says', async () => {
    const before = await suspense();
    const text = `Own transfer ${numbers['pay-eur']}`;
    await told('collect-eur', { code: 'PMNT-RCDT-BOOK', details: [{ payer: 'Remesa Payments S.L.', text }] });
    done(
      await newBankAccount(running, { accountId: 'domestic', currency: 'EUR', number: '123456789', profile: 'sepa' }),
    );
    await told('collect-eur', { details: [{ payer: 'Ana', iban: '123456789' }] });
    expect([await suspense(), await held(running, 'transit:EUR')]).toEqual([before + 2, 0]);
  });
});
