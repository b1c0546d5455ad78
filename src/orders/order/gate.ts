/**
 * The gate: what must hold before an order is converted and before each payout. It decides by what was found, and is
 * the only maker of a `GatePass`, without which no code can convert or pay out. Pure.
 */
import type { HitId } from '../../kyc/hits/hit.js';
import type { KycLevel } from '../../kyc-level.js';
import type { Match } from '../../screening/screening.js';
import type { Order } from './order.js';
import type { Obstacle } from './pending.js';
import type { PayoutObstacle, PayoutPeople, PayoutPlan } from './ports.js';

/** Why a person must look at an order. Merchants and users never see it. */
export const reviewReasons = [
  'sender_match',
  'sender_unknown',
  'beneficiary_match',
  'beneficiary_unknown',
  'payer_match',
  'kyc_level',
  'terms_differ',
  'rule',
  'information',
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
  /** When the facts were read, by the monotonic clock of this process. */
  readonly readAtMs: number;
  readonly listsVersion: string;
  readonly areListsUsable: boolean;
  /** Hits of the sender that are open or confirmed; undefined when the sender was deleted. */
  readonly senderHits: readonly HitId[] | undefined;
  /** Matches that no approval has cleared; undefined when the copy cannot be opened. */
  readonly beneficiaryMatches: readonly Match[] | undefined;
  /** Matches of those who paid, as their banks named them, that no decision has cleared. */
  readonly payerMatches: readonly Match[];
  /** The level that the amount requires and the sender does not hold. */
  readonly missingLevel: KycLevel | undefined;
  /** Whether the order has the terms of its quote. Otherwise somebody changed one of the two past the service. */
  readonly hasQuotedTerms: boolean;
  readonly rules: readonly RuleFinding[];
  readonly isLedgerSound: boolean;
  readonly route: PayoutPlan | { readonly obstacle: PayoutObstacle };
  /** Who sends and who receives; undefined after the user's retained key was destroyed. */
  readonly people: PayoutPeople | undefined;
}

export type GateDecision =
  | { readonly outcome: 'pass'; readonly pass: GatePass }
  | { readonly outcome: 'wait'; readonly obstacle: Obstacle }
  | { readonly outcome: 'refer'; readonly reasons: readonly ReviewReason[] };

/**
 * How long a pass is good after the facts were read. A worker examines the orders of a claim together, and converts and
 * pays out by the same facts; that takes a fraction of a second. What changes meanwhile counts as if it had changed
 * after the step.
 */
const passValidMs = 5_000;

/** Proves that the gate was passed: for one version of an order, its beneficiary and the lists, for a short time. */
class Pass {
  /** Makes the type nominal: an object with the same fields is no pass. */
  readonly #isPassed = true;

  constructor(
    readonly orderId: Order['orderId'],
    readonly orderVersion: number,
    readonly beneficiaryVersion: number,
    readonly examined: Pick<Findings, 'readAtMs' | 'listsVersion'>,
    readonly plan: PayoutPlan,
    readonly people: PayoutPeople,
  ) {}

  /**
   * Whether it was made for this version of the order, the lists have not been replaced since, and it is not too old.
   */
  isFor({ orderId, version, payee }: Order, listsVersion: string, nowMs: number): boolean {
    return (
      this.#isPassed &&
      this.orderId === orderId &&
      this.orderVersion === version &&
      this.beneficiaryVersion === payee.version &&
      this.examined.listsVersion === listsVersion &&
      nowMs - this.examined.readAtMs < passValidMs
    );
  }
}
export type GatePass = Pass;

/**
 * What is wrong goes to a person, whatever else is missing. Only then does the order wait, and only then does it pass.
 */
export function decideGate(order: Order, findings: Findings): GateDecision {
  const reasons = [...reasonsOf(findings), ...(hasOpenQuestion(order) ? (['information'] as const) : [])];
  if (reasons.length > 0) return { outcome: 'refer', reasons };
  const { route, people } = findings;
  if (!findings.isLedgerSound) return { outcome: 'wait', obstacle: 'ledger_fault' };
  if (!findings.areListsUsable) return { outcome: 'wait', obstacle: 'screening_lists' };
  if ('obstacle' in route) return { outcome: 'wait', obstacle: route.obstacle };
  // Whoever has a beneficiary that was screened has the key that opens it, and with it the rest.
  if (!people) return { outcome: 'refer', reasons: ['beneficiary_unknown'] };
  const { orderId, version, payee } = order;
  return { outcome: 'pass', pass: new Pass(orderId, version, payee.version, findings, route, people) };
}

/** The sender has not answered, or nobody has read the answers. */
function hasOpenQuestion({ requirements, hasUnreadAnswers }: Order): boolean {
  return requirements.length > 0 || hasUnreadAnswers;
}

function reasonsOf(findings: Findings): ReviewReason[] {
  const { senderHits, beneficiaryMatches, payerMatches, missingLevel, hasQuotedTerms, rules } = findings;
  return [
    ...(senderHits === undefined ? (['sender_unknown'] as const) : []),
    ...(senderHits && senderHits.length > 0 ? (['sender_match'] as const) : []),
    ...(beneficiaryMatches === undefined ? (['beneficiary_unknown'] as const) : []),
    ...(beneficiaryMatches && beneficiaryMatches.length > 0 ? (['beneficiary_match'] as const) : []),
    ...(payerMatches.length > 0 ? (['payer_match'] as const) : []),
    ...(missingLevel === undefined ? [] : (['kyc_level'] as const)),
    ...(hasQuotedTerms ? [] : (['terms_differ'] as const)),
    ...(rules.length > 0 ? (['rule'] as const) : []),
  ];
}
