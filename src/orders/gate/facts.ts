/** Reads what the gate decides by, for several orders of one merchant in two round trips, outside any transaction. */
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Hit } from '../../kyc/hits/hit.js';
import type { People, Person } from '../../kyc/hits/person.js';
import type { HitService } from '../../kyc/hits/service.js';
import type { LedgerService } from '../../ledger/service.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { Queryable } from '../../postgres/statement.js';
import type { QuoteCode } from '../../rates/quote.js';
import { findQuotes, type TakenQuote } from '../../rates/service.js';
import type { HeldLevels, RequiredLevels } from '../limits/required-levels.js';
import { listSealedCopies, type SealedCopies } from '../order/copies/copies-store.js';
import { openBeneficiary, openSender } from '../order/copies/sealed.js';
import type { RuleFinding } from '../order/gate.js';
import type { Order, OrderId } from '../order/order.js';
import type { PayoutPeople, Payouts } from '../order/ports.js';

/** An order with its copy of the beneficiary. */
export interface RuledOrder {
  readonly order: Order;
  readonly beneficiary: Details;
}
export type RuleFindings = ReadonlyMap<OrderId, readonly RuleFinding[]>;

/** A rule of the operator or the merchant, such as a limit on new beneficiaries. */
export interface GateRule {
  /**
   * Returns why orders of one merchant need a person; those that do not are left out. Asks nobody outside, and reads
   * with one statement, however many orders there are.
   */
  check(database: Queryable, merchantId: MerchantId, orders: readonly RuledOrder[]): Promise<RuleFindings>;
}

export interface FactsOptions {
  readonly database: Queryable;
  readonly hits: HitService;
  readonly ledger: LedgerService;
  readonly payouts: () => Payouts;
  readonly levels: RequiredLevels;
  readonly rules: readonly GateRule[];
}

/** The people of an order, as far as their keys still exist. */
export interface OpenedPeople extends Partial<PayoutPeople> {
  /** Undefined for a deleted user. */
  readonly person: Person | undefined;
  readonly beneficiaryVersion: number;
}

export interface Facts {
  /** When reading began, by the monotonic clock of this process. */
  readonly readAtMs: number;
  /** By the merchant's clock. */
  readonly now: Date;
  readonly isLedgerSound: boolean;
  readonly held: HeldLevels;
  readonly blocking: ReadonlyMap<UserId, readonly Hit[]>;
  readonly rules: readonly RuleFindings[];
  readonly quotes: ReadonlyMap<QuoteCode, TakenQuote>;
  /** Throws when something that is sealed cannot be opened. */
  peopleOf(order: Order): OpenedPeople;
}

export async function readFacts(
  options: FactsOptions,
  merchantId: MerchantId,
  orders: readonly Order[],
): Promise<Facts> {
  const { database, hits, ledger, levels, payouts } = options;
  const readAtMs = performance.now();
  const userIds = [...new Set(orders.map(({ userId }) => userId))];
  const orderIds = orders.map(({ orderId }) => orderId);
  const codes = orders.map(({ quoteCode }) => quoteCode);
  const [people, copies, held, blocking, attempts, isLedgerSound, now, quotes] = await Promise.all([
    hits.gather(database, merchantId, userIds),
    listSealedCopies(database, merchantId, orderIds),
    levels.heldBy(database, merchantId, userIds),
    hits.listBlockingOf(database, merchantId, userIds),
    payouts().countAttempts(database, merchantId, orderIds),
    ledger.isSound(database, merchantId),
    readMerchantClock(database, merchantId),
    findQuotes(database, merchantId, codes),
  ]);
  const peopleOf = openedOnce((order) =>
    openPeople(people, copies.get(order.orderId), order, attempts.get(order.orderId) ?? 0),
  );
  const rules = await checkRules(options, merchantId, orders, peopleOf);
  return { readAtMs, now, isLedgerSound, held, blocking, rules, quotes, peopleOf };
}

/** An order that cannot be opened is left out: it fails by itself when it is examined. */
function checkRules(
  { database, rules }: FactsOptions,
  merchantId: MerchantId,
  orders: readonly Order[],
  peopleOf: Facts['peopleOf'],
): Promise<RuleFindings[]> {
  const opened = orders.flatMap((order) => {
    try {
      const { beneficiary } = peopleOf(order);
      return beneficiary ? [{ order, beneficiary }] : [];
    } catch {
      return [];
    }
  });
  return Promise.all(rules.map((rule) => rule.check(database, merchantId, opened)));
}

function openPeople(
  people: People,
  copies: SealedCopies | undefined,
  order: Order,
  earlierAttempts: number,
): OpenedPeople {
  if (!copies) throw new Error(`there is no order ${order.orderId}`);
  const { beneficiaryVersion, sealedBeneficiary, sealedSender } = copies;
  const { profile, retainedKey, person } = people.open(order.userId);
  if (!retainedKey) return { person, beneficiaryVersion };
  return {
    person,
    beneficiaryVersion,
    retainedKey,
    earlierAttempts,
    ...(profile ? { senderName: `${profile.firstName} ${profile.lastName}` } : {}),
    sender: openSender(retainedKey, order, sealedSender),
    beneficiary: openBeneficiary(retainedKey, order, beneficiaryVersion, sealedBeneficiary),
  };
}

/** Opens the people of each order once, however many steps the order makes. */
function openedOnce(open: Facts['peopleOf']): Facts['peopleOf'] {
  const known = new Map<OrderId, OpenedPeople>();
  return (order) => {
    const opened = known.get(order.orderId) ?? open(order);
    known.set(order.orderId, opened);
    return opened;
  };
}
