/** What the database refuses whatever the code does. All by raw SQL. */
import fc from 'fast-check';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { accountKinds, chartOfAccounts, isCustomerMoney, readAccount } from '../../src/ledger/account.js';
import { useTestDatabase } from '../harness/test-database.js';
import { postings, TestLedger } from './ledger.js';

const place = useTestDatabase();
const ledger = new TestLedger(place);
let lastId = 0;

interface Raw {
  readonly id?: number;
  readonly merchant?: number;
  readonly count?: number;
  readonly reverses?: number;
  readonly postings: readonly string[];
}

/** Writes a journal by hand, in one transaction. Each posting is `account minor reference`. */
async function write({
  id = ++lastId,
  merchant = 7,
  postings: texts,
  count = texts.length,
  reverses,
}: Raw): Promise<number> {
  await inTransaction(async (client) => {
    await client.query(
      `INSERT INTO ledger_journals (merchant_id, journal_id, event, reverses, postings_count, occurred_at, seal)
       VALUES ($1, $2, 'test', $3, $4, '2026-11-15', $5)`,
      [merchant, id, reverses ?? null, count, Buffer.alloc(32 + 8 * count)],
    );
    for (const [index, text] of texts.entries()) await insertPosting(client, { merchant, id, count }, index + 1, text);
  });
  return id;
}

function insertPosting(
  client: Pick<pg.ClientBase, 'query'>,
  { merchant, id, count }: { merchant: number; id: number; count: number },
  position: number,
  text: string,
) {
  const [account, minor, reference = null] = text.split(' ');
  return client.query('INSERT INTO ledger_postings VALUES ($1, $2, $3, $4, $5, $6, $7)', [
    ...[merchant, id, position, count, account, minor, reference],
  ]);
}

async function inTransaction(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await place.sql.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const good = ['fee:EUR -5', 'charges:EUR 5'];

describe('the database', () => {
  it('accepts a journal that sums to zero in each currency', async () => {
    await write({ postings: ['fee:EUR -5', 'charges:EUR 5', 'fx:JPY 1000', 'margin:JPY -1000'] });
  });

  it('refuses at COMMIT a journal that does not sum to zero in each currency', async () => {
    await expect(write({ postings: ['fee:EUR -5', 'charges:EUR 6'] })).rejects.toThrow(/does not sum to zero in EUR/);
    await expect(write({ postings: ['fee:EUR -5', 'charges:USD 5'] })).rejects.toThrow(/does not sum to zero/);
  });

  it('refuses a journal with fewer postings than it declares, and one without postings', async () => {
    await expect(write({ count: 3, postings: good })).rejects.toThrow(/has 2 postings instead of 3/);
    await expect(write({ count: 2, postings: [] })).rejects.toThrow(/has 0 postings instead of 2/);
    await expect(write({ count: 1, postings: ['fee:EUR -5'] })).rejects.toThrow(/check constraint/);
  });

  it('refuses a posting that is added to a journal of another transaction, at any position and count', async () => {
    const id = await write({ postings: good });
    const add = (position: number, count: number) =>
      insertPosting(place.sql, { merchant: 7, id, count }, position, 'fee:EUR 1');
    await expect(add(1, 2)).rejects.toThrow(/ledger_postings_pkey/);
    await expect(add(3, 2)).rejects.toThrow(/position_is_within_journal/);
    await expect(add(0, 2)).rejects.toThrow(/position_is_within_journal/);
    await expect(add(3, 3)).rejects.toThrow(/foreign key/);
    await expect(add(1, 3)).rejects.toThrow(/ledger_postings_pkey|foreign key/);
  });

  it('refuses a posting of another merchant or of no journal', async () => {
    const id = await write({ postings: good });
    const add = (merchant: number, journal: number) =>
      insertPosting(place.sql, { merchant, id: journal, count: 2 }, 1, 'fee:EUR 1');
    await expect(add(8, id)).rejects.toThrow(/foreign key/);
    await expect(add(7, 999_999)).rejects.toThrow(/foreign key/);
  });

  it('refuses an account of an unknown kind, without its place, or without a currency', async () => {
    for (const account of ['cash:EUR', 'bank:EUR', 'settlement:MXN', 'fee:EUR:main', 'fee', 'fee:eur', 'fee:EUR\n'])
      await expect(write({ postings: [`${account} -5`, 'charges:EUR 5'] })).rejects.toThrow(/account_is_well_formed/);
  });

  it('refuses customer money without a reference, and accepts it with one', async () => {
    for (const kind of accountKinds.filter(isCustomerMoney)) {
      const both = (reference: string) => [`${kind}:EUR -5${reference}`, 'bank:EUR:main 5'];
      await expect(write({ postings: both('') })).rejects.toThrow(/customer_money_has_reference/);
      await write({ postings: both(' ord_1') });
    }
  });

  it('refuses a posting of zero and one above the largest amount', async () => {
    await expect(write({ postings: ['fee:EUR 0', 'charges:EUR 0'] })).rejects.toThrow(/check constraint/);
    const much = 10n ** 15n + 1n;
    await expect(write({ postings: [`fee:EUR -${much}`, `charges:EUR ${much}`] })).rejects.toThrow(/check constraint/);
  });

  it('refuses a reversal that is not exact, names no journal of the merchant, or is the second one', async () => {
    const id = await write({ postings: [...good, 'liability:EUR -2 ord_1', 'payin:EUR 2 pay_1'] });
    const exact = ['fee:EUR 5', 'charges:EUR -5', 'liability:EUR 2 ord_1', 'payin:EUR -2 pay_1'];
    const inexact = [
      ['fee:EUR 4', 'charges:EUR -4', 'liability:EUR 2 ord_1', 'payin:EUR -2 pay_1'],
      ['margin:EUR 5', 'charges:EUR -5', 'liability:EUR 2 ord_1', 'payin:EUR -2 pay_1'],
      ['fee:EUR 5', 'charges:EUR -5', 'liability:EUR 2 ord_2', 'payin:EUR -2 pay_1'],
      ['fee:EUR -5', 'charges:EUR 5', 'liability:EUR -2 ord_1', 'payin:EUR 2 pay_1'],
    ];
    for (const postings of inexact) await expect(write({ reverses: id, postings })).rejects.toThrow(/does not negate/);
    await expect(write({ reverses: id, postings: exact.slice(0, 2) })).rejects.toThrow(/reversal_has_as_many_postings/);
    await expect(write({ reverses: 999_999, postings: exact })).rejects.toThrow(/reversal_has_as_many_postings/);
    await expect(write({ reverses: id, merchant: 8, postings: exact })).rejects.toThrow(/reversal_has_as_many/);
    await write({ reverses: id, postings: exact });
    await expect(write({ reverses: id, postings: exact })).rejects.toThrow(/reversed_once/);
  });

  it('refuses UPDATE, DELETE and TRUNCATE of accounts, journals and postings', async () => {
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    const refused = /not allowed|never changes/;
    for (const table of ['ledger_accounts', 'ledger_journals', 'ledger_postings']) {
      await expect(place.sql.query(`DELETE FROM ${table}`)).rejects.toThrow(refused);
      await expect(place.sql.query(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(refused);
    }
    await expect(place.sql.query("UPDATE ledger_accounts SET account = 'fee:USD'")).rejects.toThrow(refused);
    await expect(place.sql.query('UPDATE ledger_postings SET amount_minor = 1')).rejects.toThrow(refused);
    await expect(place.sql.query("UPDATE ledger_journals SET event = 'x'")).rejects.toThrow(refused);
  });

  it('lets a journal be numbered once, without any other change', async () => {
    const id = await write({ postings: good });
    const set = (assignments: string) =>
      place.sql.query(`UPDATE ledger_journals SET ${assignments} WHERE journal_id = ${id}`);
    await expect(set("number = 900, event = 'x'")).rejects.toThrow(/never changes/);
    await set('number = 900');
    await expect(set('number = 901')).rejects.toThrow(/never changes/);
    await expect(
      place.sql.query(
        `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal, number)
         VALUES (7, 5000, 'test', 2, '2026-11-15', $1, 901)`,
        [Buffer.alloc(48)],
      ),
    ).rejects.toThrow(/not allowed/);
  });

  it('has the same kinds of accounts as the chart, with and without a place', async () => {
    for (const kind of accountKinds) {
      const names =
        'place' in chartOfAccounts[kind] ? [`${kind}:EUR:main`, `${kind}:EUR`] : [`${kind}:EUR`, `${kind}:EUR:main`];
      const [right = '', wrong = ''] = names;
      expect([readAccount(right), readAccount(wrong)]).toEqual([right, undefined]);
      await write({ postings: [`${right} 1 ord_1`, 'writeoff:EUR -1'] });
      await expect(write({ postings: [`${wrong} 1 ord_1`, 'writeoff:EUR -1'] })).rejects.toThrow(
        /account_is_well_formed/,
      );
    }
  });
});

describe('checks that are written in a cheaper way than as one pattern', () => {
  const kinds = Object.entries(chartOfAccounts);
  const withPlace = kinds.flatMap(([kind, about]) => ('place' in about ? [kind] : [])).join('|');
  const withoutPlace = kinds.flatMap(([kind, about]) => ('place' in about ? [] : [kind])).join('|');
  const idOf = (prefix: string) => new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`);
  const account = new RegExp(`^((${withPlace}):[A-Z]{3}:[A-Za-z0-9._-]{1,64}|(${withoutPlace}):[A-Z]{3})$`);
  const checks = [
    { table: 'ledger_postings', name: 'account_is_well_formed', column: 'account', pattern: account },
    {
      ...{ table: 'ledger_postings', name: 'ledger_postings_reference_check', column: 'reference' },
      pattern: /^[a-z]{2,4}_[0-9A-Za-z-]{1,60}$/,
    },
    {
      ...{ table: 'ledger_journals', name: 'ledger_journals_event_check', column: 'event' },
      pattern: /^[a-z_]{1,40}$/,
    },
    { table: 'orders', name: 'orders_order_id_check', column: 'order_id', pattern: idOf('ord') },
    { table: 'payments', name: 'payments_payment_id_check', column: 'payment_id', pattern: idOf('pay') },
    {
      ...{ table: 'payout_attempts', name: 'payout_attempts_attempt_id_check', column: 'attempt_id' },
      pattern: idOf('att'),
    },
  ];

  /** Texts that match, and such texts with something put in, left out or repeated. */
  function textsLike(pattern: RegExp) {
    const changed = fc
      .tuple(
        fc.stringMatching(pattern),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ':', '_', '-', 'a', 'A', 'I', '0', 'é', '\n', ' ', 'x'.repeat(40)),
      )
      .map(([text, at, leftOut, putIn]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + putIn + text.slice(place + leftOut);
      });
    return fc.array(fc.oneof(fc.stringMatching(pattern), changed), { minLength: 50, maxLength: 100 });
  }

  it.each(checks)('$name accepts exactly what its pattern describes', async (check) => {
    const { table, name, column, pattern } = check;
    const { rows } = await place.sql.query(
      'SELECT pg_get_expr(conbin, conrelid) AS text FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2',
      [table, name],
    );
    const query = `SELECT ${rows[0].text} AS accepts FROM unnest($1::text[]) WITH ORDINALITY AS t (${column}, n) ORDER BY n`;
    await fc.assert(
      fc.asyncProperty(textsLike(pattern), async (texts) => {
        const answers = await place.sql.query(query, [texts]);
        expect(answers.rows.map(({ accepts }) => accepts)).toEqual(texts.map((text) => pattern.test(text)));
      }),
      { numRuns: 20 },
    );
  });
});
