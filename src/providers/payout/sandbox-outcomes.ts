/**
 * What the simulated rail does with a payment. The last name of the recipient decides, because it is free in every
 * country and for every method; account numbers have check digits. Documented in docs/sandbox-values.md. Pure data.
 */
import type { ReportKind } from '../../payouts/rail.js';

export interface Step {
  /** Since the rail received the payment, by the merchant's clock. */
  readonly afterSeconds: number;
  readonly kind: ReportKind;
  readonly reason?: string;
}

export interface SandboxOutcome {
  readonly meaning: string;
  readonly steps: readonly Step[];
  /** `lost`: the first submission never arrives. `unanswered`: it arrives, and the answer is lost. */
  readonly submission?: 'lost' | 'unanswered';
  /** How long the rail cannot tell what became of the payment. */
  readonly unknownForSeconds?: number;
  /** Every report comes again with another id. */
  readonly isTwice?: true;
}

const accepted: Step = { afterSeconds: 0, kind: 'accepted' };
const paid: Step = { afterSeconds: 0, kind: 'paid' };
const minute = 60;
const hour = 3_600;
const day = 86_400;

export const sandboxOutcomes = {
  Paid: { meaning: 'paid at once', steps: [accepted, paid] },
  Invalid: {
    meaning: 'rejected at once: the account number is wrong',
    steps: [{ afterSeconds: 0, kind: 'rejected', reason: 'AC01' }],
  },
  Closed: {
    meaning: 'accepted, then rejected: the account is closed',
    steps: [accepted, { afterSeconds: 1, kind: 'rejected', reason: 'AC04' }],
  },
  Mismatch: {
    meaning: 'rejected at once: the name is not that of the account',
    steps: [{ afterSeconds: 0, kind: 'rejected', reason: 'BE01' }],
  },
  Returned: {
    meaning: 'paid at once, returned an hour later: the account is closed',
    steps: [accepted, paid, { afterSeconds: hour, kind: 'returned', reason: 'AC04' }],
  },
  Late: {
    meaning: 'accepted at once, paid two days later',
    steps: [accepted, { afterSeconds: 2 * day, kind: 'paid' }],
  },
  Never: { meaning: 'accepted, and then nothing', steps: [accepted] },
  Twice: { meaning: 'paid at once, and every report comes twice', steps: [accepted, paid], isTwice: true },
  Unknown: {
    meaning: 'received, but nobody can say what became of it for a minute; then paid',
    steps: [accepted, { afterSeconds: minute, kind: 'paid' }],
    submission: 'unanswered',
    unknownForSeconds: minute,
  },
  Lost: {
    meaning: 'the first submission gets lost, the second one is paid',
    steps: [accepted, paid],
    submission: 'lost',
  },
} as const satisfies Readonly<Record<string, SandboxOutcome>>;

export type SandboxOutcomeName = keyof typeof sandboxOutcomes;

/** `Paid` for every name that is not in the table. */
export function outcomeFor(lastName: string): SandboxOutcomeName {
  const names = Object.keys(sandboxOutcomes) as SandboxOutcomeName[];
  return names.find((name) => name.toLowerCase() === lastName.toLowerCase()) ?? 'Paid';
}

/** Cash waits for the recipient, who comes after a minute. */
export const cashSteps: readonly Step[] = [
  accepted,
  { afterSeconds: 0, kind: 'available_for_pickup' },
  { afterSeconds: minute, kind: 'paid' },
];
