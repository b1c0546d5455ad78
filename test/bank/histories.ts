/**
 * Random histories of a bank account: what moved, and the files in which the bank tells it. Knows nothing of how lines
 * are identified or matched.
 */
import fc from 'fast-check';
import { type Dialect, type Movement, movementsOf, type Naming, type Step, stepKinds } from './bank-movements.js';
import { days, type Event, eventOf, type FileAccount, Files, type Telling } from './history-files.js';

export interface History {
  readonly dialect: Dialect;
  readonly movements: readonly Movement[];
  readonly payouts: ReadonlyMap<string, number>;
  readonly events: (account: FileAccount) => Event[];
  /** In minor units, by the number of the day. */
  readonly closing: readonly number[];
  readonly hasOverlaps: boolean;
  /** For whoever reads a failure. */
  readonly told: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...stepKinds),
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

/** `payoutMinor`: every payout is of this amount; otherwise they differ. */
export const historiesOf = (payoutMinor?: () => number): fc.Arbitrary<History> =>
  fc
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
    .map(({ dialect, steps, tellings, lastOrder }) => historyOf(dialect, steps, tellings, lastOrder, payoutMinor?.()));

function historyOf(
  dialect: Dialect,
  steps: readonly Step[],
  tellings: readonly Telling[],
  lastOrder: readonly number[],
  payoutMinor: number | undefined,
): History {
  const { movements, payouts } = movementsOf(dialect, steps, payoutMinor);
  const closing = Array.from({ length: days }, (_, day) =>
    movements.reduce(
      (sum, { day: on, sign, minor }) => sum + (on <= day ? (sign === 'credit' ? minor : -minor) : 0),
      0,
    ),
  );
  const hasOverlaps = tellings.some(({ kind }) => kind === 'two_days');
  const told = tellings
    .map(
      ({ kind, pick, damage, at, isTyped }) =>
        `${kind} ${pick}${damage > 4 ? '' : ` damage ${damage} at ${at}`} ${isTyped}`,
    )
    .join('; ');
  return { dialect, movements, payouts, closing, hasOverlaps, told, events };

  function events(account: FileAccount): Event[] {
    const files = new Files(dialect, movements, closing, account);
    const told = tellings.flatMap((each) => eventOf(files, movements, each) ?? []);
    const all = Array.from({ length: days }, (_, day) => day).sort((a, b) => (lastOrder[a] ?? 0) - (lastOrder[b] ?? 0));
    return [...told, ...all.map((day) => files.statement(day, day, `S${day}`))];
  }
}
