/** Examines orders by what was read about them. New matches of a sender are recorded as hits. */
import type { MerchantId } from '../../ids.js';
import { type Hit, isBlocking } from '../../kyc/hits/hit.js';
import { recordMatches } from '../../kyc/hits/record-matches.js';
import { type ListsSnapshot, screenPerson } from '../../kyc/hits/service.js';
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import { decideGate, type Findings, type GateDecision, type RuleFinding } from '../order/gate.js';
import type { Order, OrderId } from '../order/order.js';
import type { PayoutObstacle, PayoutPeople, PayoutRequest } from '../order/ports.js';
import type { NewReview } from '../order/review.js';
import { changedMeanwhile } from '../order/transition.js';
import { hasTermsOf } from '../requote/agreed-terms.js';
import type { ReviewService } from '../review/service.js';
import { subjectOf } from './beneficiary-subject.js';
import { prohibitedCountry, ruleFindingOf } from './country-rule.js';
import { type Facts, type FactsOptions, type OpenedPeople, readFacts } from './facts.js';
import { screenPayers, unreadablePayers } from './payer-screening.js';

export interface GateOptions extends FactsOptions {
  readonly database: Database;
  readonly users: UserService;
  readonly reviews: ReviewService;
}

export interface Examined {
  readonly decision: GateDecision;
  readonly findings: Findings;
}

export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Reads what is needed to examine these orders of one merchant, all at one moment. */
  async gather(merchantId: MerchantId, orders: readonly Order[], snapshot: ListsSnapshot): Promise<Examination> {
    return new Examination(this.#options, await readFacts(this.#options, merchantId, orders), snapshot);
  }

  /** Why the order could not be paid out now; cheaper than to examine it. The time does not matter for this. */
  obstacleOf(order: Order): PayoutObstacle | undefined {
    const route = this.#options.payouts().plan(payoutOf(order), order.updatedAt);
    return 'obstacle' in route ? route.obstacle : undefined;
  }
}

/** What does not change while an order makes its steps. What is paused is asked each time. */
type Evidence = Omit<Findings, 'route'>;

/** One moment's facts about several orders. A pass that comes of it is good for a short time: see `gate.ts`. */
export class Examination {
  readonly #evidence = new Map<OrderId, Promise<Evidence>>();
  readonly #options: GateOptions;
  readonly #facts: Facts;
  readonly #snapshot: ListsSnapshot;

  constructor(options: GateOptions, facts: Facts, snapshot: ListsSnapshot) {
    this.#options = options;
    this.#facts = facts;
    this.#snapshot = snapshot;
  }

  /**
   * For each step of an order anew. Throws `order_transition_not_allowed` when the beneficiary was replaced since the
   * facts were read, and when something that is sealed cannot be opened.
   */
  async examine(order: Order): Promise<Examined> {
    const evidence = this.#evidence.get(order.orderId) ?? this.#gatherEvidence(order);
    this.#evidence.set(order.orderId, evidence);
    const route = this.#options.payouts().plan(payoutOf(order), this.#facts.now);
    const findings = { ...(await evidence), route };
    return { decision: decideGate(order, findings), findings };
  }

  async #gatherEvidence(order: Order): Promise<Evidence> {
    const [facts, snapshot] = [this.#facts, this.#snapshot];
    const people = facts.peopleOf(order);
    if (people.beneficiaryVersion !== order.payee.version) throw changedMeanwhile(order);
    const hits = await this.#screenSender(order, people);
    return {
      readAtMs: facts.readAtMs,
      listsVersion: snapshot.version,
      areListsUsable: snapshot.usability.isUsable,
      senderHits: hits?.filter(isBlocking).map(({ hitId }) => hitId),
      ...(await this.#uncleared(order, people, hits ?? [])),
      hasQuotedTerms: hasTermsOf(order, facts.quotes.get(order.quoteCode)),
      missingLevel: this.#options.levels.missingAmong(facts.held, order),
      isLedgerSound: facts.isLedgerSound,
      people: completeOf(people),
    };
  }

  /** All hits of the sender, new ones included; undefined for a deleted user. */
  async #screenSender({ merchantId, userId }: Order, { person }: OpenedPeople): Promise<readonly Hit[] | undefined> {
    if (!person) return undefined;
    const { hits, database } = this.#options;
    const screened = screenPerson(person, this.#snapshot);
    if (screened.matches.length + screened.exposures.length === 0) return this.#facts.hits.get(userId) ?? [];
    const isKnown = await recordMatches(this.#options, screened);
    return isKnown ? hits.listOf(database, merchantId, userId) : undefined;
  }

  /** Leaves out what an operator has cleared by approving an earlier review of this order. */
  async #uncleared(
    order: Order,
    { beneficiary, person, payers, sender }: OpenedPeople,
    hits: readonly Hit[],
  ): Promise<Pick<Findings, 'beneficiaryMatches' | 'payerMatches' | 'rules'>> {
    const ofPayers = screenPayers(this.#snapshot, payers, person && { subject: person.subject, hits });
    if (!beneficiary) return { beneficiaryMatches: undefined, payerMatches: ofPayers, rules: [] };
    const subject = subjectOf(beneficiary);
    const matches = this.#snapshot.screen(subject);
    const countries = this.#options.countries.findings({
      residence: [sender?.country, person?.profile.countryCode].flatMap((country) => country ?? []),
      nationality: person?.subject.countries ?? [],
      payout: [beneficiary.country, beneficiary.address.country].flatMap((country) => country ?? []),
    });
    const fired = [
      ...countries.map(ruleFindingOf),
      ...this.#facts.rules.flatMap((found) => found.get(order.orderId) ?? []),
      ...(this.#snapshot.hasUnreadableName(subject) ? [unreadableName(order)] : []),
      ...unreadablePayers(this.#snapshot, payers, person !== undefined),
    ];
    if (matches.length + ofPayers.length + fired.length === 0)
      return { beneficiaryMatches: [], payerMatches: [], rules: [] };
    const cleared = await this.#options.reviews.clearedOf(this.#options.database, order);
    return {
      beneficiaryMatches: matches.filter((match) => !cleared.hasMatch(match)),
      payerMatches: ofPayers.filter((match) => !cleared.hasPayerMatch(match)),
      rules: fired.filter(
        (finding) => finding.rule === prohibitedCountry || (!cleared.hasRule(finding) && !cleared.hasCompared(finding)),
      ),
    };
  }
}

/** The review of an order that did not pass. */
export function newReviewOf({ payee }: Order, { decision, findings }: Examined): NewReview {
  const { senderHits = [], beneficiaryMatches = [], payerMatches, missingLevel, rules } = findings;
  return {
    reasons: decision.outcome === 'refer' ? decision.reasons : [],
    findings: {
      beneficiaryVersion: payee.version,
      hits: senderHits,
      matches: beneficiaryMatches,
      payerMatches,
      ...(missingLevel ? { missingLevel } : {}),
      rules,
    },
  };
}

/** Where a name cannot be compared, no match says nothing. An approval clears this copy of the beneficiary. */
function unreadableName({ payee }: Order): RuleFinding {
  return {
    rule: 'unreadable_name',
    key: String(payee.version),
    explanation: "The beneficiary's name cannot be compared well as it is written. Compare it with the lists yourself.",
  };
}

function payoutOf({ merchantId, amountIn, amountOut, payee }: Order): PayoutRequest {
  return { merchantId, fiatIn: amountIn.currency, amountOut, payee };
}

function completeOf(people: OpenedPeople): PayoutPeople | undefined {
  const { retainedKey, senderName, sender, beneficiary, earlierAttempts } = people;
  if (!retainedKey || !sender || !beneficiary || earlierAttempts === undefined) return undefined;
  return { retainedKey, senderName, sender, beneficiary, earlierAttempts };
}
