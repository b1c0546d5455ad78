import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.js';
import { confirmInstance } from '../../src/postgres/instance.js';
import { Board } from '../../src/rates/board/board.js';
import { collect, collectJob } from '../../src/rates/board/collecting.js';
import {
  type PublishedRates,
  type RateSource,
  RateSourceFault,
  type Validators,
} from '../../src/rates/sources/rate-source.js';
import { useTestDatabase } from '../harness/test-database.js';

const { sql, database } = useTestDatabase();
beforeAll(() => confirmInstance(database, 'sandbox'));
const lines: string[] = [];
const { log } = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } });
const now = new Date('2026-11-11T12:00:00Z');
const clock = { now: () => now };
const day = (text: string) => new Date(`${text}T15:00:00Z`);

/** A source whose answers the test chooses. */
class ScriptedSource implements RateSource {
  readonly name = 'scripted';
  readonly ageLimitBusinessDays = 4;
  readonly asked: Validators[] = [];
  answer: () => Promise<PublishedRates | undefined> = async () => undefined;

  fetch(known: Validators): Promise<PublishedRates | undefined> {
    this.asked.push(known);
    return this.answer();
  }
}

let scripted: ScriptedSource;
const context = () => ({ sources: [scripted], clock, log });
beforeEach(async () => {
  scripted = new ScriptedSource();
  lines.length = 0;
  await sql.query('TRUNCATE rate_sources, current_rates, rate_history, rate_quarantine, corridor_rates');
});

async function publish(
  rates: Record<string, string>,
  publishedAt = day('2026-11-10'),
  more: { base?: string; validators?: Validators } = {},
): Promise<void> {
  const { base = 'EUR', validators = {} } = more;
  scripted.answer = async () => ({ base, publishedAt, rates: new Map(Object.entries(rates)), validators });
  await ask();
}

async function ask(): Promise<void> {
  await sql.query("UPDATE rate_sources SET due_at = '-infinity'");
  await collect(database, context(), scripted, AbortSignal.timeout(60_000));
}

const pairs = async (table: string, columns = 'rate::text') =>
  Object.fromEntries(
    (await sql.query(`SELECT currency, ${columns} AS value FROM ${table} ORDER BY currency`)).rows.map((row) => [
      row.currency,
      row.value,
    ]),
  );
const current = () => pairs('current_rates');
const held = () => pairs('rate_quarantine');
const history = async () =>
  (await sql.query('SELECT currency, rate::text FROM rate_history ORDER BY id')).rows.map(
    ({ currency, rate }) => `${currency} ${rate}`,
  );
const fault = async () => (await sql.query('SELECT fault FROM rate_sources')).rows[0].fault;

async function boardRate(from: 'EUR' | 'USD', to: 'MXN' | 'KES') {
  const board = new Board(database, [scripted], clock);
  await board.refresh();
  const found = board.midRate(from, to);
  return found && `${found.ratio.numerator}/${found.ratio.denominator}`;
}

describe('a rate that a source publishes', () => {
  it('is accepted the first time, stored with all its digits, and added to the history', async () => {
    await publish({ MXN: '20.3203', USD: '1.16840' });
    expect(await current()).toEqual({ MXN: '20.3203', USD: '1.16840' });
    expect(await history()).toEqual(['MXN 20.3203', 'USD 1.16840']);
    expect(await boardRate('EUR', 'MXN')).toBe('203203/10000');
  });

  it.each([
    ['100', '120', 'up by a fifth', true],
    ['100', '120.0000000000000000001', 'up by more', false],
    ['100', '80', 'down by a fifth', true],
    ['100', '79.999999999999999999', 'down by more', false],
    ['1.05', '1.26', 'up by a fifth, where a float would say more', true],
    ['1.05', '1.2600000000000001', 'up by a hair more', false],
    ['0.0000003', '0.00000036', 'tiny and up by a fifth', true],
    ['0.0000003', '0.00000037', 'tiny and up by more', false],
    ['20', '2000', 'a hundredfold', false],
    ['20', '0.2', 'a hundredth', false],
  ])('is compared with the one before: %s is followed by %s: %s', async (before, after, _what, isAccepted) => {
    await publish({ MXN: before }, day('2026-11-09'));
    await publish({ MXN: after }, day('2026-11-10'));
    expect(await current()).toEqual({ MXN: isAccepted ? after : before });
    expect(await held()).toEqual(isAccepted ? {} : { MXN: after });
  });

  it('is held alone while the others of the same publication are accepted', async () => {
    await publish({ MXN: '20', KES: '130', USD: '1.1' }, day('2026-11-09'));
    await publish({ MXN: '40', KES: '131', USD: '1.2' }, day('2026-11-10'));
    expect(await current()).toEqual({ MXN: '20', KES: '131', USD: '1.2' });
    expect(await held()).toEqual({ MXN: '40' });
    expect(await pairs('rate_quarantine', 'previous_rate::text')).toEqual({ MXN: '20' });
    expect(await history()).toEqual(['MXN 20', 'KES 130', 'USD 1.1', 'KES 131', 'USD 1.2']);
  });

  it('replaces the held rate when it is plausible again', async () => {
    await publish({ MXN: '20' }, day('2026-11-06'));
    await publish({ MXN: '2000' }, day('2026-11-09'));
    await publish({ MXN: '20.5' }, day('2026-11-10'));
    expect(await current()).toEqual({ MXN: '20.5' });
    expect(await held()).toEqual({});
  });

  it('replaces the held rate when it jumps again, and is held', async () => {
    await publish({ MXN: '20' }, day('2026-11-06'));
    await publish({ MXN: '2000' }, day('2026-11-09'));
    await publish({ MXN: '3000' }, day('2026-11-10'));
    expect(await current()).toEqual({ MXN: '20' });
    expect(await held()).toEqual({ MXN: '3000' });
  });

  it('is ignored when it is older than the current one', async () => {
    await publish({ MXN: '20' }, day('2026-11-10'));
    await publish({ MXN: '19' }, day('2026-11-09'));
    await publish({ MXN: '2000' }, day('2026-11-09'));
    expect(await current()).toEqual({ MXN: '20' });
    expect(await held()).toEqual({});
    expect(await history()).toEqual(['MXN 20']);
  });

  it('is not added to the history again when it has not changed', async () => {
    for (let time = 0; time < 3; time += 1) await publish({ MXN: '20', USD: '1.1' });
    expect(await history()).toEqual(['MXN 20', 'USD 1.1']);
  });

  it('is accepted when it is corrected on the same day', async () => {
    await publish({ MXN: '20' });
    await publish({ MXN: '20.1' });
    expect(await current()).toEqual({ MXN: '20.1' });
  });

  it('stays until it is too old when it is no longer published', async () => {
    await publish({ MXN: '20', KES: '130' }, day('2026-11-09'));
    await publish({ MXN: '21' }, day('2026-11-10'));
    expect(await current()).toEqual({ MXN: '21', KES: '130' });
  });

  it.each([
    ['tomorrow evening', '2026-11-12T20:00:00Z'],
    ['a year from now', '2027-11-11T12:00:00Z'],
    ['the year 2286', '2286-11-20T17:46:39Z'],
  ])('is a fault when it is dated %s: it would never be too old or replaced', async (_what, at) => {
    await publish({ MXN: '20' });
    await publish({ MXN: '21' }, new Date(at));
    expect(await fault()).toMatch(/^malformed: /);
    expect(await current()).toEqual({ MXN: '20' });
    await publish({ MXN: '20.5' }, day('2026-11-11'));
    expect(await current()).toEqual({ MXN: '20.5' });
    expect(await fault()).toBeNull();
  });

  it('is accepted when it is dated a few hours ahead, and so are later ones of the same day', async () => {
    // A day begins earlier in the east.
    await publish({ MXN: '20' }, new Date('2026-11-12T00:00:00Z'));
    await publish({ MXN: '20' }, new Date('2026-11-12T00:00:00Z'));
    expect(await current()).toEqual({ MXN: '20' });
    await publish({ MXN: '20.5' }, new Date('2026-11-11T00:00:00Z'));
    await publish({ MXN: '20.6' }, new Date('2026-11-11T11:55:00Z'));
    expect(await history()).toEqual(['MXN 20', 'MXN 20.5', 'MXN 20.6']);
  });
});

describe('a source that changes its base', () => {
  it('is accepted when its figures mean the same as before, and they are never combined with the old ones', async () => {
    await publish({ USD: '1.1', MXN: '20', KES: '140' }, day('2026-11-09'));
    // 1 USD = 18.2 MXN = 0.9 EUR: 20.2 MXN per EUR. KES is not published any more.
    await publish({ EUR: '0.9', MXN: '18.2' }, day('2026-11-10'), { base: 'USD' });
    expect(await held()).toEqual({});
    expect(await boardRate('USD', 'MXN')).toBe('182/10');
    // From what was said of KES and USD under the old base, not 140 KES per dollar.
    expect(await boardRate('EUR', 'KES')).toBe('140/1');
    expect(await boardRate('USD', 'KES')).toBe('1400/11');
  });

  it('is held when its figures mean something else', async () => {
    await publish({ USD: '1.1', MXN: '20' }, day('2026-11-09'));
    // The same figure, now of the dollar: a fifth dearer and more.
    await publish({ EUR: '0.8', MXN: '20' }, day('2026-11-10'), { base: 'USD' });
    expect((await held()).MXN).toBe('20');
    expect(await boardRate('EUR', 'MXN')).toBe('20/1');
    expect(await boardRate('USD', 'MXN')).toBe('200/11');
  });

  it('is held when the old figures cannot be converted to the new base', async () => {
    await publish({ USD: '1.1', MXN: '20' }, day('2026-11-09'));
    await publish({ MXN: '18' }, day('2026-11-10'), { base: 'USD' });
    expect(await held()).toEqual({ MXN: '18' });
    expect(await current()).toEqual({ MXN: '20', USD: '1.1' });
  });
});

describe('a source', () => {
  it('keeps its last rates and records the reason when it fails, and recovers', async () => {
    await publish({ MXN: '20' });
    scripted.answer = async () => {
      throw new RateSourceFault('bad_rate', 'The rate of MXN is not a positive decimal within bounds.');
    };
    await ask();
    expect(await fault()).toBe('bad_rate: The rate of MXN is not a positive decimal within bounds.');
    expect(await current()).toEqual({ MXN: '20' });
    expect(lines.join('')).toContain('rate source failed');
    await publish({ MXN: '20.1' });
    expect(await fault()).toBeNull();
  });

  it('is recorded as asked and changes nothing when it has nothing new', async () => {
    await publish({ MXN: '20' });
    const changed = async () => (await sql.query('SELECT checked_at, changed_at FROM rate_sources')).rows[0];
    const before = await changed();
    scripted.answer = async () => undefined;
    await ask();
    const after = await changed();
    expect(after.changed_at).toEqual(before.changed_at);
    expect(after.checked_at.getTime()).toBeGreaterThan(before.checked_at.getTime());
    expect(await history()).toEqual(['MXN 20']);
  });

  it('is asked with the validators of its last answer, also after a fault', async () => {
    await publish({ MXN: '20' }, day('2026-11-10'), { validators: { etag: '"7"', lastModified: 'yesterday' } });
    scripted.answer = async () => {
      throw new RateSourceFault('too_slow', 'The answer took longer than 15000 ms.');
    };
    await ask();
    await ask();
    expect(scripted.asked).toEqual([
      {},
      { etag: '"7"', lastModified: 'yesterday' },
      { etag: '"7"', lastModified: 'yesterday' },
    ]);
  });

  it('is asked by one of many nodes at a time, and not again before it is due', async () => {
    const signal = AbortSignal.timeout(60_000);
    await Promise.all(Array.from({ length: 6 }, () => collect(database, context(), scripted, signal)));
    expect(scripted.asked).toHaveLength(1);
    await collect(database, context(), scripted, signal);
    expect(scripted.asked).toHaveLength(1);
    const { rows } = await sql.query(
      "SELECT due_at BETWEEN clock_timestamp() + interval '9 minutes' AND clock_timestamp() + interval '10 minutes' AS soon FROM rate_sources",
    );
    expect(rows).toEqual([{ soon: true }]);
  });

  it('does not keep the others from being asked when it fails unexpectedly', async () => {
    scripted.answer = async () => {
      throw new TypeError('not a function');
    };
    const honest = (name: string): RateSource => ({
      name,
      ageLimitBusinessDays: 4,
      fetch: async () => ({
        base: 'EUR',
        publishedAt: day('2026-11-10'),
        rates: new Map([['MXN', '20']]),
        validators: {},
      }),
    });
    const job = collectJob(database, { sources: [honest('before'), scripted, honest('after')], clock, log });
    await expect(job.run(AbortSignal.timeout(60_000))).rejects.toThrow('not a function');
    const { rows } = await sql.query('SELECT source FROM current_rates ORDER BY source');
    expect(rows.map(({ source }) => source)).toEqual(['after', 'before']);
    const faults = await sql.query("SELECT fault FROM rate_sources WHERE source = 'scripted'");
    expect(faults.rows).toEqual([{ fault: 'failed: an unexpected error; see the log' }]);
  });

  it('is asked again within a minute when its answer could not be recorded', async () => {
    let recordings = 0;
    const recorded = () => {
      recordings += 1;
    };
    Object.assign(scripted, { recorded });
    await sql.query('ALTER TABLE current_rates RENAME TO hidden_rates');
    await expect(publish({ MXN: '20' })).rejects.toThrow('current_rates');
    await sql.query('ALTER TABLE hidden_rates RENAME TO current_rates');
    expect(recordings).toBe(0);
    const { rows } = await sql.query(
      "SELECT due_at < clock_timestamp() + interval '1 minute' AS soon FROM rate_sources",
    );
    expect(rows).toEqual([{ soon: true }]);
    await publish({ MXN: '20' });
    expect(recordings).toBe(1);
    scripted.answer = async () => {
      throw new RateSourceFault('malformed', 'Not a document.');
    };
    await ask();
    expect(recordings).toBe(2);
  });

  it('is asked once more when an operator makes it due while it is being asked', async () => {
    scripted.answer = async () => {
      await sql.query("UPDATE rate_sources SET due_at = '-infinity'");
      return undefined;
    };
    await collect(database, context(), scripted, AbortSignal.timeout(60_000));
    await collect(database, context(), scripted, AbortSignal.timeout(60_000));
    expect(scripted.asked).toHaveLength(2);
  });

  it('changes nothing when our own code throws, and the error is reported', async () => {
    await publish({ MXN: '20' });
    scripted.answer = async () => {
      throw new TypeError('not a function');
    };
    await expect(ask()).rejects.toThrow('not a function');
    expect(await current()).toEqual({ MXN: '20' });
  });
});
