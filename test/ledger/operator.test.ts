/** The operator API of the ledger, over HTTP on a whole service. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { KeyVault } from '../../src/keys/vault.js';
import { LedgerSealer } from '../../src/ledger/sealing/seal.js';
import { LedgerService } from '../../src/ledger/service.js';
import {
  auditRows,
  type Client,
  newMerchant,
  operatorTokens,
  type Running,
  startNode,
  stopNodesAfterAll,
} from '../harness/access.js';
import type { Answer } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { testMasterKey } from '../harness/master-key.js';
import { useTestDatabase } from '../harness/test-database.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { openBankAccounts } from './bank-accounts.js';
import { nameIn, postings } from './ledger.js';

stopNodesAfterAll();
const place = useTestDatabase();
let node: Running;
let acme: Client;
let tokens: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  node = await startNode(place.url);
  acme = await newMerchant(place.database, 'acme');
  await newMerchant(place.database, 'beta');
  tokens = await operatorTokens(node, { viewer: 'viewer', reviewer: 'reviewer', admin: 'admin' });
  const running = { api: node.api, admin: tokens.admin ?? '' };
  await openBankAccounts(running, 'bank:EUR:main', 'bank:JPY:tokyo');
});

let lastKey = 0;
const get = (path: string, role = 'viewer') => node.api.get(`/operator/ledger${path}`, { token: tokens[role] ?? '' });
const book = (body: object, { role = 'admin', key = `key-${++lastKey}` } = {}): Promise<Answer> =>
  node.api.post('/operator/ledger/entries', { token: tokens[role] ?? '', body, ...(key ? { key } : {}) });
const fee = {
  merchant: 'acme',
  kind: 'bank_fee',
  bank: 'main',
  currency: 'EUR',
  amount: '7.50',
  reason: 'October',
};
const balances = async (merchant: string, search = '') =>
  Object.fromEntries(
    (await get(`/accounts?merchant=${merchant}${search}`)).json.map(({ account, balance }: Record<string, string>) => [
      account,
      balance,
    ]),
  );
const faultsOf = (answer: Answer) => answer.json.errors.map(({ field }: { field: string }) => field);

describe('POST /operator/ledger/entries', () => {
  it('books funding, a bank fee and a cover trade, and the trial balance stays zero', async () => {
    const funded = await book({ ...fee, merchant: 'beta', kind: 'funding', amount: '1000', direction: 'in' });
    expect(funded.json).toMatchObject({
      merchant: 'beta',
      event: 'funding',
      reason: 'October',
      postings: [
        { account: 'bank:EUR:main', amount: '1000.00', reference: null },
        { account: 'funding:EUR', amount: '-1000.00', reference: null },
      ],
    });
    await book({ ...fee, merchant: 'beta' });
    const bought = { bank: 'tokyo', currency: 'JPY', amount: '16000' };
    await book({ ...fee, merchant: 'beta', kind: 'cover_trade', amount: '100', bought, closes: '15900' });
    expect(await balances('beta')).toEqual({
      'bank:EUR:main': '892.50',
      'bank:JPY:tokyo': '16000',
      'charges:EUR': '7.50',
      'funding:EUR': '-1000.00',
      'fx:EUR': '100.00',
      'fx:JPY': '-15900',
      'fxresult:JPY': '-100',
    });
    expect((await get('/trial-balance?merchant=beta')).json).toEqual([
      { currency: 'EUR', debit: '1000.00', credit: '1000.00', difference: '0.00' },
      { currency: 'JPY', debit: '16000', credit: '16000', difference: '0' },
    ]);
    expect(await balances('beta', '&currency=JPY')).toEqual({
      'bank:JPY:tokyo': '16000',
      'fx:JPY': '-15900',
      'fxresult:JPY': '-100',
    });
    expect(Object.values(await balances('beta', '&at=2020-01-01T00:00:00Z')).every((text) => Number(text) === 0)).toBe(
      true,
    );
  });

  it('books under the instance when no merchant is named', async () => {
    const { merchant: _, ...entry } = fee;
    expect((await book(entry)).json).toMatchObject({ merchant: null, event: 'bank_fee' });
    expect((await get('/accounts')).json).toMatchObject([{ account: 'bank:EUR:main' }, { account: 'charges:EUR' }]);
  });

  it('refuses a request without an Idempotency-Key, and books one key once', async () => {
    const without = await book(fee, { key: '' });
    expect([without.status, without.json.code]).toEqual([400, 'idempotency_key_required']);
    const answers = await Promise.all([1, 2, 3].map(() => book(fee, { key: 'same' })));
    const ids = answers.filter(({ status }) => status === 200).map(({ json }) => json.id);
    expect(new Set(ids).size).toBe(1);
    expect((await book(fee, { key: 'same' })).json.id).toBe(ids[0]);
    expect((await book({ ...fee, amount: '8' }, { key: 'same' })).json.code).toBe('idempotency_key_reused');
  });

  it('lets admins book and viewers read only', async () => {
    for (const role of ['viewer', 'reviewer']) expect((await book(fee, { role })).status).toBe(403);
    expect((await get('?merchant=acme')).status).toBe(200);
  });

  it('is audited under the merchant with its reason', async () => {
    const { id } = (await book({ ...fee, reason: 'November' })).json;
    const rows = await auditRows(place.sql, 'ledger.entry_booked');
    expect(rows.at(-1)).toMatchObject({
      subject: `journal:${id}`,
      details: { kind: 'bank_fee', reason: 'November' },
    });
  });

  it('refuses an entry with all its wrong fields at once', async () => {
    expect(faultsOf(await book({ merchant: 'acme', kind: 'funding', reason: 'x' }))).toEqual([
      ...['bank', 'currency', 'amount', 'direction'],
    ]);
    expect(faultsOf(await book({ ...fee, direction: 'in', closes: '1' }))).toEqual(['direction', 'closes']);
    expect(faultsOf(await book({ ...fee, currency: 'ZZZ' }))).toEqual(['currency']);
    expect(faultsOf(await book({ ...fee, amount: '0.001' }))).toEqual(['amount']);
    expect(faultsOf(await book({ ...fee, amount: '0' }))).toEqual(['amount']);
    const bought = { bank: 'b', currency: 'EUR', amount: '1' };
    expect(faultsOf(await book({ ...fee, kind: 'cover_trade', bought }))).toEqual(['bought.currency']);
    expect((await book({ ...fee, reason: ' ' })).status).toBe(400);
    expect((await book({ ...fee, merchant: 'nobody' })).json.code).toBe('merchant_not_found');
  });

  it('books a correction that sums to zero, and refuses one that does not', async () => {
    const entry = { merchant: 'acme', kind: 'correction', reason: 'x' };
    const right = [
      { account: 'charges:EUR', credit: '2.50' },
      { account: 'payin:EUR', debit: '2.50', reference: 'pay_1' },
    ];
    expect((await book({ ...entry, postings: right })).json.postings).toEqual([
      { account: 'charges:EUR', amount: '-2.50', reference: null },
      { account: 'payin:EUR', amount: '2.50', reference: 'pay_1' },
    ]);
    const wrong = [
      [
        { account: 'charges:EUR', credit: '2.50' },
        { account: 'fee:EUR', debit: '2.40' },
      ],
      [
        { account: 'charges:EUR', credit: '2.50' },
        { account: 'payin:EUR', debit: '2.50' },
      ],
      [
        { account: 'charges:EUR', credit: '2.50', debit: '1' },
        { account: 'fee:EUR', debit: '2.50' },
      ],
      [
        { account: 'cash:EUR', credit: '2.50' },
        { account: 'bank:EUR', debit: '2.50' },
      ],
    ];
    for (const postings of wrong) expect((await book({ ...entry, postings })).json.code).toBe('invalid_fields');
    expect(faultsOf(await book(entry))).toEqual(['postings']);
    expect(faultsOf(await book({ ...entry, postings: right, reverses: 'jrn_1' }))).toEqual(['postings']);
  });

  it('reverses a treasury entry once, and no other journal', async () => {
    const { id } = (await book(fee)).json;
    const undo = (reverses: string, merchant = 'acme') =>
      book({ merchant, kind: 'correction', reason: 'booked twice', reverses });
    expect((await undo(id, 'beta')).json.code).toBe('journal_not_found');
    expect((await undo('jrn_1')).json.code).toBe('journal_not_found');
    const [first, second] = await Promise.all([undo(id), undo(id)]);
    const codes = [first, second].map(({ json }) => json.code ?? 'booked').sort();
    expect(codes).toEqual(['booked', 'journal_already_reversed']);
    const shown = (await get(`/journals/${id}`)).json;
    const reversal = (await get(`/journals/${shown.reversedBy}`)).json;
    expect(reversal).toMatchObject({ reverses: id, postings: [{ amount: '-7.50' }, { amount: '7.50' }] });
    const masterKey = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
    const { rootKey } = await KeyVault.open(place.database, masterKey);
    const ledger = new LedgerService(new LedgerSealer(rootKey), systemClock);
    await place.database.transaction(async (tx) => {
      const story = postings('fee:EUR -5', 'liability:EUR 5 ord_7');
      const draft = { event: 'converted', occurredAt: new Date(), postings: story };
      await nameIn(tx, await ledger.post(tx, acme.merchant, draft));
    });
    const found = (await get('/journals?merchant=acme&reference=ord_7')).json;
    expect(found).toHaveLength(1);
    expect((await undo(found[0].id)).json.code).toBe('journal_not_reversible');
  });
});

describe('GET /operator/ledger/journals', () => {
  it('lists journals page by page, the newest first, by event and by time', async () => {
    for (let index = 0; index < 5; index += 1) await book({ ...fee, merchant: 'beta', amount: String(index + 1) });
    const ids: string[] = [];
    let path: string | undefined = '/journals?merchant=beta&event=bank_fee&limit=2';
    while (path !== undefined) {
      const page: Answer = await get(path);
      ids.push(...page.json.map(({ id }: { id: string }) => id));
      path = /^<\/operator\/ledger(\/journals\?[^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    const all = (await get('/journals?merchant=beta&event=bank_fee&limit=200')).json;
    expect(ids).toEqual(all.map(({ id }: { id: string }) => id));
    expect(ids).toHaveLength(6);
    expect((await get('/journals?merchant=beta&to=2020-01-01T00:00:00Z')).json).toEqual([]);
    expect((await get('/journals?merchant=beta&from=2999-01-01T00:00:00Z')).json).toEqual([]);
  });

  it('answers journal_not_found for an id that is none', async () => {
    for (const id of ['jrn_1', 'x', 'jrn_000007ZZZZZZZZZZZZZ', 'jrn_0000070000000000001'])
      expect((await get(`/journals/${id}`)).json.code).toBe('journal_not_found');
  });
});

describe('GET /operator/ledger/statement', () => {
  const read = async (day: string) => {
    const answer = await get(`/statement?merchant=gamma&day=${day}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    return parse(answer.text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
  };

  it('has the opening balances, every posting of the day and the closing balances, and no formula', async () => {
    const gamma = await newMerchant(place.database, 'gamma');
    await book({ ...fee, merchant: 'gamma', reason: '=HYPERLINK("http://x","a, b")' });
    await book({ ...fee, merchant: 'gamma', reason: '-1+1\n"quoted"' });
    const now = new Date();
    const today = now.toISOString().slice(0, 10);
    const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
    const lines = await read(today);
    expect(lines.map(({ event, account, debit, credit }) => [event, account, debit, credit])).toEqual([
      ['bank_fee', 'charges:EUR', '7.50', ''],
      ['bank_fee', 'bank:EUR:main', '', '7.50'],
      ['bank_fee', 'charges:EUR', '7.50', ''],
      ['bank_fee', 'bank:EUR:main', '', '7.50'],
      ['closing_balance', 'bank:EUR:main', '', '15.00'],
      ['closing_balance', 'charges:EUR', '15.00', ''],
    ]);
    expect(lines[0]?.reason).toBe(`'=HYPERLINK("http://x","a, b")`);
    expect(lines[2]?.reason).toBe(`'-1+1\n"quoted"`);
    const next = await read(tomorrow);
    expect(next.map(({ event, account, debit, credit }) => [event, account, debit, credit])).toEqual([
      ['opening_balance', 'bank:EUR:main', '', '15.00'],
      ['opening_balance', 'charges:EUR', '15.00', ''],
      ['closing_balance', 'bank:EUR:main', '', '15.00'],
      ['closing_balance', 'charges:EUR', '15.00', ''],
    ]);
    expect(gamma.merchant).toBeGreaterThan(0);
  });
});

describe('a fault of the ledger', () => {
  it('is found by the job, shown as a task, a warning and a metric, and cleared only once it was repaired', async () => {
    const delta = await newMerchant(place.database, 'delta');
    await book({ ...fee, merchant: 'delta' });
    const status = async () => (await get('?merchant=delta')).json;
    await eventually(async () => (await status()).journals === 1);
    const warnings = async () => (await node.api.get('/readyz')).json.warnings as string[] | undefined;
    const clear = () =>
      node.api.post('/operator/ledger/clear-fault', {
        token: tokens.admin ?? '',
        body: { merchant: 'delta', note: 'removed' },
      });
    expect((await clear()).json.code).toBe('ledger_has_no_fault');
    // A journal that the service did not write.
    await place.sql.query(
      `WITH journal AS (INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal)
         VALUES ($1, 99, 'bank_fee', 2, '2026-11-15', $2))
       INSERT INTO ledger_postings VALUES ($1, 99, 1, 2, 'fee:EUR', -5, NULL), ($1, 99, 2, 2, 'bank:EUR:main', 5, NULL)`,
      [delta.merchant, Buffer.alloc(48)],
    );
    await book({ ...fee, merchant: 'delta' });
    await eventually(async () => (await status()).journals === 2);
    await node.service.database.transaction(async (tx) => tx.wake('ledger.verify'));
    await eventually(async () => (await status()).fault?.includes('was not written by the service'));
    const tasks = (await node.api.get('/operator/tasks?kind=ledger_fault', { token: tokens.viewer ?? '' })).json;
    expect(tasks).toMatchObject([{ id: `ledger_fault.${delta.merchant}`, merchant: 'delta' }]);
    await eventually(async () => (await warnings())?.join() === 'ledger_fault');
    expect((await node.anywhere.get('/metrics')).text).toContain(`remesa_ledger_fault{merchant="${delta.merchant}"} 1`);
    expect((await clear()).json).toMatchObject({ code: 'ledger_fault_remains' });
    await withoutTriggers(place.sql, async (client) => {
      for (const table of ['ledger_postings', 'ledger_journals'])
        await client.query(`DELETE FROM ${table} WHERE journal_id = 99`);
    });
    await node.service.database.transaction(async (tx) => tx.wake('ledger.verify'));
    await eventually(async () => (await status()).verifiedAt !== null);
    expect((await clear()).json).toMatchObject({ fault: null });
    expect(await auditRows(place.sql, 'ledger.fault_%')).toMatchObject([
      { action: 'ledger.fault_found' },
      { action: 'ledger.fault_cleared', details: { note: 'removed' } },
    ]);
    await eventually(async () => (await warnings()) === undefined);
  });
});
