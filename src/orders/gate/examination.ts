/** Gathers what the gate decides by, outside any transaction. */
import type { Details } from '../../beneficiaries/beneficiary.js';
import { screenUser } from '../../kyc/hits/screen-user.js';
import type { HitService, ListsSnapshot } from '../../kyc/hits/service.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Database } from '../../postgres/database.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Match } from '../../screening/screening.js';
import type { UserService } from '../../users/service.js';
import { beneficiaryOf } from '../copies.js';
import type { Order } from '../order.js';
import type { PayoutObstacle, PayoutRequest, Payouts } from '../ports.js';
import type { NewReview, ReviewService } from '../review/service.js';
import { subjectOf } from './beneficiary-subject.js';
import { decideGate, type Findings, type GateDecision, type RuleFinding } from './gate.js';
import type { MissingLevel } from './missing-level.js';

/** A rule of the operator or the merchant, such as a limit on new beneficiaries. */
export interface GateRule {
  /** Returns why the order needs a person; empty when it does not. Asks nobody outside. */
  check(database: Queryable, order: Order, beneficiary: Details): Promise<readonly RuleFinding[]>;
}

export interface GateOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly hits: HitService;
  readonly ledger: LedgerService;
  readonly reviews: ReviewService;
  readonly payouts: () => Payouts;
  readonly missingLevel: MissingLevel;
  readonly rules: readonly GateRule[];
}

/** What a snapshot of the lists says about the people of an order. It holds for the next steps of the same pass too. */
export interface ScreenedPeople {
  readonly listsVersion: string;
  readonly areListsUsable: boolean;
  readonly isSenderKnown: boolean;
  readonly beneficiary: Details | undefined;
  readonly beneficiaryMatches: readonly Match[] | undefined;
}

export interface Examined {
  readonly decision: GateDecision;
  readonly findings: Findings;
}

export class Gate {
  constructor(readonly options: GateOptions) {}

  /** Screens the sender and the order's copy of the beneficiary. New matches of the sender become hits. */
  async screen(order: Order, snapshot: ListsSnapshot): Promise<ScreenedPeople> {
    const { database, users } = this.options;
    const [isSenderKnown, beneficiary] = await Promise.all([
      screenUser(this.options, order.merchantId, order.userId, snapshot),
      beneficiaryOf(users, database, order),
    ]);
    return {
      listsVersion: snapshot.version,
      areListsUsable: snapshot.usability.isUsable,
      isSenderKnown,
      beneficiary,
      beneficiaryMatches: beneficiary && snapshot.screen(subjectOf(beneficiary)),
    };
  }

  /** Cheaper than the whole gate, for an order that waits already. */
  async obstacleOf(order: Order): Promise<PayoutObstacle | undefined> {
    const { database, payouts } = this.options;
    const route = await payouts().plan(database, payoutOf(order));
    return 'obstacle' in route ? route.obstacle : undefined;
  }

  async examine(order: Order, people: ScreenedPeople): Promise<Examined> {
    const { database, hits, ledger, missingLevel, payouts } = this.options;
    const { merchantId, userId } = order;
    const [blocking, level, uncleared, isLedgerSound, route] = await Promise.all([
      people.isSenderKnown ? hits.listBlocking(database, merchantId, userId) : undefined,
      missingLevel(database, order),
      this.#uncleared(order, people),
      ledger.isSound(database, merchantId),
      payouts().plan(database, payoutOf(order)),
    ]);
    const findings: Findings = {
      listsVersion: people.listsVersion,
      areListsUsable: people.areListsUsable,
      senderHits: blocking?.map(({ hitId }) => hitId),
      ...uncleared,
      missingLevel: level,
      isLedgerSound,
      route,
    };
    return { decision: decideGate(order, findings), findings };
  }

  /** Leaves out what an operator has cleared by approving an earlier review of this order. */
  async #uncleared(
    order: Order,
    { beneficiary, beneficiaryMatches }: ScreenedPeople,
  ): Promise<Pick<Findings, 'beneficiaryMatches' | 'rules'>> {
    const { database, rules, reviews } = this.options;
    if (!beneficiary || !beneficiaryMatches) return { beneficiaryMatches: undefined, rules: [] };
    const fired = (await Promise.all(rules.map((rule) => rule.check(database, order, beneficiary)))).flat();
    if (beneficiaryMatches.length + fired.length === 0) return { beneficiaryMatches: [], rules: [] };
    const cleared = await reviews.clearedOf(database, order);
    return {
      beneficiaryMatches: beneficiaryMatches.filter((match) => !cleared.hasMatch(match)),
      rules: fired.filter((finding) => !cleared.hasRule(finding)),
    };
  }
}

/** The review of an order that did not pass. */
export function newReviewOf({ payee }: Order, { decision, findings }: Examined): NewReview {
  const { senderHits = [], beneficiaryMatches = [], missingLevel, rules } = findings;
  return {
    reasons: decision.outcome === 'refer' ? decision.reasons : [],
    findings: {
      beneficiaryVersion: payee.version,
      hits: senderHits,
      matches: beneficiaryMatches,
      ...(missingLevel ? { missingLevel } : {}),
      rules,
    },
  };
}

function payoutOf({ merchantId, amountIn, amountOut, payee }: Order): PayoutRequest {
  return { merchantId, fiatIn: amountIn.currency, amountOut, payee };
}
