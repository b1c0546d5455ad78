/**
 * Random histories of a bank account: what moved, and the files in which the bank tells it. Knows nothing of how lines
 * are identified or matched.
 */
import fc from 'fast-check';
import { type CamtDetail, type CamtEntry, type CamtStatement, camt } from './camt.js';

/** How the bank names entries: never, uniquely, or with numbers that begin again in each statement. */
export type Naming = 'none' | 'unique' | 'per_day';

export interface Dialect {
  readonly naming: Naming;
  /** Whether reports within the day and notifications have the names too. */
  readonly namesEarly: boolean;
  /** Whether notifications have another day than the statement. */
  readonly hasEarlyDays: boolean;
  /** Whether the text of a payment is complete before the statement. */
  readonly hasEarlyTexts: boolean;
}

export interface Part {
  readonly minor: number;
  /** The payout that is debited or comes back. */
  readonly payout?: string;
  /** The reference of a payment to us. */
  readonly reference?: string;
  readonly isReturn?: boolean;
}

export interface Movement {
  readonly key: number;
  readonly day: number;
  readonly sign: 'credit' | 'debit';
  readonly minor: number;
  readonly code: string;
  readonly isReversal: boolean;
  readonly name: string | undefined;
  readonly parts: readonly Part[];
}

export type Event =
  | { readonly kind: 'file'; readonly text: string; readonly movements: readonly number[] }
  /** An operator records a movement before a file tells it; `isTyped`: without the name that the bank gives it. */
  | { readonly kind: 'hand'; readonly movement: number; readonly isTyped: boolean };

export interface History {
  readonly dialect: Dialect;
  readonly movements: readonly Movement[];
  readonly payouts: ReadonlyMap<string, number>;
  readonly events: (account: { readonly number: string; readonly currency: string }) => Event[];
  /** In minor units, by the number of the day. */
  readonly closing: readonly number[];
  readonly hasOverlaps: boolean;
  /** For whoever reads a failure. */
  readonly told: string;
}

export const days = 4;
export const dayOf = (day: number) => `2026-11-${String(16 + day).padStart(2, '0')}`;

const kinds = [
  'payment',
  'payment',
  'payment_again',
  'payout',
  'payout',
  'batch',
  'debited_again',
  'returned',
] as const;
const others = ['fee', 'fee', 'fee_reversed', 'own_money'] as const;

interface Step {
  readonly kind: (typeof kinds)[number] | (typeof others)[number];
  readonly day: number;
  readonly size: number;
  readonly pick: number;
}

interface Telling {
  readonly kind: 'statement' | 'report' | 'notification' | 'two_days' | 'sent_again' | 'hand';
  readonly pick: number;
  readonly isTyped: boolean;
  /** A file in five is damaged. */
  readonly damage: number;
  readonly at: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds, ...others),
  day: fc.nat({ max: days - 1 }),
  size: fc.nat({ max: 2 }),
  pick: fc.nat({ max: 1000 }),
});

const telling: fc.Arbitrary<Telling> = fc.record({
  kind: fc.constantFrom('statement', 'report', 'notification', 'notification', 'two_days', 'sent_again', 'hand'),
  pick: fc.nat({ max: 1000 }),
  isTyped: fc.boolean(),
  damage: fc.nat({ max: 24 }),
  at: fc.nat({ max: 100_000 }),
});

export const history: fc.Arbitrary<History> = fc
  .record({
    dialect: fc.record({
      naming: fc.constantFrom<Naming>('none', 'unique', 'per_day'),
      namesEarly: fc.boolean(),
      hasEarlyDays: fc.boolean(),
      hasEarlyTexts: fc.boolean(),
    }),
    steps: fc.array(step, { minLength: 1, maxLength: 9 }),
    tellings: fc.array(telling, { maxLength: 10 }),
    lastOrder: fc.array(fc.nat({ max: 1000 }), { minLength: days, maxLength: days }),
  })
  .map(({ dialect, steps, tellings, lastOrder }) => historyOf(dialect, steps, tellings, lastOrder));

function historyOf(
  dialect: Dialect,
  steps: readonly Step[],
  tellings: readonly Telling[],
  lastOrder: readonly number[],
): History {
  const { movements, payouts } = movementsOf(dialect, steps);
  const closing = Array.from({ length: days }, (_, day) =>
    movements.reduce(
      (sum, { day: on, sign, minor }) => sum + (on <= day ? (sign === 'credit' ? minor : -minor) : 0),
      0,
    ),
  );
  const hasOverlaps = tellings.some(({ kind }) => kind === 'two_days');
  const told = tellings
    .map(({ kind, pick, damage, at, isTyped }) => `${kind} ${pick}${damage > 4 ? '' : ` damage ${damage} at ${at}`} ${isTyped}`)
    .join('; ');
  return { dialect, movements, payouts, closing, hasOverlaps, told, events };

  function events(account: { readonly number: string; readonly currency: string }): Event[] {
    const files = new Files(dialect, movements, closing, account);
    const told = tellings.flatMap((each) => eventOf(files, movements, each) ?? []);
    const all = Array.from({ length: days }, (_, day) => day).sort((a, b) => (lastOrder[a] ?? 0) - (lastOrder[b] ?? 0));
    return [...told, ...all.map((day) => files.statement(day, day, `S${day}`))];
  }
}

function movementsOf({ naming }: Dialect, steps: readonly Step[]) {
  const payouts = new Map<string, number>();
  const debited: { payout: string; minor: number; day: number }[] = [];
  const payments: { reference: string; minor: number; day: number }[] = [];
  const fees: { minor: number; day: number }[] = [];
  const movements: Movement[] = [];
  const add = (day: number, sign: Movement['sign'], code: string, parts: readonly Part[], isReversal = false) => {
    const key = movements.length;
    const ofDay = movements.filter((each) => each.day === day).length;
    const name = { none: undefined, unique: `R${key}`, per_day: `${ofDay + 1}` }[naming];
    const minor = parts.reduce((sum, part) => sum + part.minor, 0);
    movements.push({ key, day, sign, minor, code, isReversal, name, parts });
  };
  const newPayout = (day: number, minor: number): Part => {
    const payout = `P${payouts.size}`;
    payouts.set(payout, minor);
    debited.push({ payout, minor, day });
    return { minor, payout };
  };
  for (const { kind, day, size, pick } of [...steps].sort((left, right) => left.day - right.day)) {
    const minor = [10_000, 7_500, 10_000][size] ?? 0;
    const earlier = debited[pick % Math.max(1, debited.length)];
    const payment = payments[pick % Math.max(1, payments.length)];
    const fee = fees[pick % Math.max(1, fees.length)];
    if (kind === 'payment' || (kind === 'payment_again' && !payment)) {
      const reference = `IN${payments.length}`;
      payments.push({ reference, minor, day });
      add(day, 'credit', 'PMNT-RCDT-ESCT', [{ minor, reference }]);
    } else if (kind === 'payment_again' && payment) {
      add(day, 'credit', 'PMNT-RCDT-ESCT', [{ minor: payment.minor, reference: payment.reference }]);
    } else if (kind === 'payout') {
      add(day, 'debit', 'PMNT-ICDT-ESCT', [newPayout(day, minor)]);
    } else if (kind === 'batch') {
      const parts = Array.from({ length: 2 + size }, () => newPayout(day, minor));
      add(day, 'debit', 'PMNT-ICDT-ESCT', parts);
    } else if (kind === 'debited_again' && earlier) {
      add(day, 'debit', 'PMNT-ICDT-ESCT', [{ minor: earlier.minor, payout: earlier.payout }]);
    } else if (kind === 'returned' && earlier) {
      add(day, 'credit', 'PMNT-ICDT-RRTN', [{ minor: earlier.minor, payout: earlier.payout, isReturn: true }], true);
    } else if (kind === 'fee_reversed' && fee) {
      add(day, 'credit', 'PMNT-MDOP-CHRG', [{ minor: fee.minor }], true);
    } else if (kind === 'own_money') {
      add(day, 'credit', 'PMNT-RCDT-BOOK', [{ minor }]);
    } else {
      const charged = 250 * (1 + size);
      fees.push({ minor: charged, day });
      add(day, 'debit', 'PMNT-MDOP-CHRG', [{ minor: charged }]);
    }
  }
  return { movements, payouts };
}

function eventOf(files: Files, movements: readonly Movement[], asked: Telling): Event | undefined {
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
  if (!file || file.kind !== 'file' || asked.damage > 4) return file;
  return { ...file, text: damaged(file.text, asked.damage, asked.at) };
}

const decimal = (minor: number) => (minor / 100).toFixed(2);
let files = 0;

class Files {
  readonly #dialect: Dialect;
  readonly #movements: readonly Movement[];
  readonly #closing: readonly number[];
  readonly #account: { readonly number: string; readonly currency: string };

  constructor(
    dialect: Dialect,
    movements: readonly Movement[],
    closing: readonly number[],
    account: { readonly number: string; readonly currency: string },
  ) {
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
    return { kind: 'file', text: camt({ ...this.#account, ...statement }), movements: told.map(({ key }) => key) };
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
    return endToEndIdOf(this.#account.number, payout);
  }

  referenceOf(reference: string): string {
    return `${this.#account.number}${reference}`;
  }
}

export function endToEndIdOf(number: string, payout: string): string {
  return `${number}${payout}`;
}

/** Structure is lost, and with it an entry or all that follow. A text that says something else is no damage. */
function damaged(text: string, damage: number, at: number): string {
  const entries = text.split('<Ntry>');
  const index = 1 + (at % Math.max(1, entries.length - 1));
  const entry = entries[index];
  if (damage === 0 || entry === undefined) return text.slice(0, at % text.length);
  const hurt = {
    1: entry.replace(/<Amt ([^>]*)>[^<]*/, '<Amt $1>1o0.00'),
    2: entry.replace(/<CdtDbtInd>[^<]*<\/CdtDbtInd>/, ''),
    3: entry.replace('</Amt>', ''),
    4: entry.replace(/<BookgDt>.*?<\/BookgDt>/, '<BookgDt><Dt>20261116\u0001</Dt></BookgDt>'),
  }[damage];
  return entries.map((piece, position) => (position === index ? (hurt ?? piece) : piece)).join('<Ntry>');
}
