/** Which parameters each kind of rule has. Pure. */
import type { FieldFault } from '../../errors.js';
import { currencyCode } from '../../money/currency.js';
import type { RuleKind, RuleTerms } from './rule.js';

const parameterNames = ['fromUsd', 'from', 'currency', 'hours', 'maxOrders', 'maxUsd', 'days', 'maxSenders'] as const;
type ParameterName = (typeof parameterNames)[number];
/** The parameters as they arrive: some or all of them, each of the right type. */
export type Parameters = Readonly<Partial<Record<ParameterName, number | string>>>;

interface Wanted {
  /** A rule has exactly the names of one of these sets. */
  readonly sets: readonly (readonly ParameterName[])[];
  readonly sentence: string;
}

const wantedOf: Readonly<Record<RuleKind, Wanted>> = {
  amount: {
    sets: [['fromUsd'], ['from', 'currency']],
    sentence: 'must have fromUsd, or from and currency',
  },
  velocity: {
    sets: [
      ['hours', 'maxOrders'],
      ['hours', 'maxUsd'],
      ['hours', 'maxOrders', 'maxUsd'],
    ],
    sentence: 'must have hours, and maxOrders or maxUsd or both',
  },
  new_beneficiary: { sets: [['fromUsd', 'days']], sentence: 'must have fromUsd and days' },
  many_senders: { sets: [['days', 'maxSenders']], sentence: 'must have days (at least 1) and maxSenders' },
};

/** Empty when the parameters belong to the kind. Types and bounds are the schema's. */
export function parameterFaults(kind: RuleKind, parameters: Parameters): FieldFault[] {
  const { sets, sentence } = wantedOf[kind];
  const given = Object.keys(parameters).sort().join();
  const isComplete = sets.some((names) => names.toSorted().join() === given);
  const isEndless = kind === 'many_senders' && parameters.days === 0;
  if (!isComplete || isEndless)
    return [{ field: 'parameters', code: 'not_allowed', message: `${sentence}, and nothing else` }];
  if (parameters.currency === undefined || currencyCode(parameters.currency)) return [];
  return [{ field: 'parameters.currency', code: 'not_allowed', message: 'must be a currency of ISO 4217' }];
}

/** The caller has found no faults. */
export function termsOf(kind: RuleKind, parameters: Parameters): RuleTerms {
  return { kind, parameters } as unknown as RuleTerms;
}
