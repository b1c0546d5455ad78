/** Actions that need a second operator, from the request to the effect, and what never does. */
import { describe, expect, it } from 'vitest';
import { auditRows, logIn } from '../harness/access.js';
import { told } from '../harness/users.js';
import { useApprovals } from './approvals-service.js';

const running = useApprovals();
const { as, decide, file, corridor, askMargin } = running;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly subject: string;
  /** Whether the effect is there. */
  readonly isDone: () => Promise<boolean>;
  readonly before?: () => Promise<unknown>;
  readonly key?: string;
}

const hasRow = async (sql: string) => ((await running.sql.query(sql)).rowCount ?? 0) > 0;
const operator = (login: string, condition: string) =>
  hasRow(`SELECT FROM operators WHERE login = '${login}' AND ${condition}`);

const bankAccount = {
  ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa S.L.', bankName: 'Banco de Ejemplo' },
  ...{ country: 'ES', number: 'ES9121000418450200051332', uses: ['payin'], profile: 'sepa' },
};
const payinAccount = {
  ...{ accountId: 'main-eur', currency: 'EUR', holder: 'Remesa S.L.', bankName: 'Banco de Ejemplo' },
  ...{ country: 'ES', details: { iban: 'ES9121000418450200051332' }, isEnabled: true },
};
const handPayment = {
  ...{ accountId: 'main-eur', currency: 'EUR', bookedAt: '2026-11-15', payer: { name: 'Ana Reyes' } },
};

let suspended = '';
/** Days apart, because movements of one payer on one day are probably the same. */
let daysBefore = 0;
/** A payment without a reference. The next case is about its record. */
async function suspend(bankReference: string): Promise<void> {
  daysBefore += 3;
  const bookedAt = `2026-11-${15 - daysBefore}`;
  const body = { ...handPayment, bookedAt: bookedAt.replace(/-(\d)$/, '-0$1'), bankReference, amount: 5 };
  const { json, text } = await as('ana', 'POST', '/operator/payments', { body, key: bankReference });
  if (json.approvalId === undefined) throw new Error(text);
  await decide('ben', json.approvalId);
  const { rows } = await running.sql.query(
    'SELECT suspense_id FROM suspense_records JOIN payments USING (merchant_id, payment_id) WHERE bank_reference = $1',
    [bankReference],
  );
  suspended = rows[0].suspense_id;
}

const cases: Record<string, Asked> = {
  'opening a corridor': {
    ...{ method: 'PUT', path: '/operator/corridors/USD/KES', subject: 'corridor:USD-KES' },
    get body() {
      return { ...terms, isOpen: true, marginBasisPoints: 77 };
    },
    before: () => running.sql.query(`UPDATE corridors SET is_open = false WHERE fiat_out = 'KES'`),
    isDone: async () => (await corridor('USD/KES')).isOpen,
  },
  'changing many corridors': {
    ...{ method: 'PUT', path: '/operator/corridors', subject: 'corridor:several' },
    get body() {
      return ['PHP', 'INR'].map((fiatOut) => ({
        ...{ ...terms, fiatIn: 'USD', fiatOut, version: 1, marginBasisPoints: 78 },
      }));
    },
    isDone: async () => (await corridor('USD/INR')).marginBasisPoints === 78,
  },
  'accepting a held rate': {
    ...{ method: 'POST', path: '/operator/rates/ecb/USD/accept', subject: 'rate:ecb:USD' },
    body: { rate: '9', base: 'EUR' },
    before: () =>
      running.sql.query(`INSERT INTO rate_quarantine (source, currency, base, rate, published_at, held_at)
                      VALUES ('ecb', 'USD', 'EUR', 9, now(), now())`),
    isDone: async () => !(await hasRow(`SELECT FROM rate_quarantine`)),
  },
  'accepting the held rate of a corridor': {
    ...{ method: 'POST', path: '/operator/corridors/USD/MXN/accept-rate', subject: 'corridor_rate:USD-MXN' },
    body: { rate: '40' },
    before: () =>
      running.sql.query(`UPDATE corridor_rates SET held_numerator = 40, held_denominator = 1, held_source = 'snapshot', held_because = 'changed',
                             held_published_at = now(), held_at = now()
                       WHERE fiat_in = 'USD' AND fiat_out = 'MXN'`),
    isDone: () => hasRow(`SELECT FROM corridor_rates WHERE fiat_out = 'MXN' AND numerator = 40`),
  },
  'creating an operator': {
    ...{ method: 'POST', path: '/operator/operators', subject: 'login:nora' },
    body: { login: 'nora', role: 'viewer' },
    isDone: () => operator('nora', 'true'),
  },
  'resetting a password': {
    ...{ method: 'POST', path: '/operator/operators/rob/reset-password' },
    ...{ subject: expect.stringMatching(/^operator:\d+$/), body: undefined },
    isDone: async () => (await logIn(running.node, 'rob')).status === 401,
  },
  'creating a merchant': {
    ...{ method: 'POST', path: '/operator/merchants', subject: 'new_merchant:nova' },
    body: { clientId: 'nova', name: 'Nova' },
    isDone: () => hasRow(`SELECT FROM merchants WHERE client_id = 'nova'`),
  },
  'granting the admin role': {
    ...{ method: 'PATCH', path: '/operator/operators/rita', subject: expect.stringMatching(/^operator:/) },
    body: { role: 'admin' },
    isDone: () => operator('rita', `role = 'admin'`),
  },
  'adding a bank account': {
    ...{ method: 'POST', path: '/operator/bank/accounts', subject: 'bank_account:main-eur' },
    body: bankAccount,
    isDone: () => hasRow(`SELECT FROM bank_accounts WHERE account_id = 'main-eur'`),
  },
  'using a bank account for payouts too': {
    ...{ method: 'PUT', path: '/operator/bank/accounts/main-eur', subject: 'bank_account:main-eur' },
    get body() {
      const { accountId: _, currency: __, ...rest } = bankAccount;
      return { ...rest, uses: ['payin', 'payout'], version: 1 };
    },
    isDone: () => hasRow(`SELECT FROM bank_accounts WHERE uses @> ARRAY['payout']`),
  },
  'booking a treasury entry': {
    ...{ method: 'POST', path: '/operator/ledger/entries', key: 'fund-the-bank' },
    subject: expect.stringMatching(/^ledger_entry:[0-9a-f]{32}$/),
    body: {
      ...{ kind: 'funding', reason: 'Start capital' },
      ...{ bank: 'main-eur', currency: 'EUR', amount: '1000.00', direction: 'in' },
    },
    isDone: () => hasRow(`SELECT FROM ledger_journals WHERE reason = 'Start capital'`),
  },
  'adding a pay-in account': {
    ...{ method: 'POST', path: '/operator/payin-accounts', subject: 'payin_account:main-eur' },
    body: payinAccount,
    isDone: () => hasRow(`SELECT FROM payin_accounts WHERE account_id = 'main-eur'`),
  },
  'changing the number of a pay-in account': {
    ...{ method: 'PUT', path: '/operator/payin-accounts/main-eur', subject: 'payin_account:main-eur' },
    get body() {
      const { accountId: _, currency: __, ...rest } = payinAccount;
      return { ...rest, details: { iban: 'ES7921000813610123456789' }, version: 1 };
    },
    isDone: () => hasRow(`SELECT FROM payin_accounts WHERE details ->> 'iban' = 'ES7921000813610123456789'`),
  },
  'recording a payment by hand above the sum of a day': {
    ...{ method: 'POST', path: '/operator/payments', key: 'large-payment' },
    subject: expect.stringMatching(/^payment_entry:[0-9a-f]{32}$/),
    body: { ...handPayment, bankReference: 'large', amount: 5000 },
    isDone: () => hasRow(`SELECT FROM payments WHERE bank_reference = 'large'`),
  },
  'importing a file of movements': {
    ...{ method: 'POST', path: '/operator/payments/import' },
    subject: expect.stringMatching(/^payment_import:[0-9a-f]{32}$/),
    body: {
      accountId: 'main-eur',
      csv: 'bankReference,amount,currency,bookedAt,payerName\nfile-1,5,EUR,2026-11-15,Ana Reyes\n',
    },
    isDone: () => hasRow(`SELECT FROM payment_imports`),
  },
  'uploading a file of a bank': {
    ...{ method: 'POST', path: '/operator/bank/accounts/main-eur/statements' },
    subject: expect.stringMatching(/^statement_file:main-eur\.[\w-]{43}$/),
    body: { file: Buffer.from('<Document/>').toString('base64') },
    isDone: () => hasRow(`SELECT FROM bank_files`),
  },
  'uploading a document of a rail': {
    ...{ method: 'POST', path: '/operator/rails/sandbox/documents' },
    subject: expect.stringMatching(/^payout_document:sandbox\.[\w-]{43}$/),
    body: {
      document: Buffer.from('[{"reportId":"1","reference":"INVOICE 7","kind":"rejected"}]').toString('base64'),
    },
    isDone: () => hasRow(`SELECT FROM payout_documents`),
  },
  'paying money in suspense back to another account': {
    ...{ method: 'POST', key: 'pay-back', subject: expect.stringMatching(/^suspense:sus_/) },
    before: () => suspend('to-pay-back'),
    get path() {
      return `/operator/suspense/${suspended}/return`;
    },
    body: { version: 1, note: 'He sent us a letter.', recipient: { name: 'Ana Reyes', account: '4711' } },
    isDone: () => hasRow(`SELECT FROM suspense_records WHERE state = 'REFUND_PENDING'`),
  },
  'releasing frozen money in suspense': {
    ...{ method: 'POST', key: 'release', subject: expect.stringMatching(/^suspense:sus_/) },
    async before() {
      await suspend('to-release');
      const body = { note: 'Request 4711.' };
      await as('ana', 'POST', `/operator/suspense/${suspended}/freeze`, { body, key: 'freeze' });
    },
    get path() {
      return `/operator/suspense/${suspended}/release`;
    },
    body: { version: 2, note: 'Letter 4712.' },
    isDone: () => hasRow(`SELECT FROM suspense_records WHERE suspense_id = '${suspended}' AND state = 'OPEN'`),
  },
  'writing money in suspense off': {
    ...{ method: 'POST', key: 'write-off', subject: expect.stringMatching(/^suspense:sus_/) },
    before: () => suspend('to-write-off'),
    get path() {
      return `/operator/suspense/${suspended}/write-off`;
    },
    body: { version: 1, note: 'Nobody claims it.' },
    isDone: () => hasRow(`SELECT FROM suspense_records WHERE state = 'WRITTEN_OFF'`),
  },
  'enabling a disabled operator': {
    ...{ method: 'PATCH', path: '/operator/operators/vera', subject: expect.stringMatching(/^operator:/) },
    body: { status: 'active' },
    before: () =>
      running.sql.query(
        `INSERT INTO operators (login, password_hash, role, status) VALUES ('vera', 'x', 'viewer', 'disabled')`,
      ),
    isDone: () => operator('vera', `status = 'active'`),
  },
};

const terms = {
  ...{ isOpen: true, minAmountIn: 10, maxAmountIn: 5000, minAmountOut: 10, quoteLifetimeSeconds: 1800 },
  ...{ kycBands: [{ level: 'LEVEL_1' }], payoutMethods: ['bank_account'] },
  ...{ marginBasisPoints: 70, feeFixed: 1, feeBasisPoints: 0 },
};

describe.each(Object.entries(cases))('%s', (_name, asked) => {
  it('waits for a second operator, is shown with what it would do, and is carried out by the approval', async () => {
    await asked.before?.();
    const { method, path, body, subject, isDone, key } = asked;
    const sent = body === undefined ? {} : { body };
    const requested = await as('ana', method, path, { ...sent, ...(key === undefined ? {} : { key }) });
    expect(requested.status, requested.text).toBe(202);
    const { approvalId, action } = requested.json;
    expect(await isDone()).toBe(false);
    const shown = (await file(approvalId)).json;
    expect(shown).toMatchObject({ state: 'pending', action, subject, request: { method } });
    expect(shown.request.body).toEqual(body ?? null);
    expect(told(await decide('ana', approvalId))).toEqual([403, 'approval_own']);
    expect(await isDone()).toBe(false);
    const approved = await decide('ben', approvalId);
    expect(approved.status, approved.text).toBe(200);
    expect(await isDone()).toBe(true);
    const [ana, ben] = [await referenceTo('ana'), await referenceTo('ben')];
    const [decision] = (await auditRows(running.sql, 'approval.approved')).slice(-1);
    expect(decision).toMatchObject({ actor: ben, subject: `approval:${approvalId}`, details: { requestedBy: ana } });
    const effects = (await auditRows(running.sql, '%')).filter((row) => row.approval_id === approvalId);
    expect(effects.length).toBeGreaterThan(0);
    // Who asked is the author of whatever came of it, and who approved stands beside.
    expect(effects.map(({ actor, approver }) => [actor, approver])).toEqual(effects.map(() => [ana, ben]));
  });
});

async function referenceTo(login: string): Promise<string> {
  const { rows } = await running.sql.query('SELECT operator_id FROM operators WHERE login = $1', [login]);
  return `operator:${rows[0].operator_id}`;
}

describe('what makes the service safer', () => {
  it('closing a corridor never waits', async () => {
    const { pendingApproval: _, ...open } = await corridor('USD/GHS');
    const close = await as('ana', 'PUT', '/operator/corridors/USD/GHS', { body: { ...open, isOpen: false } });
    expect([close.status, close.json.isOpen]).toEqual([200, false]);
    // A closed corridor may be edited; opening it shows the new margin to the second operator.
    const edited = { ...close.json, marginBasisPoints: 5000 };
    expect((await as('ana', 'PUT', '/operator/corridors/USD/GHS', { body: edited })).status).toBe(200);
    const opened = await as('ana', 'PUT', '/operator/corridors/USD/GHS', { body: { ...terms } });
    expect(opened.status).toBe(202);
  });

  it('disabling a pay-in account never waits, nor recording payments by hand up to the sum of a day', async () => {
    const accounts = async () => (await as('vic', 'GET', '/operator/payin-accounts')).json;
    const [{ accountId: _, currency: __, merchant: ___, ...open }] = await accounts();
    const change = (body: object) => as('ana', 'PUT', '/operator/payin-accounts/main-eur', { body });
    const disabled = await change({ ...open, isEnabled: false });
    expect([disabled.status, disabled.json.isEnabled]).toEqual([200, false]);
    expect((await change({ ...open, isEnabled: true, version: disabled.json.version })).status).toBe(202);
    expect(await accounts()).toMatchObject([{ pendingApproval: { action: 'payin_account.save' } }]);
    const pay = (bankReference: string, amount: number) =>
      as('ben', 'POST', '/operator/payments', {
        body: { ...handPayment, bankReference, amount },
        key: bankReference,
      });
    const answers = await Promise.all(Array.from({ length: 6 }, (_unused, index) => pay(`small-${index}`, 200)));
    // 200 euros are more than 200 and less than 250 dollars: four fit into 1,000.
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 202, 202]);
  });

  it('lowering a role never waits, nor disabling an operator', async () => {
    await running.sql.query(`INSERT INTO operators (login, password_hash, role) VALUES ('otto', 'x', 'admin')`);
    const change = (body: object) => as('ana', 'PATCH', '/operator/operators/otto', { body });
    expect((await change({ role: 'reviewer' })).json).toMatchObject({ role: 'reviewer' });
    expect((await change({ status: 'disabled' })).json).toMatchObject({ status: 'disabled' });
    expect((await change({ status: 'disabled', role: 'admin' })).status).toBe(202);
    expect((await as('ana', 'GET', '/operator/operators')).json).toContainEqual(
      expect.objectContaining({
        login: 'otto',
        pendingApproval: expect.objectContaining({ action: 'operator.change', requestedBy: 'ana' }),
      }),
    );
  });
});

describe('GET /operator/approvals and /operator/tasks', () => {
  it('list what is pending page by page, and what has ended with both names', async () => {
    for (const name of ['EUR/PHP', 'EUR/INR', 'EUR/NGN']) await askMargin(88, name);
    const pending = (await as('vic', 'GET', '/operator/approvals')).json;
    expect(pending.map(({ state }: { state: string }) => state)).not.toContain('approved');
    const paged: unknown[] = [];
    let next: string | undefined = '/operator/approvals?limit=2';
    for (let pages = 0; next !== undefined && pages < 20; pages += 1) {
      const page = await as('vic', 'GET', next);
      paged.push(...page.json);
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(paged).toEqual(pending);
    const ended = (await as('vic', 'GET', '/operator/approvals?state=ended&limit=200')).json;
    expect(ended[0]).toMatchObject({ state: 'approved', requestedBy: 'ana', decidedBy: 'ben' });
    expect(ended.map(({ endedAt }: { endedAt: string }) => endedAt)).toEqual(
      ended
        .map(({ endedAt }: { endedAt: string }) => endedAt)
        .sort()
        .reverse(),
    );
  });

  it('offer a request as a task to everyone but the operator who asked', async () => {
    const tasks = async (login: 'ana' | 'ben') =>
      (await as(login, 'GET', '/operator/tasks?kind=approval&limit=200')).json;
    const { approvalId } = (await askMargin(89, 'EUR/KES')).json;
    expect(await tasks('ben')).toContainEqual(
      expect.objectContaining({
        id: `approval.${approvalId}`,
        path: `/operator/approvals/${approvalId}`,
        merchant: null,
      }),
    );
    expect(JSON.stringify(await tasks('ana'))).not.toContain(approvalId);
    const claim = (login: 'ana' | 'ben') =>
      as(login, 'POST', `/operator/tasks/approval.${approvalId}/claim`, { body: {} });
    expect(told(await claim('ana'))).toEqual([404, 'task_not_found']);
    expect((await claim('ben')).status).toBe(200);
  });
});
