/** Balances and numbers against a plain list of postings, whatever the order of commits. */
import fc from 'fast-check';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../src/ledger/account.js';
import { findBalances } from '../../src/ledger/balances/balance-store.js';
import { rounds } from '../harness/rounds.js';
import { useTestDatabase } from '../harness/test-database.js';
import { acme, other, postings, TestLedger } from './ledger.js';
import { LedgerModel, type Step } from './ledger-model.js';

const place = useTestDatabase();
const ledger = new TestLedger(place);

beforeEach(() => ledger.empty());

const start = Date.UTC(2026, 9, 30);
/** Over three days across the end of a month, with many equal hours. */
const times = fc.integer({ min: 0, max: 3 * 86_400 }).map((seconds) => new Date(start + seconds * 1000));
const journals = fc
  .tuple(fc.bigInt(1n, 10n ** 12n), fc.constantFrom('EUR', 'JPY'), fc.boolean())
  .map(([minor, currency, isFee]) =>
    isFee
      ? postings(`fee:${currency} -${minor}`, `bank:${currency}:main ${minor}`)
      : postings(
          `liability:${currency} -${minor} ord_1`,
          `payin:${currency} ${minor} pay_1`,
          'fx:EUR 3',
          'margin:EUR -3',
        ),
  );
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('post' as const), postings: journals, at: times }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('post late' as const), postings: journals, at: times }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('reverse' as const), index: fc.nat(), at: times }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        kind: fc.constantFrom('commit late' as const, 'number' as const, 'snapshot' as const),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);

describe('a balance', () => {
  it('is the sum of all postings now and at every past moment, whatever was numbered, covered, reversed or committed late', async () => {
    const property = async (taken: readonly Step[], moments: readonly Date[]) => {
      const model = new LedgerModel(ledger);
      await model.begin();
      try {
        for (const step of taken) {
          await model.take(step);
          await model.check(undefined);
        }
        for (const moment of moments) await model.check(moment);
      } finally {
        await model.finish();
      }
      await model.take({ kind: 'number' });
      await model.take({ kind: 'snapshot' });
      for (const moment of [undefined, ...moments]) await model.check(moment);
      expect((await ledger.verify({ isFull: true })).faults).toEqual([]);
      const numbers = await ledger.rows<{ number: string }>('SELECT number FROM ledger_journals ORDER BY number');
      expect(numbers.map(({ number }) => Number(number))).toEqual(model.committed.map((_, at) => at + 1));
    };
    const moments = fc.array(times, { minLength: 3, maxLength: 3 });
    await fc.assert(fc.asyncProperty(steps, moments, property), { numRuns: rounds(12, 300) });
  });

  it('is the same for one account as in the list of all, and another merchant’s postings do not count', async () => {
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    await ledger.post(postings('fee:EUR -7', 'charges:EUR 7'), {}, other);
    const [fee] = postings('fee:EUR -5');
    if (!fee) throw new Error('no posting');
    expect(await findBalances(place.database, acme, { account: fee.account })).toEqual(new Map([['fee:EUR', -5n]]));
  });

  it('includes a journal from the moment at which its transaction commits, and not before', async () => {
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    const commit = await ledger.openTransaction(async (tx) => {
      await ledger.postIn(tx, postings('fee:EUR -1', 'charges:EUR 1'), { occurredAt: new Date(start) });
    });
    await ledger.post(postings('fee:EUR -2', 'charges:EUR 2'));
    await ledger.number();
    expect((await findBalances(place.database, acme)).get('fee:EUR' as Account)).toBe(-7n);
    await commit();
    expect((await findBalances(place.database, acme)).get('fee:EUR' as Account)).toBe(-8n);
    await ledger.number();
    expect((await findBalances(place.database, acme)).get('fee:EUR' as Account)).toBe(-8n);
  });
});

describe('numbering', () => {
  it('gives each merchant its own numbers without gaps, also when several workers number at once', async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      ledger.post(postings('fee:EUR -5', 'charges:EUR 5'), {}, index % 3 === 0 ? other : acme),
    );
    const workers = Array.from({ length: 4 }, () => ledger.number());
    await Promise.all([...many, ...workers]);
    await ledger.number();
    const rows = await ledger.rows<{ merchant_id: string; numbers: string[] }>(
      'SELECT merchant_id, array_agg(number ORDER BY number) AS numbers FROM ledger_journals GROUP BY 1 ORDER BY 1',
    );
    const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
    expect(rows).toEqual([
      { merchant_id: '7', numbers: upTo(40) },
      { merchant_id: '8', numbers: upTo(20) },
    ]);
    for (const merchant of [acme, other])
      expect(await ledger.verify({ isFull: true, merchant })).toMatchObject({ faults: [] });
  });

  it('adds journals to the totals by itself once many are waiting', async () => {
    await place.database.transaction(async (tx) => {
      for (let index = 0; index < 260; index += 1) {
        const occurredAt = new Date(start + index * 60_000);
        await ledger.postIn(tx, postings('fee:EUR -5', 'charges:EUR 5'), { occurredAt });
      }
    });
    expect(await ledger.number()).toBe(260);
    const sums = await ledger.rows<pg.QueryResultRow>(
      "SELECT period, count(*)::int, sum(amount_minor)::int FROM ledger_totals WHERE account = 'fee:EUR' GROUP BY 1 ORDER BY 1",
    );
    expect(sums).toEqual([
      { period: 'day', count: 1, sum: -1300 },
      { period: 'hour', count: 5, sum: -1300 },
      { period: 'month', count: 1, sum: -1300 },
    ]);
    expect((await findBalances(place.database, acme)).get('fee:EUR' as Account)).toBe(-1300n);
    expect((await ledger.verify()).faults).toEqual([]);
  });
});
