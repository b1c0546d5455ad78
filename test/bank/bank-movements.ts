/** What a bank really booked on an account, at random. */
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

export interface Step {
  readonly kind: (typeof kinds)[number] | (typeof others)[number];
  readonly day: number;
  readonly size: number;
  readonly pick: number;
}

export const stepKinds = [...kinds, ...others] as const;

/** What happened so far, to which later movements refer. */
class Happening {
  readonly movements: Movement[] = [];
  readonly payouts = new Map<string, number>();
  readonly #naming: Naming;
  readonly #debited: Required<Pick<Part, 'minor' | 'payout'>>[] = [];
  readonly #payments: Required<Pick<Part, 'minor' | 'reference'>>[] = [];
  readonly #fees: number[] = [];

  readonly #payoutMinor: number | undefined;

  constructor(naming: Naming, payoutMinor: number | undefined) {
    this.#naming = naming;
    this.#payoutMinor = payoutMinor;
  }

  /** What refers to nothing is a fee. */
  happens(step: Step): void {
    const parts = this.#partsOf(step);
    const { sign, code, isReversal = false } = parts ? forms[step.kind] : forms.fee;
    this.#add(step.day, { sign, code, isReversal }, parts ?? this.#fee(step.size));
  }

  #partsOf({ kind, size, pick }: Step): readonly Part[] | undefined {
    const minor = [10_000, 7_500, 10_000][size] ?? 0;
    const earlier = chosen(this.#debited, pick);
    const [payment, fee] = [chosen(this.#payments, pick), chosen(this.#fees, pick)];
    switch (kind) {
      case 'payment':
        return [this.#payment(minor)];
      case 'payment_again':
        return payment && [payment];
      case 'payout':
        return [this.#payout(minor)];
      case 'batch':
        return Array.from({ length: 2 + size }, () => this.#payout(minor));
      case 'debited_again':
        return earlier && [earlier];
      case 'returned':
        return earlier && [{ ...earlier, isReturn: true }];
      case 'fee_reversed':
        return fee === undefined ? undefined : [{ minor: fee }];
      case 'own_money':
        return [{ minor }];
      default:
        return this.#fee(size);
    }
  }

  #payment(minor: number): Part {
    const payment = { minor, reference: `IN${this.#payments.length}` };
    this.#payments.push(payment);
    return payment;
  }

  #payout(asked: number): Part {
    const minor = this.#payoutMinor ?? asked;
    const payout = { minor, payout: `P${this.payouts.size}` };
    this.payouts.set(payout.payout, minor);
    this.#debited.push(payout);
    return payout;
  }

  #fee(size: number): Part[] {
    const minor = 250 * (1 + size);
    this.#fees.push(minor);
    return [{ minor }];
  }

  #add(day: number, form: Pick<Movement, 'sign' | 'code' | 'isReversal'>, parts: readonly Part[]): void {
    const key = this.movements.length;
    const ofDay = this.movements.filter((each) => each.day === day).length;
    const name = { none: undefined, unique: `2026/BK/R${key}`, per_day: `${ofDay + 1}` }[this.#naming];
    const minor = parts.reduce((sum, part) => sum + part.minor, 0);
    this.movements.push({ key, day, minor, name, parts, ...form });
  }
}

interface Form {
  readonly sign: Movement['sign'];
  readonly code: string;
  readonly isReversal?: boolean;
}

const forms: Readonly<Record<Step['kind'], Form>> = {
  payment: { sign: 'credit', code: 'PMNT-RCDT-ESCT' },
  payment_again: { sign: 'credit', code: 'PMNT-RCDT-ESCT' },
  payout: { sign: 'debit', code: 'PMNT-ICDT-ESCT' },
  batch: { sign: 'debit', code: 'PMNT-ICDT-ESCT' },
  debited_again: { sign: 'debit', code: 'PMNT-ICDT-ESCT' },
  returned: { sign: 'credit', code: 'PMNT-ICDT-RRTN', isReversal: true },
  fee: { sign: 'debit', code: 'PMNT-MDOP-CHRG' },
  fee_reversed: { sign: 'credit', code: 'PMNT-MDOP-CHRG', isReversal: true },
  own_money: { sign: 'credit', code: 'PMNT-RCDT-BOOK' },
};

function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}

export function movementsOf({ naming }: Dialect, steps: readonly Step[], payoutMinor: number | undefined) {
  const happening = new Happening(naming, payoutMinor);
  for (const step of [...steps].sort((left, right) => left.day - right.day)) happening.happens(step);
  return happening;
}
