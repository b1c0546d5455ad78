import { expect, it } from 'vitest';
import { merchantId, newPublicId } from '../../src/ids.js';
import { amount } from '../../src/money/amount.js';
import { type Rate, rateFromLiteral } from '../../src/money/rate.js';
import type { QuoteTerms } from '../../src/rates/quote.js';
import { QuoteWriter } from '../../src/rates/quote-writer.js';

const rate = rateFromLiteral('19.5') as Rate;
const at = new Date('2026-11-15T09:30:00Z');

function newTerms(): QuoteTerms {
  const [code, merchant] = [newPublicId('rt'), merchantId(1)];
  const amounts = { amountIn: amount('EUR', 100n), amountOut: amount('MXN', 1950n), fee: amount('EUR', 0n) };
  const source = { rateSource: 'ecb', ratePublishedAt: at, marginBasisPoints: 0, lifetimeSeconds: 60 };
  return { code, merchantId: merchant, userId: undefined, ...amounts, rate, midRate: rate, ...source };
}

/** A writer whose statements end when the test ends them: each with its rows, or with a failure. */
function controlled() {
  const inserts: { codes: readonly string[]; end(): void; fail(): void }[] = [];
  const write = (_statement: unknown, { codes }: { codes: readonly string[] }) =>
    new Promise((resolve, reject) => {
      // The rows of an INSERT have no order.
      const rows = codes.map((code) => ({ code, created_at: at, expires_at: at })).reverse();
      inserts.push({ codes, end: () => resolve(rows), fail: () => reject(new Error('away')) });
    });
  return { inserts, writer: new QuoteWriter({ write } as never, { isDistributed: false }) };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

it('quotes of one moment share an INSERT, at most two run at once, and each gets its own row', async () => {
  const { inserts, writer } = controlled();
  const [first, second, ...others] = Array.from({ length: 5 }, newTerms) as [QuoteTerms, QuoteTerms, ...QuoteTerms[]];
  const written = [first, second].map((terms) => writer.write(terms));
  await turn();
  for (const terms of others) {
    written.push(writer.write(terms));
    await turn();
  }
  const [third, ...waiting] = others.map(({ code }) => code);
  expect(inserts.map(({ codes }) => codes)).toEqual([[first.code, second.code], [third]]);
  inserts[1]?.end();
  await turn();
  expect(inserts[2]?.codes).toEqual(waiting);
  for (const insert of inserts) insert.end();
  expect((await Promise.all(written)).map(({ code }) => code)).toEqual([first.code, second.code, third, ...waiting]);
});

it('an INSERT that fails rejects its own quotes, and the next ones are written', async () => {
  const { inserts, writer } = controlled();
  const failing = [newTerms(), newTerms()].map((terms) => writer.write(terms));
  await turn();
  inserts[0]?.fail();
  for (const each of failing) await expect(each).rejects.toThrow('away');
  const next = newTerms();
  const written = writer.write(next);
  await turn();
  inserts[1]?.end();
  expect((await written).code).toBe(next.code);
});
