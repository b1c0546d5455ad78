/** What a superuser does to the ledger with the triggers off is found, named, and stops that merchant only. */
import { beforeEach, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import type { Account } from '../../src/ledger/account.js';
import { journalIdText } from '../../src/ledger/journal-id.js';
import { clearFault } from '../../src/ledger/ledger-store.js';
import type { Owed, OwedBalances } from '../../src/ledger/verify/owed.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import type { Database } from '../../src/postgres/database.js';
import { useTestDatabase } from '../harness/test-database.js';
import { moved } from '../harness/without-triggers.js';
import { account, acme, noon, other, postings, TestLedger } from './ledger.js';

const place = useTestDatabase();
const ledger = new TestLedger(place);
let ids: bigint[] = [];

/** Five journals of three postings for each of two merchants, numbered and verified. */
beforeEach(async () => {
  await ledger.empty();
  ids = [];
  for (let index = 0; index < 5; index += 1) {
    const story = postings(`liability:EUR -${10 + index} ord_${index}`, `payin:EUR ${9 + index} pay_1`, 'fee:EUR 1');
    ids.push((await ledger.post(story, { reason: 'a test' })).journalId);
    await ledger.post(story, {}, other);
  }
  await ledger.number();
  expect((await ledger.verify()).faults).toEqual([]);
  expect((await ledger.verify({ merchant: other })).faults).toEqual([]);
});

const id = (number: number) => ids[number - 1] ?? 0n;
const named = (number: number) => `journal ${number} (${journalIdText(acme, id(number))})`;
const journal = (number: number) => `merchant_id = 7 AND journal_id = ${id(number)}`;
const found = async () => (await ledger.verify({ isFull: true })).faults;
const isStopped = (merchant = acme) =>
  ledger.service.requireSound(place.database, merchant).then(
    () => false,
    (error) => error.code === 'ledger_fault' && error.kind === 'unavailable',
  );

describe('verify', () => {
  it.each([
    ['the amount', 'amount_minor = -11'],
    ['the account', "account = 'liability:USD'"],
    ['the reference', "reference = 'ord_9'"],
  ])('names a posting of which %s was edited', async (_, assignment) => {
    await ledger.tamper(`UPDATE ledger_postings SET ${assignment} WHERE ${journal(1)} AND position = 1`);
    expect(await found()).toContain(`posting 1 of ${named(1)} was changed`);
  });

  it('finds two postings that were edited so that the journal still sums to zero', async () => {
    await ledger.tamper(
      `UPDATE ledger_postings SET amount_minor = amount_minor - 5 WHERE ${journal(2)} AND position = 1`,
      `UPDATE ledger_postings SET amount_minor = amount_minor + 5 WHERE ${journal(2)} AND position = 2`,
    );
    expect(await found()).toEqual([`posting 1 of ${named(2)} was changed`, `posting 2 of ${named(2)} was changed`]);
  });

  it.each([
    ["event = 'other'"],
    ["reason = 'another'"],
    ['reason = NULL'],
    ["occurred_at = '2026-11-15T12:00:00.001Z'"],
  ])('finds a journal with the edit %s', async (assignment) => {
    await ledger.tamper(`UPDATE ledger_journals SET ${assignment} WHERE ${journal(3)}`);
    expect(await found()).toEqual([`${named(3)} was not written by the service, or was changed`]);
  });

  it('finds an edited recorded_at or seal', async () => {
    await ledger.tamper(
      `UPDATE ledger_journals SET recorded_at = ${moved('recorded_at', "+ interval '1 day'")} WHERE ${journal(3)}`,
    );
    expect(await found()).toEqual([`${named(3)} was not written by the service, or was changed`]);
    await ledger.tamper(
      `UPDATE ledger_journals SET recorded_at = ${moved('recorded_at', "- interval '1 day'")} WHERE ${journal(3)}`,
    );
    expect(await found()).toEqual([]);
    await ledger.tamper(
      `UPDATE ledger_journals SET seal = set_byte(seal, 0, 255 - get_byte(seal, 0)) WHERE ${journal(1)}`,
    );
    expect(await found()).toContain(`${named(1)} was not written by the service, or was changed`);
  });

  it('names a posting that was deleted', async () => {
    await ledger.tamper(`DELETE FROM ledger_postings WHERE ${journal(2)} AND position = 3`);
    expect(await found()).toContain(`posting 3 of ${named(2)} is missing`);
  });

  it('names a posting that was inserted', async () => {
    await ledger.tamper(
      `INSERT INTO ledger_postings VALUES (7, ${id(2)}, 4, 4, 'fee:EUR', -1, NULL), (7, ${id(2)}, 5, 5, 'fee:EUR', 1, NULL)`,
    );
    expect(await found()).toEqual([`posting 4 of ${named(2)} was added`, `posting 5 of ${named(2)} was added`]);
  });

  it('finds postings that changed places', async () => {
    const move = (from: number, to: number, count: number) =>
      `UPDATE ledger_postings SET position = ${to}, postings_count = ${count} WHERE ${journal(2)} AND position = ${from}`;
    await ledger.tamper(move(1, 100, 100), move(2, 1, 3), move(100, 2, 3));
    expect(await found()).toEqual([`posting 1 of ${named(2)} was changed`, `posting 2 of ${named(2)} was changed`]);
  });

  it.each([
    ['in the middle', [3]],
    ['at the beginning', [1, 2]],
    ['at the end', [5]],
    ['altogether', [1, 2, 3, 4, 5]],
  ])('names journals that were deleted %s', async (_, numbers) => {
    for (const number of numbers)
      await ledger.tamper(
        `DELETE FROM ledger_postings WHERE ${journal(number)}`,
        `DELETE FROM ledger_journals WHERE ${journal(number)}`,
      );
    expect(await found()).toEqual(numbers.map((number) => `journal ${number} is missing`));
  });

  it('finds journals whose numbers were exchanged, or given to others', async () => {
    const unique =
      'CREATE UNIQUE INDEX ledger_journals_number ON ledger_journals (merchant_id, number) WHERE number IS NOT NULL';
    const exchange = () =>
      ledger.tamper(
        'DROP INDEX ledger_journals_number',
        'UPDATE ledger_journals SET number = 5 - number WHERE merchant_id = 7 AND number IN (2, 3)',
        unique,
      );
    await exchange();
    expect(await found()).toEqual([2, 3].map((number) => `${named(number)} is not at its place in the history`));
    await exchange();
    expect(await found()).toEqual([]);
    await ledger.tamper(`UPDATE ledger_journals SET number = NULL WHERE ${journal(2)}`);
    expect(await found()).toEqual([
      `${named(2)} is not at its place in the history`,
      `no change wrote journal ${journalIdText(acme, id(2))}`,
    ]);
  });

  it('finds a journal that exists twice, under a number that is taken', async () => {
    await ledger.tamper(
      'DROP INDEX ledger_journals_number',
      `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, recorded_at, seal, number)
       SELECT 7, 99, event, postings_count, occurred_at, recorded_at, seal, 5 FROM ledger_journals WHERE ${journal(5)}`,
    );
    expect(await found()).toEqual(['more journals have the numbers 1 to 5 than were given']);
    await ledger.tamper(
      'DELETE FROM ledger_journals WHERE journal_id = 99',
      'CREATE UNIQUE INDEX ledger_journals_number ON ledger_journals (merchant_id, number) WHERE number IS NOT NULL',
    );
  });

  it('finds changes that were removed, edited, moved or cut off together with their journals', async () => {
    const entry = 'merchant_id = 7 AND number';
    const remove = async (number: number) => {
      await ledger.tamper(
        `DELETE FROM ledger_postings WHERE ${journal(number)}`,
        `DELETE FROM ledger_journals WHERE ${journal(number)}`,
        `DELETE FROM changes WHERE ${entry} = ${number}`,
      );
    };
    await ledger.tamper(`UPDATE changes SET journal_ids = '{${id(2)}}' WHERE ${entry} = 1`);
    expect(await found()).toContain('entry 1 of the log of changes was changed');
    await ledger.tamper(`UPDATE changes SET journal_ids = '{${id(1)}}' WHERE ${entry} = 1`);
    expect(await found()).toEqual([]);
    await ledger.tamper(`UPDATE changes SET hash = sha256(hash) WHERE ${entry} = 2`);
    expect(await found()).toContain('entry 2 of the log of changes or its place was changed');
    await remove(3);
    expect(await found()).toContain('entry 3 is missing from the log of changes');
    await remove(5);
    expect(await found()).toContain('entry 5 is missing from the log of changes');
    await ledger.tamper(
      'UPDATE change_chains SET number = 4 WHERE merchant_id = 7',
      'UPDATE ledgers SET number = 4, verified_number = 0, verified_change = 0 WHERE merchant_id = 7',
    );
    expect(await found()).toContain('the log of changes does not end with entry 4 as it was numbered');
  });

  it('finds a balanced journal that was inserted with the triggers on, before and after numbering', async () => {
    await place.sql.query(
      `WITH journal AS (INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal)
         SELECT 7, 99, event, postings_count, occurred_at, seal FROM ledger_journals WHERE ${journal(1)})
       INSERT INTO ledger_postings SELECT 7, 99, position, postings_count, account, amount_minor, reference
         FROM ledger_postings WHERE ${journal(1)}`,
    );
    const fault = `journal ${journalIdText(acme, 99n)} was not written by the service, or was changed`;
    expect(await ledger.number()).toBe(0);
    expect((await ledger.verify()).faults).toContain(fault);
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    expect(await ledger.number()).toBe(1);
    expect((await ledger.verify()).faults).toContain(fault);
    await ledger.tamper(
      'DELETE FROM ledger_postings WHERE journal_id = 99',
      'DELETE FROM ledger_journals WHERE journal_id = 99',
    );
    expect((await ledger.verify()).faults).toEqual([]);
  });

  it('finds a journal that no change names, and one that was changed before it was numbered, with its change', async () => {
    const { journalId } = await place.database.transaction((tx) =>
      ledger.service.post(tx, acme, {
        event: 'test',
        occurredAt: noon,
        postings: postings('fee:EUR -5', 'charges:EUR 5'),
      }),
    );
    expect((await ledger.verify()).faults).toEqual([`no change wrote journal ${journalIdText(acme, journalId)}`]);
    await ledger.tamper(
      `DELETE FROM ledger_postings WHERE journal_id = ${journalId}`,
      `DELETE FROM ledger_journals WHERE journal_id = ${journalId}`,
    );
    const late = await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    const by = (amount: number) =>
      ledger.tamper(
        `UPDATE ledger_postings SET amount_minor = ${amount} WHERE journal_id = ${late.journalId} AND position = 2`,
      );
    await by(6);
    expect([await ledger.number(), new Set(ledger.forged)]).toEqual([0, new Set([acme])]);
    const fault = `posting 2 of journal ${journalIdText(acme, late.journalId)} was changed`;
    expect((await ledger.verify()).faults).toContain(fault);
    await by(5);
    expect([await ledger.number(), (await ledger.verify()).faults]).toEqual([1, []]);
  });

  it('finds a journal that was inserted with a number of its own', async () => {
    await ledger.tamper(
      `INSERT INTO ledger_journals (merchant_id, journal_id, event, postings_count, occurred_at, seal, number)
       SELECT 7, 99, event, postings_count, occurred_at, seal, 6 FROM ledger_journals WHERE ${journal(5)}`,
    );
    expect(await found()).toEqual(['journal 6 has a number that was not given: the history ends with 5']);
  });

  it('finds a merchant’s journal that was copied from another merchant', async () => {
    const [theirs] = await ledger.rows<{ seal: Buffer }>(
      'SELECT seal FROM ledger_journals WHERE merchant_id = 8 AND number = 2',
    );
    const seal = `'\\x${theirs?.seal.toString('hex')}'`;
    await ledger.tamper(`UPDATE ledger_journals SET seal = ${seal} WHERE merchant_id = 7 AND number = 2`);
    expect(await found()).toContain(`${named(2)} was not written by the service, or was changed`);
  });

  it('finds a deleted account, a wrong total, and the row of a ledger that was deleted or set back', async () => {
    await ledger.tamper("DELETE FROM ledger_accounts WHERE merchant_id = 7 AND account = 'fee:EUR'");
    expect(await found()).toContain('the account fee:EUR of journal 1 is missing');
    await ledger.tamper("INSERT INTO ledger_accounts (merchant_id, account) VALUES (7, 'fee:EUR')");
    await ledger.tamper(
      'UPDATE ledgers SET number = 4, verified_number = 0, verified_change = 0 WHERE merchant_id = 7',
    );
    expect(await found()).toContain('journal 5 has a number that was not given: the history ends with 4');
    await ledger.tamper('DELETE FROM ledgers WHERE merchant_id = 7');
    expect(await found()).toEqual(['the row of the ledger is missing, although journals were numbered']);
    expect(await isStopped()).toBe(true);
    expect((await ledger.verify()).faults).not.toEqual([]);
  });

  it('is content when the first journals are numbered while it looks for the ledger', async () => {
    const newcomer = merchantId(9);
    await ledger.post(postings('fee:EUR -1', 'payin:EUR 1 pay_1'), {}, newcomer);
    const database = afterFirst(place.database, 'ledger-store.find', () => ledger.number());
    const context = { database, sealer: ledger.sealer };
    expect(await verifyLedger(context, newcomer, { isFull: true })).toMatchObject({
      journals: 1,
      faults: [],
    });
    expect(await isStopped(newcomer)).toBe(false);
  });

  it('names a total that was edited', async () => {
    await place.database.transaction(async (tx) => {
      for (let index = 0; index < 260; index += 1) await ledger.postIn(tx, postings('fee:EUR -5', 'charges:EUR 5'));
    });
    await ledger.number();
    expect((await ledger.verify()).faults).toEqual([]);
    const edit = (period: string, by: number) =>
      ledger.tamper(
        `UPDATE ledger_totals SET amount_minor = amount_minor + ${by} WHERE merchant_id = 7 AND period = '${period}' AND account = 'fee:EUR'`,
      );
    for (const [period, start] of [
      ['hour', '2026-11-15T12:00:00.000Z'],
      ['month', '2026-11-01T00:00:00.000Z'],
    ] as const) {
      await edit(period, 1);
      expect(await found()).toContain(`the total of fee:EUR in the ${period} of ${start} is wrong`);
      await edit(period, -1);
    }
    expect(await found()).toEqual([]);
  });
});

describe('a fault', () => {
  it('stops new orders, payouts and refunds of that merchant only, with ledger_fault', async () => {
    await ledger.tamper(`UPDATE ledger_postings SET amount_minor = 2 WHERE ${journal(4)} AND position = 3`);
    expect(await isStopped()).toBe(false);
    await found();
    expect([await isStopped(), await isStopped(other)]).toEqual([true, false]);
    expect((await ledger.verify({ merchant: other, isFull: true })).faults).toEqual([]);
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    expect(await ledger.number()).toBe(1);
  });

  it('is found again by each verification until it is repaired, and only then can be cleared', async () => {
    const clear = () => place.database.transaction((tx) => clearFault(tx, acme));
    await ledger.tamper(`UPDATE ledger_postings SET amount_minor = 2 WHERE ${journal(4)} AND position = 3`);
    await found();
    expect(await clear()).toBe(false);
    expect((await ledger.verify()).faults).toContain(`posting 3 of ${named(4)} was changed`);
    expect([await clear(), await isStopped()]).toEqual([false, true]);
    await ledger.tamper(`UPDATE ledger_postings SET amount_minor = 1 WHERE ${journal(4)} AND position = 3`);
    expect((await ledger.verify()).faults).toEqual([]);
    expect(await isStopped()).toBe(true);
    expect(await clear()).toBe(true);
    expect([await clear(), await isStopped()]).toEqual([false, false]);
  });

  it('is recorded once in the audit log', async () => {
    const count = async () =>
      (await ledger.rows<{ count: number }>("SELECT count(*)::int FROM changes WHERE action = 'ledger.fault_found'"))[0]
        ?.count ?? 0;
    const before = await count();
    await ledger.tamper(`UPDATE ledger_postings SET amount_minor = 2 WHERE ${journal(4)} AND position = 3`);
    await found();
    await found();
    expect((await count()) - before).toBe(1);
  });
});

describe('an incremental verification', () => {
  it('checks new journals only, and a full one checks all', async () => {
    expect((await ledger.verify()).journals).toBe(0);
    await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    await ledger.number();
    expect((await ledger.verify()).journals).toBe(1);
    expect((await ledger.verify({ isFull: true })).journals).toBe(6);
  });

  it('finds an edit of a journal that was numbered but not verified yet', async () => {
    const { journalId } = await ledger.post(postings('fee:EUR -5', 'charges:EUR 5'));
    await ledger.number();
    await ledger.tamper(
      `UPDATE ledger_postings SET account = 'margin:EUR' WHERE journal_id = ${journalId} AND position = 1`,
    );
    expect((await ledger.verify()).faults).toContain(
      `posting 1 of journal 6 (${journalIdText(acme, journalId)}) was changed`,
    );
  });
});

describe('what we owe', () => {
  const owing = (least: bigint, most: bigint): OwedBalances => ({
    async owedFor(_, __, references) {
      const owed: Owed[] = [{ account: account('liability:EUR') as Account, least, most }];
      return new Map(references.filter((reference) => reference === 'ord_3').map((reference) => [reference, [owed]]));
    },
  });

  it('is compared with the state of each record, by a range', async () => {
    const verify = (least: bigint, most: bigint) => ledger.verify({ isFull: true, owedBalances: owing(least, most) });
    expect((await verify(13n, 13n)).faults).toEqual([]);
    expect((await verify(0n, 20n)).faults).toEqual([]);
    expect((await verify(14n, 14n)).faults).toEqual(['ord_3 has 13 on liability:EUR instead of 14 (minor units)']);
    expect((await verify(0n, 12n)).faults).toEqual(['ord_3 has 13 on liability:EUR instead of 0 to 12 (minor units)']);
  });

  it('may be one of several possibilities', async () => {
    const setOf = (minor: bigint) => [{ account: account('liability:EUR'), least: minor, most: minor }];
    const verify = async (...amounts: bigint[]) =>
      (
        await ledger.verify({
          isFull: true,
          owedBalances: { owedFor: async () => new Map([['ord_3', amounts.map(setOf)]]) },
        })
      ).faults;
    expect(await verify(14n, 13n)).toEqual([]);
    expect(await verify(14n, 15n)).toEqual(['ord_3 has 13 on liability:EUR instead of 14 (minor units)']);
  });

  it('is not compared while a journal of the record is being committed', async () => {
    const owedBalances: OwedBalances = {
      async owedFor(database, merchantId, references) {
        await ledger.post(postings('liability:EUR -1 ord_3', 'payin:EUR 1 pay_9'));
        return owing(14n, 14n).owedFor(database, merchantId, references);
      },
    };
    expect((await ledger.verify({ isFull: true, owedBalances })).faults).toEqual([]);
  });

  it('is a fault on a whole account only if it is found twice: money may come and go during one comparison', async () => {
    const verify = async (...answers: bigint[]) => {
      const sum = async () => new Map([[account('suspense:EUR'), answers.shift() ?? 0n]]);
      const owedBalances: OwedBalances = {
        owedFor: async () => new Map(),
        wholeAccounts: [{ kind: 'suspense', sum }],
      };
      return (await ledger.verify({ isFull: true, owedBalances })).faults;
    };
    expect(await verify(5n, 0n)).toEqual([]);
    expect(await verify(5n, 6n)).toEqual([]);
    expect(await verify(5n, 5n)).toEqual(['suspense:EUR has 0, but its records have 5 (minor units)']);
  });
});

/** The same database, on which something happens after this statement was answered for the first time. */
function afterFirst(database: Database, name: string, happen: () => Promise<unknown>): Database {
  let isOver = false;
  const query = async (...asked: Parameters<Database['query']>) => {
    const rows = await database.query(...asked);
    if (!isOver && asked[0].name === name) {
      isOver = true;
      await happen();
    }
    return rows;
  };
  const transaction: Database['transaction'] = (work) => database.transaction(work);
  return { query, transaction, seal: database.seal } as Database;
}
