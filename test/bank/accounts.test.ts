/** Our bank accounts: what they need, who may name them, and what stays. */
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { newBankAccount, openBankAccounts } from '../ledger/bank-accounts.js';
import { accountTerms } from '../payments/payments.js';

const running = useRemesa({});
const { sql } = running;
const madrid = {
  ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa S.L.', bankName: 'Banco de Ejemplo', country: 'ES' },
  ...{ number: 'es91 2100 0418 4502 0005 1332', bic: 'CAIXESBBXXX', address: { city: 'Madrid' } },
  ...{ uses: ['payin', 'payout'], profile: 'sepa', releaseUpTo: '5000.00' },
};
const change = (accountId: string, body: object) =>
  running.api.call('PUT', `/operator/bank/accounts/${accountId}`, { token: running.admin, body });
let key = 0;
const fund = (fields: object) => {
  key += 1;
  const body = { kind: 'funding', reason: 'Cover', currency: 'EUR', amount: '5.00', direction: 'in', ...fields };
  return running.api.post('/operator/ledger/entries', { token: running.admin, key: `fund-${key}`, body });
};

beforeAll(async () => {
  done(await newBankAccount(running, madrid));
});

describe('a bank account', () => {
  it('is read as it was added, with the number without blanks and the time zone of its country', async () => {
    const { json } = await running.api.get('/operator/bank/accounts/main-eur', { token: running.viewer });
    const number = 'ES9121000418450200051332';
    expect(json).toEqual({ ...madrid, number, merchant: null, timeZone: 'Europe/Madrid', csv: null, version: 1 });
    const listed = await running.api.get('/operator/bank/accounts', { token: running.viewer });
    expect(listed.json).toEqual([json]);
    expect(told(await newBankAccount(running, madrid))).toEqual([409, 'bank_account_exists']);
    const unknown = await running.api.get('/operator/bank/accounts/nowhere', { token: running.viewer });
    expect(told(unknown)).toEqual([404, 'bank_account_not_found']);
  });

  it('is refused with wrong check digits, an unknown time zone, or a name that is reserved', async () => {
    const faults = async (fields: object) => {
      const { json } = await newBankAccount(running, { ...madrid, accountId: 'other', ...fields });
      return json.errors?.map(({ field }: { field: string }) => field);
    };
    expect(await faults({ number: 'ES9121000418450200051333' })).toEqual(['number']);
    expect(await faults({ timeZone: 'Europe/Nowhere' })).toEqual(['timeZone']);
    expect(await faults({ accountId: 'simulated' })).toEqual(['accountId']);
    expect(await faults({ releaseUpTo: '0.001' })).toEqual(['releaseUpTo']);
    expect(await faults({ country: 'AQ' })).toEqual(['timeZone']);
  });

  it('is changed at the version that was read, with what it was before in the audit log', async () => {
    const { accountId: _, currency: __, ...terms } = madrid;
    done(await newBankAccount(running, { ...madrid, accountId: 'moved' }));
    expect(told(await change('moved', { ...terms, version: 2 }))).toEqual([409, 'version_conflict']);
    const changed = await change('moved', { ...terms, holder: 'Remesa S.A.', uses: ['payout'], version: 1 });
    expect(changed.json).toMatchObject({ holder: 'Remesa S.A.', uses: ['payout'], version: 2, currency: 'EUR' });
    expect((await auditRows(sql, 'bank_account.changed')).at(-1)).toMatchObject({
      subject: 'bank_account:moved',
      details: { before: { holder: 'Remesa S.L.' }, after: { holder: 'Remesa S.A.', uses: ['payout'] } },
    });
  });
});

describe('the name of a bank account', () => {
  it('is refused where it is no account, of another currency or of another merchant, and opens none in the ledger', async () => {
    done(await newBankAccount(running, { ...madrid, accountId: 'acme-eur', merchant: 'acme' }));
    const refusals = [
      [{ bank: 'man-eur' }, /is not a bank account/],
      [{ bank: 'main-eur', currency: 'USD' }, /is a bank account in EUR, not in USD/],
      [{ bank: 'acme-eur', merchant: 'rival' }, /of another merchant/],
    ] as const;
    for (const [fields, message] of refusals) {
      const answer = await fund(fields);
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_fields']);
      expect(answer.json.detail).toMatch(message);
    }
    done(await fund({ bank: 'acme-eur', merchant: 'acme' }));
    done(await fund({ bank: 'main-eur' }));
    const { rows } = await sql.query(`SELECT account FROM ledger_accounts WHERE kind = 'bank' ORDER BY 1`);
    expect(rows.map(({ account }) => account)).toEqual(['bank:EUR:acme-eur', 'bank:EUR:main-eur']);
  });

  it('is what senders are told to pay to, once it takes payments in that currency', async () => {
    await openBankAccounts(running, 'bank:USD:main-usd');
    done(await newBankAccount(running, { accountId: 'out-usd', uses: ['payout'] }));
    const add = (accountId: string, more: object = {}) =>
      running.api.post('/operator/payin-accounts', {
        ...{ token: running.admin, body: { ...accountTerms, accountId, ...more } },
      });
    for (const accountId of ['nowhere', 'out-usd', 'main-eur'])
      expect(told(await add(accountId))).toEqual([400, 'invalid_fields']);
    expect(told(await add('main-usd', { merchant: 'acme' }))).toEqual([400, 'invalid_fields']);
    done(await add('main-usd'));
  });
});
