/** Reads what the gate decides by, for several orders of one merchant in two round trips, outside any transaction. */
import type { Details } from '../../beneficiaries/beneficiary.js';
import type { CountryPolicies } from '../../countries/service.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { Hit } from '../../kyc/hits/hit.js';
import type { People, Person } from '../../kyc/hits/person.js';
import type { HitService } from '../../kyc/hits/service.js';
import type { KycLevel } from '../../kyc-level.js';
import type { LedgerService } from '../../ledger/service.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { SealedQueryable } from '../../postgres/statement.js';
import type { QuoteCode } from '../../rates/quote.js';
import { findQuotes, type TakenQuote } from '../../rates/service.js';
import type { HeldLevels, RequiredLevels } from '../limits/required-levels.js';
import { listSealedCopies, type SealedCopies } from '../order/copies/copies-store.js';
import { openBeneficiary, openSender } from '../order/copies/sealed.js';
import type { RuleFinding } from '../order/gate.js';
import type { Order, OrderId } from '../order/order.js';
import type { NamedPayer, Payers, PayoutPeople, Payouts } from '../order/ports.js';

/** An order with its copy of the beneficiary. */
export interface RuledOrder {
  readonly order: Order;
  readonly beneficiary: Details;
  readonly payers: readonly NamedPayer[];
  /** The highest level that the sender holds. */
  readonly level: KycLevel | undefined;
}
export type RuleFindings = ReadonlyMap<OrderId, readonly RuleFinding[]>;

/** A rule of the operator or the merchant, such as a limit on new beneficiaries. */
export interface GateRule {
  /**
   * Returns why orders of one merchant need a person; those that do not are left out. Asks nobody outside, and reads
   * with one statement, however many orders there are.
   */
  check(database: SealedQueryable, merchantId: MerchantId, orders: readonly RuledOrder[]): Promise<RuleFindings>;
}

export interface FactsOptions {
  readonly database: SealedQueryable;
  readonly hits: HitService;
  readonly ledger: LedgerService;
  readonly payouts: () => Payouts;
  readonly payers: Payers;
  readonly levels: RequiredLevels;
  readonly rules: readonly GateRule[];
  readonly countries: Pick<CountryPolicies, 'findings'>;
}

/** The people of an order, as far as their keys still exist. */
export interface OpenedPeople extends Partial<PayoutPeople> {
  /** Undefined for a deleted user. */
  readonly person: Person | undefined;
  readonly beneficiaryVersion: number;
  /** Who paid. */
  readonly payers: readonly NamedPayer[];
}

export interface Facts {
  /** When reading began, by the monotonic clock of this process. */
  readonly readAtMs: number;
  /** By the merchant's clock. */
  readonly now: Date;
  readonly isLedgerSound: boolean;
  readonly held: HeldLevels;
  /** In whatever state. */
  readonly hits: ReadonlyMap<UserId, readonly Hit[]>;
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
  const { database, ledger, levels, payouts, payers } = options;
  const readAtMs = performance.now();
  const userIds = [...new Set(orders.map(({ userId }) => userId))];
  const orderIds = orders.map(({ orderId }) => orderId);
  const codes = orders.map(({ quoteCode }) => quoteCode);
  const [people, copies, held, hits, attempts, paid, isLedgerSound, now, quotes] = await Promise.all([
    options.hits.gather(database, merchantId, userIds),
    listSealedCopies(database, merchantId, orderIds),
    levels.heldBy(database, merchantId, userIds),
    options.hits.listOfAll(database, merchantId, userIds),
    payouts().countAttempts(database, merchantId, orderIds),
    payers.listOf(database, merchantId, orderIds),
    ledger.isSound(database, merchantId),
    readMerchantClock(database, merchantId),
    findQuotes(database, merchantId, codes),
  ]);
  const peopleOf = openedOnce((order) => {
    const { orderId } = order;
    const earlierAttempts = attempts.get(orderId) ?? 0;
    return openPeople(order, { people, copies: copies.get(orderId), earlierAttempts, openPayers: paid.get(orderId) });
  });
  const rules = await checkRules(options, merchantId, orders, (order) => ({
    ...peopleOf(order),
    level: held.get(order.userId),
  }));
  return { readAtMs, now, isLedgerSound, held, hits, rules, quotes, peopleOf };
}

/** An order that cannot be opened is left out: it fails by itself when it is examined. */
function checkRules(
  { database, rules }: FactsOptions,
  merchantId: MerchantId,
  orders: readonly Order[],
  peopleOf: (order: Order) => OpenedPeople & Pick<RuledOrder, 'level'>,
): Promise<RuleFindings[]> {
  const opened = orders.flatMap((order) => {
    try {
      const { beneficiary, payers, level } = peopleOf(order);
      return beneficiary ? [{ order, beneficiary, payers, level }] : [];
    } catch {
      return [];
    }
  });
  return Promise.all(rules.map((rule) => rule.check(database, merchantId, opened)));
}

interface SealedPeople {
  readonly people: People;
  readonly copies: SealedCopies | undefined;
  readonly earlierAttempts: number;
  readonly openPayers: ((retainedKey: Buffer) => readonly NamedPayer[]) | undefined;
}

function openPeople(order: Order, { people, copies, earlierAttempts, openPayers }: SealedPeople): OpenedPeople {
  if (!copies) throw new Error(`there is no order ${order.orderId}`);
  const { beneficiaryVersion, sealedBeneficiary, sealedSender } = copies;
  const { profile, retainedKey, person } = people.open(order.userId);
  if (!retainedKey) return { person, beneficiaryVersion, payers: [] };
  return {
    person,
    beneficiaryVersion,
    retainedKey,
    earlierAttempts,
    payers: openPayers?.(retainedKey) ?? [],
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
