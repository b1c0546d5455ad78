/** Posting and reversing journals, in the transactions of their changes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { merchantId } from '../../src/ids.js';
import { journalIdText, newJournalId, readJournalId } from '../../src/ledger/journal-id.js';
import { useTestDatabase } from '../harness/test-database.js';
import { acme, noon, other, postings, TestLedger } from './ledger.js';

const place = useTestDatabase();
const ledger = new TestLedger(place);
beforeEach(() => ledger.empty());

const count = async () => (await ledger.rows<{ count: number }>('SELECT count(*)::int FROM ledger_postings'))[0]?.count;

describe('posting a journal', () => {
  it('takes one statement, opens accounts on their first use, and leaves out postings of zero', async () => {
    const texts: string[] = [];
    await place.database.transaction(async (tx) => {
      const counting = Object.create(tx);
      counting.query = (statement: { name: string }, values: readonly unknown[]) => {
        texts.push(statement.name);
        return tx.query(statement as never, values as never);
      };
      const draft = {
        event: 'test',
        occurredAt: noon,
        postings: postings('fee:EUR -5', 'margin:EUR 0', 'charges:EUR 5'),
      };
      await ledger.service.post(counting, acme, draft);
    });
    expect(texts).toEqual(['ledger.insert-journal']);
    expect(await count()).toBe(2);
    const accounts = await ledger.rows('SELECT merchant_id, account, kind, currency FROM ledger_accounts ORDER BY 2');
    expect(accounts).toEqual([
      { merchant_id: '7', account: 'charges:EUR', kind: 'charges', currency: 'EUR' },
      { merchant_id: '7', account: 'fee:EUR', kind: 'fee', currency: 'EUR' },
    ]);
  });

  it('writes nothing when the transaction of the change is rolled back, or the postings do not sum to zero', async () => {
    const failing = place.database.transaction(async (tx) => {
      const draft = { event: 'test', occurredAt: noon, postings: postings('fee:EUR -5', 'charges:EUR 5') };
      await ledger.service.post(tx, acme, draft);
      throw new Error('the change failed');
    });
    await expect(failing).rejects.toThrow('the change failed');
    await expect(ledger.post(postings('fee:EUR -5', 'charges:EUR 4'))).rejects.toThrow(/does not sum to zero/);
    expect(await count()).toBe(0);
  });

  it('lets many transactions open the same accounts at once', async () => {
    const both = [postings('fee:EUR -5', 'charges:EUR 5'), postings('charges:EUR -5', 'fee:EUR 5')];
    const posts = Array.from({ length: 40 }, (_, index) => ledger.post(both[index % 2] ?? []));
    await Promise.all(posts);
    expect(await count()).toBe(80);
  });
});

describe('reversing a journal', () => {
  it('negates it exactly, once, and only for its merchant', async () => {
    const { journalId } = await ledger.post(postings('liability:EUR -5 ord_1', 'payin:EUR 5 pay_1'));
    const reverse = (merchant = acme) =>
      place.database.transaction((tx) =>
        ledger.service.reverse(tx, merchant, journalId, { event: 'reversal', occurredAt: noon }),
      );
    await expect(reverse(other)).rejects.toMatchObject({ code: 'journal_not_found' });
    const outcomes = await Promise.allSettled([reverse(), reverse(), reverse()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'journal_already_reversed' });
    const reversal = await ledger.service.find(place.database, acme, journalId);
    const stored = await ledger.service.find(place.database, acme, reversal.reversedBy ?? 0n);
    expect(stored).toMatchObject({
      reverses: journalId,
      postings: postings('liability:EUR 5 ord_1', 'payin:EUR -5 pay_1'),
    });
  });
});

describe('the id of a journal', () => {
  it('is never made twice, grows, and names its merchant', () => {
    const ids = Array.from({ length: 5000 }, () => newJournalId(noon));
    expect(new Set(ids).size).toBe(5000);
    expect(newJournalId(new Date(noon.getTime() + 60_000))).toBeGreaterThan(ids.at(-1) ?? 0n);
    const id = ids[0] ?? 0n;
    for (const merchant of [merchantId(1), merchantId(2 ** 30 - 1), 0 as const])
      expect(readJournalId(journalIdText(merchant, id))).toEqual({ merchantId: merchant, journalId: id });
    for (const text of ['', 'jrn_', 'jrn_00000700000000000I1', 'ord_0000070000000000001'])
      expect(readJournalId(text)).toBeUndefined();
  });
});
