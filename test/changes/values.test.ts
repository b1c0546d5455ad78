/** What the audit log says about settings: the values before and after, and nothing personal. */
import { expect, it } from 'vitest';
import { auditRows } from '../harness/access.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser } from '../harness/users.js';
import { accountTerms, newAccount } from '../payments/payments.js';
import { plainTerms } from '../rates/quoting.js';

const running = useRemesa();
const { sql } = running;
const asAdmin = (method: string, path: string, body: object) =>
  running.api.call(method, `/operator/${path}`, { token: running.admin, body });
const newest = async (action: string) => (await auditRows(sql, action)).at(-1)?.details;

it('a corridor is recorded with every term that differs: limits, bands, methods and prices', async () => {
  done(await asAdmin('PUT', 'corridors/EUR/MXN', { ...plainTerms, feeFixed: 1, maxAmountIn: 5000 }));
  const edited = { maxAmountIn: 4000, kycBands: [{ upTo: 100, level: 'LEVEL_1' }, { level: 'LEVEL_2' }] };
  const terms = { ...plainTerms, feeFixed: 1, ...edited, payoutMethods: ['bank_account'] };
  done(await asAdmin('PUT', 'corridors/EUR/MXN', terms));
  expect(await newest('corridor.saved')).toMatchObject({
    before: {
      maxInMinor: '500000',
      kycBands: ['LEVEL_1 up to 20000', 'LEVEL_2 up to 1000000', 'LEVEL_3'],
      payoutMethods: plainTerms.payoutMethods,
    },
    after: {
      maxInMinor: '400000',
      kycBands: ['LEVEL_1 up to 10000', 'LEVEL_2'],
      payoutMethods: ['bank_account'],
    },
  });
  expect(await newest('corridor.saved')).not.toHaveProperty('before.feeFixedMinor');
});

it('a pay-in account, the policies of a merchant and a rule are recorded with what they were before', async () => {
  done(await newAccount(running, { accountId: 'main-usd' }));
  const { currency: _, ...terms } = accountTerms;
  const details = { ...terms.details, accountNumber: '987654321' };
  done(await asAdmin('PUT', 'payin-accounts/main-usd', { ...terms, details, version: 1 }));
  const numbers = (account: string) => [`accountNumber ${account}`, 'accountType checking', 'routingNumber 021000021'];
  expect(await newest('payin_account.changed')).toMatchObject({
    before: { details: numbers('123456789') },
    after: { details: numbers('987654321') },
  });
  const { token } = running.acme;
  const policies = done(await running.api.get('/merchant/policies', { token }));
  done(await running.api.call('PUT', '/merchant/policies', { token, body: { ...policies, over: 'refund' } }));
  expect(await newest('policies.declared')).toMatchObject({ before: { over: 'suspense' }, after: { over: 'refund' } });
  const rule = { kind: 'velocity', parameters: { hours: 24, maxOrders: 3 } };
  const { ruleId, parameters } = done(await asAdmin('POST', 'rules', rule));
  done(await asAdmin('PUT', `rules/${ruleId}`, { parameters, isEnabled: false, version: 1 }));
  expect(await newest('review_rule.changed')).toMatchObject({
    before: { isEnabled: true },
    after: { isEnabled: false },
  });
});

it('a user is recorded when it is created, changed and deleted, without a word of its data', async () => {
  const user = await newUser(running, running.acme);
  const path = `/user?userId=${user.id}`;
  const { token } = running.acme;
  done(await running.api.call('PATCH', path, { token, body: { city: 'Alcoy' } }));
  done(await running.api.call('DELETE', path, { token }));
  const rows = (await auditRows(sql, 'user.%')).filter(({ subject }) => subject === `user:${user.id}`);
  expect(rows).toMatchObject([
    { action: 'user.created', details: {} },
    { action: 'user.updated', details: { fields: ['city'] } },
    { action: 'user.erased' },
  ]);
  expect(JSON.stringify(rows)).not.toContain('Alcoy');
});
