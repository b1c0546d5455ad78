/** What we owe for orders, compared with the ledger over random histories. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MerchantId, merchantId, newMerchantPublicId } from '../../src/ids.js';
import { type Account, isCustomerMoney, kindOf } from '../../src/ledger/account.js';
import type { Posting } from '../../src/ledger/journal.js';
import type { OwedSet } from '../../src/ledger/verify/owed.js';
import { verifyLedger } from '../../src/ledger/verify/verify.js';
import { amount } from '../../src/money/amount.js';
import type { Order } from '../../src/orders/order/order.js';
import { eventRules } from '../../src/orders/order/order-events.js';
import { memoriesAfter, stateAfter } from '../../src/orders/order/transitions.js';
import { orderBalances } from '../../src/orders/owed/balances.js';
import { owedFor } from '../../src/orders/owed/owed.js';
import { useRemesa } from '../harness/remesa.js';
import { rounds } from '../harness/rounds.js';
import { merchantWithToken } from '../harness/users.js';
import { untilNumbered } from '../ledger/numbered.js';
import { orderJobNames } from '../orders/orders.js';
import { type Books, stepsFrom } from './histories.js';
import { placed, sender, verbsOf } from './orders.js';
import { apply, storedOrder } from './paid.js';

const running = useRemesa({ idleJobs: orderJobNames, hasRates: true });
const choices = (maxLength: number) => fc.array(fc.nat(1000), { minLength: 1, maxLength });

/** An order of 100.00 EUR that waits for its payment. */
const start = {
  orderId: newMerchantPublicId('ord', merchantId(1)),
  state: 'AWAITING_PAYMENT',
  memories: {},
  amountIn: amount('EUR', 10_000n),
  fee: amount('EUR', 200n),
  amountOut: amount('MXN', 195_117n),
  midRate: { coefficient: 2_001n, scale: 2 },
  marginBasisPoints: 50,
  amountReceived: amount('EUR', 0n),
  amountRefunded: amount('EUR', 0n),
  amountKept: amount('EUR', 0n),
  amountReversed: amount('EUR', 0n),
  refunds: [],
} as unknown as Order;

/** The order and the postings about it after the steps that the numbers choose. */
function walk(numbers: readonly number[]): { order: Order; postings: Posting[] } {
  let order = start;
  let books: Books = { place: 'liability' };
  const postings: Posting[] = [];
  for (const number of numbers) {
    const steps = stepsFrom(order, books);
    const step = steps[number % steps.length];
    if (!step) break;
    const { event, change, journals = [] } = step.move;
    const { resumes } = eventRules[event];
    const state = stateAfter(order.state, event, resumes && order.memories[resumes]);
    if (!state) throw new Error(`${event} is not possible`);
    order = { ...order, ...change, state, memories: memoriesAfter(order.state, event, order.memories) };
    postings.push(...journals.flatMap((journal) => journal.postings));
    books = step.books;
  }
  return { order, postings: postings.filter(({ reference }) => reference === start.orderId) };
}

/** The accounts of customer money on which the postings differ from everything that we may owe. */
function differences(order: Order, postings: readonly Posting[]): Account[] {
  const found = owedFor(order).map((owed) => differencesFrom(owed, postings));
  return found.some((accounts) => accounts.length === 0) ? [] : (found[0] ?? []);
}

function differencesFrom(owed: OwedSet, postings: readonly Posting[]): Account[] {
  const accounts = new Set([...owed, ...postings].map(({ account }) => account));
  return [...accounts].filter((account) => {
    if (!isCustomerMoney(kindOf(account))) return false;
    const ofAccount = postings.filter((posting) => posting.account === account);
    const held = ofAccount.reduce((sum, { minor }) => sum - minor, 0n);
    const { least, most } = owed.find((item) => item.account === account) ?? { least: 0n, most: 0n };
    return held < least || held > most;
  });
}

describe('what we owe for an order', () => {
  it('is what the journals of every legal history add up to', () => {
    fc.assert(
      fc.property(choices(25), (numbers) => {
        const { order, postings } = walk(numbers);
        expect([order.state, order.memories, differences(order, postings)]).toEqual([
          ...[order.state, order.memories, []],
        ]);
      }),
      { numRuns: rounds(2_000, 200_000) },
    );
  });

  it('differs after any single posting of customer money was changed', () => {
    let tampered = 0;
    fc.assert(
      fc.property(choices(25), fc.nat(1000), fc.constantFrom(1n, -1n, 500n), (numbers, at, by) => {
        const { order, postings } = walk(numbers);
        const money = postings.filter(({ account }) => isCustomerMoney(kindOf(account)));
        const chosen = money[at % Math.max(money.length, 1)];
        if (!chosen) return;
        tampered += 1;
        const changed = postings.map((posting) =>
          posting === chosen ? { ...posting, minor: posting.minor + by } : posting,
        );
        expect(differences(order, changed)).not.toEqual([]);
        if (owedFor(order).length === 1) expect(differences(order, changed)).toEqual([chosen.account]);
      }),
      { numRuns: rounds(2_000, 200_000) },
    );
    expect(tampered).toBeGreaterThan(rounds(500, 50_000));
  });
});

describe('the verification of a ledger', () => {
  it('is content after every step of an order, and names the order and the account after a tampered posting', async () => {
    let merchants = 0;
    const history = fc.asyncProperty(choices(12), async (numbers) => {
      merchants += 1;
      const merchant = await merchantWithToken(running, `owed-${merchants}`);
      const verify = await verifierOf(merchantId(merchant.merchant));
      const { id } = await placed(running, await sender(running, merchant), { merchant });
      const order = await walkThrough(await storedOrder(running, id, merchant), numbers, verify);
      const tampered = await tamper(id);
      if (tampered === undefined) return;
      const faults = (await verify()).filter((fault) => fault.startsWith(id));
      const accounts = faults.map((fault) => / on (\S+) instead/.exec(fault)?.[1]);
      if (owedFor(order).length === 1) expect(accounts).toEqual([tampered]);
      else expect(accounts).not.toEqual([]);
    });
    await fc.assert(history, { numRuns: rounds(6, 500), endOnFailure: true });
  });

  type Verify = () => Promise<readonly string[]>;

  async function verifierOf(merchant: MerchantId): Promise<Verify> {
    const { database } = running.service;
    const { sealer } = (await verbsOf(running)).transitions.ledger;
    return async () => {
      await untilNumbered(running);
      const context = { database, sealer, owedBalances: orderBalances };
      return (await verifyLedger(context, merchant, { isFull: true })).faults;
    };
  }

  /** Takes the steps that the numbers choose, and verifies after each. */
  async function walkThrough(start: Order, numbers: readonly number[], verify: Verify): Promise<Order> {
    let [order, books]: [Order, Books] = [start, { place: 'liability' }];
    for (const number of numbers) {
      const steps = stepsFrom(order, books);
      const step = steps[number % steps.length];
      if (!step) break;
      order = await apply(running, order, step.move);
      books = step.books;
      expect([step.move.event, await verify()]).toEqual([step.move.event, []]);
    }
    return order;
  }

  /** Adds one to a posting of the order, as a superuser who switches the triggers off. Returns its account. */
  async function tamper(orderId: string): Promise<string | undefined> {
    const client = await running.sql.connect();
    try {
      await client.query(`SET session_replication_role = 'replica'`);
      const { rows } = await client.query(
        `UPDATE ledger_postings SET amount_minor = amount_minor + 1
          WHERE reference = $1 AND account ~ '^(liability|payout|refund|frozen):'
            AND journal_id = (SELECT max(journal_id) FROM ledger_postings
                               WHERE reference = $1 AND account ~ '^(liability|payout|refund|frozen):')
            AND position = (SELECT min(position) FROM ledger_postings AS first
                             WHERE first.reference = $1 AND first.journal_id = ledger_postings.journal_id
                               AND account ~ '^(liability|payout|refund|frozen):')
         RETURNING account`,
        [orderId],
      );
      return rows[0]?.account;
    } finally {
      await client.query(`SET session_replication_role = 'origin'`);
      client.release();
    }
  }
});
