/**
 * Random histories of bank accounts against what really moved: whatever the files of a bank repeat, damage or leave
 * out, each movement is one line, booked once, and no payout is paid twice.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { BankAccountService } from '../../src/bank/accounts/service.js';
import { decideTwin, listBreaks } from '../../src/bank/breaks/service.js';
import { differenceOf } from '../../src/bank/days/day.js';
import { daysOf } from '../../src/bank/days/service.js';
import { LineSealer } from '../../src/bank/lines/content.js';
import { explainReported, takeBankLine } from '../../src/bank/lines/service.js';
import { matchJobOf } from '../../src/bank/matching/jobs.js';
import type { LineTaker, ReportedMovement } from '../../src/bank/matching/taker.js';
import { fileJobOf } from '../../src/bank/statements/file-job.js';
import { BankFileService } from '../../src/bank/statements/file-service.js';
import { statement, type Transaction } from '../../src/postgres/statement.js';
import { rounds } from '../harness/rounds.js';
import { silentLog } from '../harness/silent-log.js';
import { useTestDatabase } from '../harness/test-database.js';
import type { Movement } from './bank-movements.js';
import { type History, history } from './histories.js';
import { dayOf, days, type Event, endToEndIdOf } from './history-files.js';

const { database, sql } = useTestDatabase();
const accounts = new BankAccountService({ hasSimulated: false });
const sealer = new LineSealer(Buffer.alloc(32, 7));
const service = new BankFileService(sealer);
const by = { actor: { kind: 'system', name: 'test' } } as const;
const currency = 'MXN' as const;
const idle = new AbortController().signal;

/** The rooms that move money, as far as a bank sees them: each payout is paid and comes back once. */
const book = statement(
  'test.book',
  'INSERT INTO booked (bank, record, kind, about, minor) VALUES ($bank, $record, $kind, $about, $minor)',
);
const listBooked = statement(
  'test.booked',
  'SELECT record, kind, about, minor FROM booked WHERE bank = $bank ORDER BY record',
).rows<{ record: string; kind: string; about: string; minor: bigint }>();

beforeAll(async () => {
  await sql.query(`CREATE TABLE booked (bank text, record text, kind text, about text, minor bigint,
    UNIQUE (bank, record))`);
  await sql.query('CREATE INDEX ON booked (bank, about)');
});

const bookedOn = (bank: string) => database.query(listBooked, { bank });
let payouts: ReadonlyMap<string, number> = new Map();

const taker: LineTaker = {
  async take(_, movement) {
    const fit = payouts.has(movement.endToEndId ?? '') ? await payoutOf(movement) : paymentOf(movement);
    if (!fit || 'reason' in fit) return fit;
    const { account, sign, amount } = movement;
    const bank = account.accountId;
    const record = `${fit.kind}:${movement.lineId}.${movement.number}`;
    await database.transaction(async (tx) => {
      await explainReported(tx, movement, record);
      const minor = sign === 'credit' ? amount.minor : -amount.minor;
      await tx.query(book, { bank, record, kind: fit.kind, about: fit.about, minor });
    });
    return { explainedBy: record };
  },
};

type Fit = { readonly kind: string; readonly about: string } | { readonly reason: string };

async function payoutOf({ account, sign, amount, endToEndId = '' }: ReportedMovement): Promise<Fit> {
  const booked = await bookedOn(account.accountId);
  const before = booked.filter(({ about }) => about === endToEndId).map(({ kind }) => kind);
  if (BigInt(payouts.get(endToEndId) ?? 0) !== amount.minor) return { reason: 'payout_amount' };
  const kind = sign === 'debit' ? 'paid' : 'returned';
  if (before.includes(kind)) return { reason: `payout_${kind}_before` };
  if (kind === 'returned' && !before.includes('paid')) return { reason: 'return_before_debit' };
  return { kind, about: endToEndId };
}

function paymentOf(movement: ReportedMovement): Fit | undefined {
  const about = movement.sign === 'credit' && !movement.isReturn ? referenceIn(movement) : undefined;
  return about === undefined ? undefined : { kind: 'payment', about };
}

function referenceIn({ text }: Pick<ReportedMovement, 'text'>): string | undefined {
  return /H\d+IN\d+/.exec(text)?.[0];
}

const reading = fileJobOf({ database, accounts, sealer, log: silentLog });
const matching = matchJobOf({
  database,
  accounts,
  sealer,
  takers: () => [taker],
  payments: () => undefined,
  log: silentLog,
});

async function settle(): Promise<void> {
  while ((await reading.run(idle)) > 0);
  while ((await matching.run(idle)) > 0);
}

let histories = 0;

async function openAccount(): Promise<string> {
  histories += 1;
  const number = `H${histories}`;
  const terms = { holder: 'Remesa', address: undefined, bankName: 'Bank', country: 'MX', number, bic: undefined };
  const more = {
    uses: ['payin', 'payout'],
    profile: 'plain',
    timeZone: undefined,
    csv: undefined,
    releaseUpTo: undefined,
  } as const;
  const added = { ...terms, ...more, accountId: number.toLowerCase(), currency, merchant: undefined };
  await database.transaction((tx) => accounts.create(tx, by, added));
  return number;
}

class Play {
  readonly number: string;
  readonly bank: string;
  readonly #history: History;
  readonly #told = new Set<number>();
  readonly #byHand = new Map<string, Movement>();

  constructor(number: string, played: History) {
    this.number = number;
    this.bank = number.toLowerCase();
    this.#history = played;
    payouts = new Map([...played.payouts].map(([payout, minor]) => [endToEndIdOf(number, payout), minor]));
  }

  async run(): Promise<void> {
    for (const event of this.#history.events({ number: this.number, currency })) {
      await (event.kind === 'hand' ? this.#record(event) : this.#load(event));
      await this.#expectBookIsLines();
      await this.#expectNothingTwice();
    }
    await this.#decide();
    await this.#expectTheTruth();
  }

  async #load({ text, movements }: Extract<Event, { kind: 'file' }>): Promise<void> {
    for (const key of movements) this.#told.add(key);
    await database.transaction((tx) =>
      service.receiveFile(tx, by, { accountId: this.bank, bytes: [Buffer.from(text)], source: 'upload' }),
    );
    await settle();
  }

  /** What a file has told already, an operator finds in the lists. */
  async #record({ movement: key, isTyped }: Extract<Event, { kind: 'hand' }>): Promise<void> {
    const movement = this.#history.movements[key];
    const [part] = movement?.parts ?? [];
    if (!movement || !part || this.#told.has(key) || part.isReturn) return;
    if (part.payout === undefined && part.reference === undefined) return;
    const isNamed = !isTyped && movement.name !== undefined && this.#history.dialect.naming === 'unique';
    const reference = isNamed && movement.parts.length === 1 ? `${movement.name}` : `typed ${key}`;
    const about =
      part.payout === undefined ? `${this.number}${part.reference}` : endToEndIdOf(this.number, part.payout);
    if (part.payout !== undefined && (await this.#isBooked(about, 'paid'))) return;
    if ([...this.#byHand.values()].some((other) => other.key === key)) return;
    const { sign, day } = movement;
    const record = `${part.payout === undefined ? 'payment' : 'paid'}:hand ${this.number} ${key}`;
    const line = { bank: this.bank, currency, sign, amountMinor: BigInt(part.minor), bookedOn: dayOf(day), reference };
    const named = part.payout === undefined ? {} : { endToEndId: about };
    await database.transaction(async (tx: Transaction) => {
      await takeBankLine(tx, { ...line, ...named, source: 'hand' }, record);
      const minor = BigInt(sign === 'credit' ? part.minor : -part.minor);
      const kind = part.payout === undefined ? 'payment' : 'paid';
      await tx.query(book, { bank: this.bank, record, kind, about, minor });
    });
    this.#byHand.set(record, movement);
  }

  async #isBooked(about: string, kind: string): Promise<boolean> {
    return (await bookedOn(this.bank)).some((row) => row.about === about && row.kind === kind);
  }

  async #expectBookIsLines(): Promise<void> {
    const { rows } = await sql.query(
      `SELECT coalesce(sum(CASE sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END), 0)::int AS sum
         FROM bank_lines JOIN bank_line_details AS detail USING (line_id) WHERE bank = $1 AND state = 'explained'`,
      [this.bank],
    );
    expect(rows[0].sum).toBe(sumOf(await bookedOn(this.bank)));
  }

  async #expectNothingTwice(): Promise<void> {
    const booked = await bookedOn(this.bank);
    const count = (kind: string, about: string) =>
      booked.filter((row) => row.kind === kind && row.about === about).length;
    for (const payout of payouts.keys())
      expect([payout, count('paid', payout) <= 1, count('returned', payout) <= 1]).toEqual([payout, true, true]);
    for (const reference of this.#references())
      expect(count('payment', reference)).toBeLessThanOrEqual(this.#paymentsOf(reference).length);
  }

  #references(): Set<string> {
    const parts = this.#history.movements.flatMap(({ parts }) => parts);
    return new Set(parts.flatMap(({ reference }) => (reference === undefined ? [] : `${this.number}${reference}`)));
  }

  #paymentsOf(reference: string): Movement[] {
    return this.#history.movements.filter(({ parts }) => `${this.number}${parts[0]?.reference}` === reference);
  }

  /** Operators compare the two and know what the bank really did. */
  async #decide(): Promise<void> {
    for (;;) {
      const found = (await listBreaks(database, this.bank)).find(({ reason }) => reason === 'possible_duplicate');
      if (!found) break;
      const lines = (await this.#lines()).filter((line) => line.isLive);
      const about = lines.find(({ id }) => id === found.lineId)?.about;
      const alike = lines.filter((line) => line.about === about);
      const isSame = alike.length > this.#history.movements.filter((each) => this.#aboutOf(each) === about).length;
      const other = alike.find(({ id }) => id !== found.lineId);
      const sameAs = isSame && other ? { sameAs: other.id } : {};
      await database.transaction((tx) =>
        decideTwin(tx, sealer, by, found.lineId, { isSame, ...sameAs, note: 'Compared.' }),
      );
      await settle();
    }
  }

  /** Lines with what they are about, as somebody sees who reads them. */
  async #lines() {
    const { rows } = await sql.query(
      `SELECT line_id, sign, bank_lines.amount_minor::int AS minor, booked_on::text, known_by, sealed_content,
              array_agg(detail.end_to_end_id ORDER BY number) AS ids, bool_or(state <> 'replaced') AS is_live,
              array_agg(record) AS records
         FROM bank_lines JOIN bank_line_details AS detail USING (line_id) WHERE bank = $1 GROUP BY line_id`,
      [this.bank],
    );
    const booked = await bookedOn(this.bank);
    return rows.map((row) => {
      const content = row.sealed_content && sealer.open(row.line_id, row.sealed_content)[0];
      const record = booked.find((each) => row.records.includes(each.record) && each.kind === 'payment');
      const reference = record?.about ?? (content && referenceIn(content));
      const found = row.records.map((each: string) => this.#byHand.get(each)).find(Boolean);
      const hand = found?.parts[0]?.payout === undefined ? found : undefined;
      // A line that was recorded by hand may have two names: its own, and that of the movement that a statement found.
      const named = this.#history.movements.filter(
        ({ name }) => this.#history.dialect.naming === 'unique' && row.known_by.includes(name),
      );
      const movement = hand ?? named.find(({ day }) => dayOf(day) === row.booked_on) ?? named[0];
      const about = movement
        ? this.#aboutOf(movement)
        : [row.sign, row.minor, row.booked_on, row.ids.map((id: string | null) => id ?? '').join(), reference].join(
            ' ',
          );
      return { id: row.line_id as string, isLive: row.is_live as boolean, about };
    });
  }

  #aboutOf({ sign, minor, day, parts }: Movement): string {
    const ids = parts.map(({ payout }) => (payout === undefined ? '' : endToEndIdOf(this.number, payout)));
    const [part] = parts;
    const reference = part?.reference === undefined ? undefined : `${this.number}${part.reference}`;
    return [sign, minor, dayOf(day), ids.join(), reference].join(' ');
  }

  async #expectTheTruth(): Promise<void> {
    const live = (await this.#lines()).filter((line) => line.isLive).map(({ about }) => about);
    expect(live.sort()).toEqual(this.#history.movements.map((movement) => this.#aboutOf(movement)).sort());
    const booked = await bookedOn(this.bank);
    for (const reference of this.#references()) {
      const paid = booked.filter(({ kind, about }) => kind === 'payment' && about === reference);
      expect(paid).toHaveLength(this.#paymentsOf(reference).length);
    }
    const debited = new Set(this.#history.movements.flatMap(({ sign, parts }) => (sign === 'debit' ? parts : [])));
    const paid = booked.filter(({ kind }) => kind === 'paid').map(({ about }) => about);
    const ids = [...debited].flatMap(({ payout }) => (payout === undefined ? [] : endToEndIdOf(this.number, payout)));
    expect(paid.sort()).toEqual([...new Set(ids)].sort());
    await this.#expectClosedDays(sumOf(booked));
  }

  async #expectClosedDays(held: number): Promise<void> {
    const asked = { accountId: this.bank, from: dayOf(0), to: dayOf(days) };
    const { days: found } = await daysOf(accounts, database, asked);
    const last = this.#history.closing[days - 1] ?? 0;
    const open = (await listBreaks(database, this.bank)).reduce(
      (sum, { sign, amountMinor }) => sum + (sign === 'credit' ? Number(amountMinor) : -Number(amountMinor)),
      0,
    );
    expect(held).toBe(last - open);
    for (let day = 0; day < days; day += 1) {
      const ofDay = found.filter(({ statement: each }) => each.day === dayOf(day));
      expect(ofDay.length).toBeGreaterThan(0);
      for (const { statement: each } of ofDay) {
        expect(Number(each.ledgerMinor)).toBe((this.#history.closing[day] ?? 0) - Number(each.breaksMinor));
        expect(differenceOf(each)).toBe(0n);
      }
      const faults = ofDay.flatMap((each) => each.faults);
      if (!this.#history.hasOverlaps) expect([day, ...faults]).toEqual([day]);
    }
  }
}

function sumOf(booked: readonly { readonly minor: bigint }[]): number {
  return booked.reduce((sum, { minor }) => sum + Number(minor), 0);
}

it('books each movement of a bank once, whatever its files repeat, damage or leave out', {
  timeout: 14_400_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async (played) => {
      const number = await openAccount();
      await new Play(number, played).run();
    }),
    // The same histories in each `npm test`; others in each run of the fault tests.
    { numRuns: rounds(30, 20_000), ...rounds({ seed: 20_261_116 }, {}) },
  );
});
