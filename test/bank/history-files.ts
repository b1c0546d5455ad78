/** The files in which a bank tells what it booked: repeated, overlapping, out of order, a fifth of them damaged. */
import type { Dialect, Movement } from './bank-movements.js';
import { type CamtDetail, type CamtEntry, type CamtStatement, camt } from './camt.js';

export type Event =
  | { readonly kind: 'file'; readonly text: string; readonly movements: readonly number[] }
  /** An operator records a movement before a file tells it; `isTyped`: without the name that the bank gives it. */
  | { readonly kind: 'hand'; readonly movement: number; readonly isTyped: boolean };

export const days = 4;
export const dayOf = (day: number) => `2026-11-${String(16 + day).padStart(2, '0')}`;

export interface Telling {
  readonly kind: 'statement' | 'report' | 'notification' | 'two_days' | 'sent_again' | 'hand';
  readonly pick: number;
  readonly isTyped: boolean;
  /** A file in five is damaged. */
  readonly damage: number;
  readonly at: number;
}

export function eventOf(files: Files, movements: readonly Movement[], asked: Telling): Event | undefined {
  const { kind, pick, isTyped } = asked;
  const day = pick % days;
  const some = movements[pick % movements.length];
  if (kind === 'hand') return some && { kind: 'hand', movement: some.key, isTyped };
  const written = () => {
    if (kind === 'report') return files.report(day, pick);
    if (kind === 'notification') return some && files.notification(some);
    if (kind === 'two_days') return files.statement(Math.min(day, days - 2), Math.min(day, days - 2) + 1, `T${day}`);
    return files.statement(day, day, kind === 'sent_again' ? `S${day}-${pick}` : `S${day}`);
  };
  const file = written();
  if (file?.kind !== 'file' || asked.damage > 4) return file;
  return { ...file, text: damaged(file.text, asked.damage, asked.at) };
}

/** The account that a bank tells about, and what its owner calls payouts. */
export interface FileAccount {
  readonly number: string;
  readonly currency: string;
  readonly idOf: (payout: string) => string;
}

const decimal = (minor: number) => (minor / 100).toFixed(2);
let files = 0;

export class Files {
  readonly #dialect: Dialect;
  readonly #movements: readonly Movement[];
  readonly #closing: readonly number[];
  readonly #account: FileAccount;

  constructor(dialect: Dialect, movements: readonly Movement[], closing: readonly number[], account: FileAccount) {
    this.#dialect = dialect;
    this.#movements = movements;
    this.#closing = closing;
    this.#account = account;
  }

  statement(from: number, to: number, id: string): Event {
    const told = this.#movements.filter(({ day }) => day >= from && day <= to);
    const balances = [this.#closing[from - 1] ?? 0, this.#closing[to] ?? 0].map(decimal) as [string, string];
    return this.#file(told, {
      kind: '053',
      id,
      on: dayOf(to),
      balances,
      entries: told.map((each) => this.#entry(each)),
    });
  }

  /** What was booked until then. */
  report(day: number, pick: number): Event {
    const ofDay = this.#movements.filter((movement) => movement.day === day);
    const told = ofDay.slice(0, 1 + (pick % Math.max(1, ofDay.length)));
    return this.#early(told, '052', day);
  }

  notification(movement: Movement): Event {
    return this.#early([movement], '054', movement.day);
  }

  #early(told: readonly Movement[], kind: '052' | '054', day: number): Event {
    const { hasEarlyDays, namesEarly, hasEarlyTexts, naming } = this.#dialect;
    // Without a name, a movement on another day is another one.
    const isEarly = hasEarlyDays && kind === '054' && namesEarly && naming === 'unique';
    const entries = told.map((movement) => {
      const { reference, ...entry } = this.#entry(movement, hasEarlyTexts ? '' : 'Prov ');
      const on = isEarly ? dayOf(movement.day - 1) : dayOf(movement.day);
      return namesEarly && reference !== undefined ? { ...entry, reference, on } : { ...entry, on };
    });
    files += 1;
    return this.#file(told, { kind, id: `E${files}`, on: dayOf(day), entries });
  }

  #file(told: readonly Movement[], statement: Omit<CamtStatement, 'currency' | 'number'>): Event {
    return {
      kind: 'file',
      text: camt({ number: this.#account.number, currency: this.#account.currency, ...statement }),
      movements: told.map(({ key }) => key),
    };
  }

  #entry({ day, sign, minor, code, isReversal, name, parts }: Movement, before = ''): CamtEntry {
    const details = parts.map((part): CamtDetail => {
      const amount = parts.length > 1 ? { amount: decimal(part.minor) } : {};
      if (part.payout !== undefined)
        return { ...amount, endToEndId: this.payoutOf(part.payout), ...(part.isReturn ? { returned: 'AC04' } : {}) };
      if (part.reference !== undefined)
        return { payer: 'Ana Reyes', text: `${before}${this.referenceOf(part.reference)} thanks` };
      return { text: `${before}Fee or own money` };
    });
    const [direction, reference] = [sign === 'credit' ? 'CRDT' : 'DBIT', name === undefined ? {} : { reference: name }];
    return {
      amount: decimal(minor),
      sign: direction as 'CRDT' | 'DBIT',
      on: dayOf(day),
      code,
      isReversal,
      details,
      ...reference,
    };
  }

  payoutOf(payout: string): string {
    return this.#account.idOf(payout);
  }

  referenceOf(reference: string): string {
    return `${this.#account.number}${reference}`;
  }
}

/** Structure is lost, and with it an entry or all that follow. A text that says something else is no damage. */
function damaged(text: string, damage: number, at: number): string {
  const entries = text.split('<Ntry>');
  const index = 1 + (at % Math.max(1, entries.length - 1));
  const entry = entries[index];
  if (damage === 0 || entry === undefined) return text.slice(0, 1 + (at % (text.length - 1)));
  const hurt = {
    1: entry.replace(/<Amt ([^>]*)>[^<]*/, '<Amt $1>1o0.00'),
    2: entry.replace(/<CdtDbtInd>[^<]*<\/CdtDbtInd>/, ''),
    3: entry.replace('</Amt>', ''),
    4: entry.replace(/<BookgDt>.*?<\/BookgDt>/, '<BookgDt><Dt>20261116\u0001</Dt></BookgDt>'),
  }[damage];
  return entries.map((piece, position) => (position === index ? (hurt ?? piece) : piece)).join('<Ntry>');
}
