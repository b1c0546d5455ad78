/**
 * The gate: what must hold before an order is converted and before each payout. It decides by what was found, and is the
 * only maker of a `GatePass`, without which no code can convert or pay out. Pure.
 */
import type { HitId } from '../../kyc/hits/hit.js';
import type { KycLevel } from '../../kyc-level.js';
import type { Match } from '../../screening/screening.js';
import type { Order } from '../order.js';
import type { Obstacle } from '../pending.js';
import type { PayoutObstacle, PayoutPlan } from '../ports.js';

/** Why a person must look at an order. Merchants and users never see it. */
export const reviewReasons = [
  'sender_match',
  'sender_unknown',
  'beneficiary_match',
  'beneficiary_unknown',
  'kyc_level',
  'rule',
  'operator',
  'freeze',
] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/** A rule that fired. `key` differs when the rule would fire for another cause. */
export interface RuleFinding {
  readonly rule: string;
  readonly key: string;
  /** How much of what the rule counts was found. An approval clears up to this level. */
  readonly level?: number;
  /** The rule of operators that it was, with its parameters and what was found. Absent for a rule of the program. */
  readonly ruleId?: string;
  readonly parameters?: RuleValues;
  readonly facts?: RuleValues;
  /** Why it fired, for operators. */
  readonly explanation: string;
}

export type RuleValues = Readonly<Record<string, string | number | null>>;

/** What a snapshot of the lists, the ledger, the rails and the rules say about an order at one moment. */
export interface Findings {
  readonly listsVersion: string;
  readonly areListsUsable: boolean;
  /** Hits of the sender that are open or confirmed; undefined when the sender was deleted. */
  readonly senderHits: readonly HitId[] | undefined;
  /** Matches that no approval has cleared; undefined when the copy cannot be opened. */
  readonly beneficiaryMatches: readonly Match[] | undefined;
  /** The level that the amount requires and the sender does not hold. */
  readonly missingLevel: KycLevel | undefined;
  readonly rules: readonly RuleFinding[];
  readonly isLedgerSound: boolean;
  readonly route: PayoutPlan | { readonly obstacle: PayoutObstacle };
}

export type GateDecision =
  | { readonly outcome: 'pass'; readonly pass: GatePass }
  | { readonly outcome: 'wait'; readonly obstacle: Obstacle }
  | { readonly outcome: 'refer'; readonly reasons: readonly ReviewReason[] };

/** Proves that the gate was passed: for one version of an order, its beneficiary and the lists. */
class Pass {
  /** Makes the type nominal: an object with the same fields is no pass. */
  readonly #isPassed = true;

  constructor(
    readonly orderId: Order['orderId'],
    readonly orderVersion: number,
    readonly beneficiaryVersion: number,
    readonly listsVersion: string,
    readonly plan: PayoutPlan,
  ) {}

  /** Whether it was made for this version of the order, and the lists have not been replaced since. */
  isFor({ orderId, version, payee }: Order, listsVersion: string): boolean {
    return (
      this.#isPassed &&
      this.orderId === orderId &&
      this.orderVersion === version &&
      this.beneficiaryVersion === payee.version &&
      this.listsVersion === listsVersion
    );
  }
}
export type GatePass = Pass;

/** What is wrong goes to a person, whatever else is missing. Only then does the order wait, and only then does it pass. */
export function decideGate(order: Order, findings: Findings): GateDecision {
  const reasons = reasonsOf(findings);
  if (reasons.length > 0) return { outcome: 'refer', reasons };
  const { route, listsVersion } = findings;
  if (!findings.isLedgerSound) return { outcome: 'wait', obstacle: 'ledger_fault' };
  if (!findings.areListsUsable) return { outcome: 'wait', obstacle: 'screening_lists' };
  if ('obstacle' in route) return { outcome: 'wait', obstacle: route.obstacle };
  const { orderId, version, payee } = order;
  return { outcome: 'pass', pass: new Pass(orderId, version, payee.version, listsVersion, route) };
}

function reasonsOf({ senderHits, beneficiaryMatches, missingLevel, rules }: Findings): ReviewReason[] {
  return [
    ...(senderHits === undefined ? (['sender_unknown'] as const) : []),
    ...(senderHits && senderHits.length > 0 ? (['sender_match'] as const) : []),
    ...(beneficiaryMatches === undefined ? (['beneficiary_unknown'] as const) : []),
    ...(beneficiaryMatches && beneficiaryMatches.length > 0 ? (['beneficiary_match'] as const) : []),
    ...(missingLevel === undefined ? [] : (['kyc_level'] as const)),
    ...(rules.length > 0 ? (['rule'] as const) : []),
  ];
}
