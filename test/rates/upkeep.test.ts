import { describe, expect, it } from 'vitest';
import { userId } from '../../src/ids.js';
import { historySweepJob, quoteSweepJob, takeQuote } from '../../src/rates/service.js';
import { useRemesa } from '../harness/remesa.js';
import { told } from '../harness/users.js';
import { withoutTriggers } from '../harness/without-triggers.js';
import { useUsersRoom } from '../users/room.js';
import { dollarsToPesos, quote } from './quoting.js';
import { storeQuote } from './stored-quote.js';

describe('the job that deletes quotes', () => {
  const room = useUsersRoom();
  const hours = 3_600_000;

  it('deletes unused quotes a day after they expired, and keeps used ones', async () => {
    const { sql, database } = room;
    const merchant = room.acme.merchant;
    const give = (expiresInMs: number) => storeQuote(sql, { merchant, expiresInMs });
    const used = await give(2000);
    await database.transaction((tx) =>
      takeQuote(tx, { merchantId: merchant, userId: userId(7), code: used, takenBy: 'ord_1' }),
    );
    await withoutTriggers(sql, (client) =>
      client.query(`UPDATE quotes SET expires_at = now() - interval '30 days' WHERE taken_at IS NOT NULL`),
    );
    const open = await give(hours);
    const yesterday = await give(-24 * hours + 60_000);
    await give(-24 * hours - 1000);
    await give(-90 * 24 * hours);
    const job = quoteSweepJob(database);
    expect(await job.run(AbortSignal.timeout(60_000))).toBe(2);
    expect(await job.run(AbortSignal.timeout(60_000))).toBe(0);
    const { rows } = await sql.query('SELECT code FROM quotes');
    expect(rows.map(({ code }) => code).toSorted()).toEqual([used, open, yesterday].toSorted());
  });

  it('deletes many quotes in short batches until none is left', async () => {
    const { sql, database } = room;
    await sql.query(
      `INSERT INTO quotes (merchant_id, code, fiat_in, fiat_out, amount_in_minor, amount_out_minor, rate, mid_rate,
                           rate_source, rate_published_at, margin_basis_points, fee_minor, created_at, expires_at)
       SELECT $1, 'rt_' || lpad(n::text, 26, '0'), 'USD', 'MXN', 1, 1, 1, 1, 'ecb', now(), 0, 0,
              now() - interval '3 days', now() - interval '2 days'
         FROM generate_series(1, 2500) AS n`,
      [room.acme.merchant],
    );
    const job = quoteSweepJob(database);
    const swept: number[] = [];
    do swept.push(await job.run(AbortSignal.timeout(60_000)));
    while (swept.at(-1) !== 0);
    expect(swept).toEqual([1000, 1000, 500, 0]);
  });

  it('leaves a locked row for the next run instead of waiting for it', async () => {
    const { sql, database } = room;
    const { merchant } = room.acme;
    const code = await storeQuote(sql, { merchant, expiresInMs: -25 * hours });
    const holder = await sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM quotes WHERE merchant_id = $1 AND code = $2 FOR UPDATE', [merchant, code]);
    const job = quoteSweepJob(database);
    expect(await job.run(AbortSignal.timeout(60_000))).toBe(0);
    await holder.query('COMMIT');
    holder.release();
    expect(await job.run(AbortSignal.timeout(60_000))).toBe(1);
  });
});

describe('the job that deletes old rates', () => {
  const room = useUsersRoom();

  it('deletes rates older than 400 days, in batches, and keeps the newest of each source and currency', async () => {
    const { sql, database } = room;
    await sql.query(`
      INSERT INTO rate_history (source, currency, base, rate, published_at, recorded_at)
      SELECT 'ecb', 'MXN', 'EUR', 20, now(), now() - interval '401 days' FROM generate_series(1, 1500)
      UNION ALL SELECT 'ecb', 'MXN', 'EUR', 21, now(), now() - interval '399 days'
      UNION ALL SELECT 'ecb', 'KES', 'EUR', 140, now(), now() - interval '900 days'
      UNION ALL SELECT 'ecb', 'KES', 'EUR', 141, now(), now() - interval '800 days'
      UNION ALL SELECT 'json-1', 'KES', 'EUR', 142, now(), now() - interval '700 days'`);
    const job = historySweepJob(database);
    const swept: number[] = [];
    do swept.push(await job.run(AbortSignal.timeout(60_000)));
    while (swept.at(-1) !== 0);
    expect(swept).toEqual([1000, 501, 0]);
    const { rows } = await sql.query('SELECT source, currency, rate::text FROM rate_history ORDER BY id');
    expect(rows.map(({ source, currency, rate }) => `${source} ${currency} ${rate}`)).toEqual([
      'ecb MXN 21',
      'ecb KES 141',
      'json-1 KES 142',
    ]);
  });
});

describe('the rate limit of POST /rates', () => {
  const running = useRemesa({ settings: { QUOTES_PER_MINUTE: '5', REQUESTS_PER_MINUTE: '50' } });

  it('is separate: when it is used up, other requests and other merchants are still served', async () => {
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await quote(running));
    const last = answers.at(-1);
    expect(answers.slice(0, 5).map(({ status }) => status)).not.toContain(429);
    expect(told(last as never)).toEqual([429, 'rate_limited']);
    expect(last?.headers.get('ratelimit-policy')).toBe('"quotes";q=5;w=60');
    expect(answers[0]?.headers.get('ratelimit')).toMatch(/^"quotes";r=4;t=\d+$/);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);

    const { api, acme, rival } = running;
    const other = await api.get('/corridors?fiatIn=USD&fiatOut=MXN', { token: acme.token });
    expect(other.status).toBe(200);
    expect(other.headers.get('ratelimit-policy')).toBe('"requests";q=50;w=60');
    expect((await api.post('/rates', { token: rival.token, body: dollarsToPesos })).status).not.toBe(429);
  });

  it('does not count other requests, and their limit does not count quotes', async () => {
    const { api, rival } = running;
    const before = await api.get('/corridors?fiatIn=USD&fiatOut=MXN', { token: rival.token });
    await api.post('/rates', { token: rival.token, body: dollarsToPesos });
    const after = await api.get('/corridors?fiatIn=USD&fiatOut=MXN', { token: rival.token });
    const left = (answer: typeof before) => Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    expect(left(before) - left(after)).toBe(1);
  });
});
