/** Plays a history of a bank account against the service, and compares it with what really moved. */
import type pg from 'pg';
import { expect } from 'vitest';
import type { BankAccountService } from '../../src/bank/accounts/service.js';
import { decideTwin, listBreaks } from '../../src/bank/breaks/service.js';
import { differenceOf } from '../../src/bank/days/day.js';
import { daysOf } from '../../src/bank/days/service.js';
import type { LineSealer } from '../../src/bank/lines/content.js';
import { BankFileService } from '../../src/bank/statements/file-service.js';
import type { CurrencyCode } from '../../src/money/currency.js';
import type { Database } from '../../src/postgres/database.js';
import type { Movement } from './bank-movements.js';
import type { History } from './histories.js';
import { dayOf, days, type Event } from './history-files.js';

export const by = { actor: { kind: 'system', name: 'test' } } as const;

/** What was booked on the account, whoever says so. */
export interface Booked {
  readonly record: string;
  readonly kind: 'payment' | 'paid' | 'returned';
  /** The end-to-end id of the payout, or the reference of the payment. */
  readonly about: string;
  readonly minor: bigint;
}

/** What an operator records before a file tells it. */
export interface Typed {
  readonly bank: string;
  readonly sign: 'credit' | 'debit';
  readonly minor: number;
  readonly bookedOn: string;
  readonly reference: string;
  readonly kind: 'payment' | 'paid';
  readonly about: string;
}

/** The rooms that move money, and how a history reaches them. */
export interface Books {
  readonly database: Database;
  readonly sql: pg.Pool;
  readonly accounts: BankAccountService;
  readonly sealer: LineSealer;
  readonly currency: CurrencyCode;
  /** Reads what waits to be read, and matches what waits to be matched. */
  settle(): Promise<void>;
  bookedOn(bank: string): Promise<readonly Booked[]>;
  /** Returns what was booked; undefined when it was refused. */
  record(typed: Typed): Promise<string | undefined>;
}

export interface OpenedHistory {
  /** Of the account. Its id is the same in small letters. */
  readonly number: string;
  /** The end-to-end ids of the payouts. */
  readonly idOf: (payout: string) => string;
}

export function referenceIn({ text }: { readonly text: string }): string | undefined {
  return /H\d+IN\d+/.exec(text)?.[0];
}

export class Play {
  readonly number: string;
  readonly bank: string;
  readonly #history: History;
  readonly #books: Books;
  readonly #idOf: (payout: string) => string;
  readonly #told = new Set<number>();
  readonly #byHand = new Map<string, Movement>();

  constructor(books: Books, { number, idOf }: OpenedHistory, played: History) {
    this.#books = books;
    this.number = number;
    this.bank = number.toLowerCase();
    this.#idOf = idOf;
    this.#history = played;
  }

  async run(): Promise<void> {
    for (const event of this.#history.events({
      number: this.number,
      currency: this.#books.currency,
      idOf: this.#idOf,
    })) {
      await (event.kind === 'hand' ? this.#record(event) : this.#load(event));
      await this.#expectBookIsLines();
      await this.#expectNothingTwice();
    }
    await this.#decide();
    await this.#expectTheTruth();
  }

  async #load({ text, movements }: Extract<Event, { kind: 'file' }>): Promise<void> {
    for (const key of movements) this.#told.add(key);
    const { database, sealer } = this.#books;
    const files = new BankFileService(sealer);
    await database.transaction((tx) =>
      files.receiveFile(tx, by, { accountId: this.bank, bytes: [Buffer.from(text)], source: 'upload' }),
    );
    await this.#books.settle();
  }

  /** What a file has told already, an operator finds in the lists. */
  async #record({ movement: key, isTyped }: Extract<Event, { kind: 'hand' }>): Promise<void> {
    const movement = this.#history.movements[key];
    const [part] = movement?.parts ?? [];
    if (!movement || !part || this.#told.has(key) || part.isReturn) return;
    if (part.payout === undefined && part.reference === undefined) return;
    const isNamed = !isTyped && movement.name !== undefined && this.#history.dialect.naming === 'unique';
    const reference = isNamed && movement.parts.length === 1 ? `${movement.name}` : `typed ${key}`;
    const about = part.payout === undefined ? `${this.number}${part.reference}` : this.#idOf(part.payout);
    if (part.payout !== undefined && (await this.#isBooked(about, 'paid'))) return;
    if ([...this.#byHand.values()].some((other) => other.key === key)) return;
    const { sign, day } = movement;
    const kind = part.payout === undefined ? 'payment' : 'paid';
    const typed = { bank: this.bank, sign, minor: part.minor, bookedOn: dayOf(day), reference, kind, about } as const;
    const record = await this.#books.record(typed);
    if (record !== undefined) this.#byHand.set(record, movement);
  }

  async #isBooked(about: string, kind: string): Promise<boolean> {
    return (await this.#books.bookedOn(this.bank)).some((row) => row.about === about && row.kind === kind);
  }

  async #expectBookIsLines(): Promise<void> {
    const { rows } = await this.#books.sql.query(
      `SELECT coalesce(sum(CASE sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END), 0)::int AS sum
         FROM bank_lines JOIN bank_line_details AS detail USING (line_id) WHERE bank = $1 AND state = 'explained'`,
      [this.bank],
    );
    expect(rows[0].sum).toBe(sumOf(await this.#books.bookedOn(this.bank)));
  }

  async #expectNothingTwice(): Promise<void> {
    const booked = await this.#books.bookedOn(this.bank);
    const count = (kind: string, about: string) =>
      booked.filter((row) => row.kind === kind && row.about === about).length;
    for (const payout of [...this.#history.payouts.keys()].map(this.#idOf))
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
      const found = (await listBreaks(this.#books.database, this.bank)).find(
        ({ reason }) => reason === 'possible_duplicate',
      );
      if (!found) break;
      const lines = (await this.#lines()).filter((line) => line.isLive);
      const about = lines.find(({ id }) => id === found.lineId)?.about;
      const alike = lines.filter((line) => line.about === about);
      const isSame = alike.length > this.#history.movements.filter((each) => this.#aboutOf(each) === about).length;
      const other = alike.find(({ id }) => id !== found.lineId);
      const sameAs = isSame && other ? { sameAs: other.id } : {};
      const { database, sealer } = this.#books;
      await database.transaction((tx) =>
        decideTwin(tx, sealer, by, found.lineId, { isSame, ...sameAs, note: 'Compared.' }),
      );
      await this.#books.settle();
    }
  }

  /** Lines with what they are about, as somebody sees who reads them. */
  async #lines() {
    const { rows } = await this.#books.sql.query(
      `SELECT line_id, sign, bank_lines.amount_minor::int AS minor, booked_on::text, known_by, sealed_content,
              array_agg(detail.end_to_end_id ORDER BY number) AS ids, bool_or(state <> 'replaced') AS is_live,
              array_agg(record) AS records
         FROM bank_lines JOIN bank_line_details AS detail USING (line_id) WHERE bank = $1 GROUP BY line_id`,
      [this.bank],
    );
    const booked = await this.#books.bookedOn(this.bank);
    return rows.map((row) => {
      const content =
        row.sealed_content && this.#books.sealer.open(row.line_id, row.sealed_content).find(({ text }) => text !== '');
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
    const ids = parts.map(({ payout }) => (payout === undefined ? '' : this.#idOf(payout)));
    const [part] = parts;
    const reference = part?.reference === undefined ? undefined : `${this.number}${part.reference}`;
    return [sign, minor, dayOf(day), ids.join(), reference].join(' ');
  }

  async #expectTheTruth(): Promise<void> {
    const live = (await this.#lines()).filter((line) => line.isLive).map(({ about }) => about);
    expect(live.sort()).toEqual(this.#history.movements.map((movement) => this.#aboutOf(movement)).sort());
    const booked = await this.#books.bookedOn(this.bank);
    for (const reference of this.#references()) {
      const paid = booked.filter(({ kind, about }) => kind === 'payment' && about === reference);
      expect(paid).toHaveLength(this.#paymentsOf(reference).length);
    }
    const debited = new Set(this.#history.movements.flatMap(({ sign, parts }) => (sign === 'debit' ? parts : [])));
    const paid = booked.filter(({ kind }) => kind === 'paid').map(({ about }) => about);
    const ids = [...debited].flatMap(({ payout }) => (payout === undefined ? [] : this.#idOf(payout)));
    expect(paid.sort()).toEqual([...new Set(ids)].sort());
    await this.#expectClosedDays(sumOf(booked));
  }

  async #expectClosedDays(held: number): Promise<void> {
    const asked = { accountId: this.bank, from: dayOf(0), to: dayOf(days) };
    const { days: found } = await daysOf(this.#books.accounts, this.#books.database, asked);
    const last = this.#history.closing[days - 1] ?? 0;
    const open = (await listBreaks(this.#books.database, this.bank)).reduce(
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
