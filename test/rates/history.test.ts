/** The rates of the past, by day and by hour. */
import { beforeAll, expect, it } from 'vitest';
import { periodsIn } from '../../src/rates/history/periods.js';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa({ hasRates: true });
const dayMs = 86_400_000;
const today = new Date(Math.floor(Date.now() / dayMs) * dayMs);
const daysAgo = (days: number, hours = 0) => new Date(today.getTime() - days * dayMs + hours * 3_600_000);

interface Historic {
  readonly start: string;
  readonly midMarketRate: number;
  readonly rateSource: string;
  readonly ratePublishedAt: string;
}

const ask = (query: string) =>
  running.api.get(`/rates/history?fiatIn=USD&fiatOut=MXN${query}`, { token: running.acme.token });
const history = async (query = ''): Promise<Historic[]> => done(await ask(query));

beforeAll(async () => {
  const known = await running.sql.query("SELECT source, base FROM current_rates WHERE currency = 'MXN'");
  const { source, base } = known.rows[0];
  await running.sql.query('DELETE FROM rate_history');
  const publish = async (currency: string, rate: string, at: Date) =>
    running.sql.query(
      'INSERT INTO rate_history (source, currency, base, rate, published_at, recorded_at) VALUES ($1, $2, $3, $4, $5, $5)',
      [source, currency, base, rate, at],
    );
  // The base may be one of the two currencies.
  for (const currency of ['USD', 'EUR'].filter((each) => each !== base)) await publish(currency, '1.25', daysAgo(20));
  const mxn = base === 'USD' ? ['17', '18', '18.5', '16'] : ['21.25', '22.5', '23.125', '20'];
  await publish('MXN', mxn[0] as string, daysAgo(5, 10));
  await publish('MXN', mxn[1] as string, daysAgo(3, 9));
  await publish('MXN', mxn[2] as string, daysAgo(3, 11));
  await publish('MXN', mxn[3] as string, daysAgo(1, 12));
});

it('each day has the last rate that was known at its end, across the base, exactly', async () => {
  const rates = await history(`&from=${daysAgo(6).toISOString()}&to=${today.toISOString()}`);
  expect(rates.map(({ start, midMarketRate }) => [start, midMarketRate])).toEqual([
    [daysAgo(5).toISOString(), 17],
    [daysAgo(4).toISOString(), 17],
    [daysAgo(3).toISOString(), 18.5],
    [daysAgo(2).toISOString(), 18.5],
    [daysAgo(1).toISOString(), 16],
  ]);
});

it('each hour has its own, and the current day or hour has the rate of now', async () => {
  const hours = await history(`&by=hour&from=${daysAgo(3, 8).toISOString()}&to=${daysAgo(3, 12).toISOString()}`);
  expect(hours.map(({ midMarketRate }) => midMarketRate)).toEqual([17, 18, 18, 18.5]);
  const [last] = (await history()).slice(-1);
  expect([last?.start.slice(0, 10), last?.midMarketRate]).toEqual([new Date().toISOString().slice(0, 10), 16]);
});

it('pages have each day once, the oldest first', async () => {
  const range = `&from=${daysAgo(5).toISOString()}&to=${today.toISOString()}&limit=2`;
  const starts: string[] = [];
  for (let path = `/rates/history?fiatIn=USD&fiatOut=MXN${range}`; path; ) {
    const answer = await running.api.get(path, { token: running.acme.token });
    starts.push(...done(answer).map(({ start }: Historic) => start));
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(starts).toEqual([5, 4, 3, 2, 1].map((days) => daysAgo(days).toISOString()));
});

it('a range that is too long, a time that does not exist and a pair without a corridor are refused', async () => {
  const faults = async (query: string) => (await ask(query)).json.errors?.[0];
  expect(await faults(`&from=${daysAgo(401).toISOString()}`)).toMatchObject({ field: 'from', code: 'out_of_range' });
  expect(await faults(`&by=hour&from=${daysAgo(32).toISOString()}`)).toMatchObject({ field: 'from' });
  expect(await faults('&from=2026-02-30T00:00:00Z')).toMatchObject({ field: 'from', code: 'wrong_format' });
  const pair = '/rates/history?fiatIn=MXN&fiatOut=JPY';
  expect((await running.api.get(pair, { token: running.acme.token })).json.code).toBe('corridor_unavailable');
});

it('periods begin in the range and end at the latest now', () => {
  const now = new Date('2026-11-15T09:30:00Z');
  const starts = (from: string, to: string | undefined, by: 'day' | 'hour' = 'day') =>
    periodsIn({ by, from: new Date(from), to: to === undefined ? undefined : new Date(to) }, now)?.map(
      ({ start, end }) => [start, end].map((at) => at.toISOString().slice(8, 16)).join(' '),
    );
  expect(starts('2026-11-13T00:00:00Z', undefined)).toEqual([
    '13T00:00 14T00:00',
    '14T00:00 15T00:00',
    '15T00:00 15T09:30',
  ]);
  expect(starts('2026-11-13T00:00:01Z', '2026-11-15T00:00:00Z')).toEqual(['14T00:00 15T00:00']);
  expect(starts('2026-11-15T08:00:00Z', '2030-01-01T00:00:00Z', 'hour')).toEqual([
    '15T08:00 15T09:00',
    '15T09:00 15T09:30',
  ]);
  expect(starts('2026-11-16T00:00:00Z', undefined)).toEqual([]);
});
