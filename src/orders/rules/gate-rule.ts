/**
 * The operators' rules as one rule of the gate: it loads the facts in a few statements, however many orders there are,
 * and only when a rule asks for them.
 */
import type { MerchantId } from '../../ids.js';
import type { PersonIndex } from '../../persons/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { GateRule, RuledOrder } from '../gate/facts.js';
import type { OrderId } from '../order/order.js';
import type { AccountIndex } from './account-index.js';
import { findingsOf } from './evaluation.js';
import { factsAskedBy, noFacts, type RuleFacts, withSent } from './facts.js';
import { findFacts } from './facts-store.js';
import { findOrderedByPerson, type SentWithin } from './person-store.js';
import { type ReviewRule, rulesFor } from './rule.js';

export function reviewRulesAt(
  rules: () => readonly ReviewRule[],
  accounts: AccountIndex,
  persons: Pick<PersonIndex, 'accountsOf'>,
): GateRule {
  return {
    async check(database, merchantId, orders) {
      const current = rules();
      const concerned = orders.map((ruled) => ({ ...ruled, rules: rulesFor(current, ruled.order) }));
      // What one order is asked for is counted for all of them; each rule looks at its own.
      const asked = factsAskedBy(concerned.flatMap(({ rules }) => rules));
      const subjects = concerned.map(({ order, beneficiary }) => ({
        orderId: order.orderId,
        digest: asked?.asksForAccount ? accounts.digestOf(merchantId, beneficiary) : undefined,
      }));
      const [facts, elsewhere] = asked
        ? await Promise.all([
            findFacts(database, merchantId, subjects, asked),
            sentElsewhere(persons, database, merchantId, orders, asked.sentWithin),
          ])
        : [];
      return new Map(
        concerned.map(({ order, rules }) => {
          const own: RuleFacts = facts?.get(order.orderId) ?? noFacts;
          return [order.orderId, findingsOf(rules, order, withSent(own, elsewhere?.get(order.orderId) ?? []))];
        }),
      );
    },
  };
}

/** What the people behind the senders sent as other users, of whichever merchant. */
async function sentElsewhere(
  persons: Pick<PersonIndex, 'accountsOf'>,
  database: Queryable,
  merchantId: MerchantId,
  orders: readonly RuledOrder[],
  hours: readonly number[],
): Promise<ReadonlyMap<OrderId, readonly SentWithin[]>> {
  if (hours.length === 0) return new Map();
  const userIds = [...new Set(orders.map(({ order }) => order.userId))];
  const accounts = await persons.accountsOf(database, merchantId, userIds);
  const others = orders.map(({ order }) => ({ ...order, accounts: (accounts.get(order.userId) ?? []).slice(1) }));
  return findOrderedByPerson(database, others, hours);
}
