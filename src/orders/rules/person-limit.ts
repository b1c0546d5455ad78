/**
 * The limits of a level once more for the person, when the money has come: over all accounts of the person on this
 * instance, by the moment at which money came. `limits/` refuses an order of one user at its creation; what only the
 * operator may know stops a paid order here, as an ordinary review.
 */
import type { MerchantId, UserId } from '../../ids.js';
import type { KycLevel } from '../../kyc-level.js';
import { amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import type { PersonIndex } from '../../persons/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { GateRule } from '../gate/facts.js';
import { type LimitTable, windowHours } from '../limits/limits.js';
import type { RuleFinding } from '../order/gate.js';
import { findPaidByPerson, type PaidInWindow } from './person-store.js';

/** How much closer the orders of a user are looked at, because of who the user is. */
export interface CloserLook {
  /** Why, for operators. */
  readonly because: string;
  /** How much of what the level allows goes on without a person. */
  readonly percentOfLimits: bigint;
  /** Whether a person looks at each order, however small. */
  readonly isEachOrder: boolean;
}

/** Users who are looked at as usual are left out. The room that knows is above this one. */
export type CloserLooks = (
  database: Queryable,
  merchantId: MerchantId,
  users: readonly UserId[],
) => Promise<ReadonlyMap<UserId, CloserLook>>;

export interface PersonLimitOptions {
  readonly looks: CloserLooks;
  readonly persons: Pick<PersonIndex, 'accountsOf'>;
  readonly table: LimitTable;
}

export function personLimitRule({ persons, table, looks }: PersonLimitOptions): GateRule {
  return {
    async check(database, merchantId, orders) {
      const userIds = [...new Set(orders.map(({ order }) => order.userId))];
      const [accounts, closer] = await Promise.all([
        persons.accountsOf(database, merchantId, userIds),
        looks(database, merchantId, userIds),
      ]);
      const paid = await findPaidByPerson(
        database,
        orders.map(({ order }) => ({ ...order, accounts: accounts.get(order.userId) ?? [] })),
      );
      return new Map(
        orders.map(({ order: { orderId, userId }, level }) => {
          const look = closer.get(userId) ?? asUsual;
          return [orderId, [...lookedAt(look), ...exceeded({ table, level, look }, paid.get(orderId) ?? [])]];
        }),
      );
    },
  };
}

const asUsual: CloserLook = { because: '', percentOfLimits: 100n, isEachOrder: false };

function lookedAt({ because, isEachOrder }: CloserLook): RuleFinding[] {
  return isEachOrder
    ? [{ rule: 'risk', key: 'each order', explanation: `A person looks at each order: ${because}` }]
    : [];
}

interface Allowed {
  readonly table: LimitTable;
  readonly level: KycLevel | undefined;
  readonly look: CloserLook;
}

/** A sender without a level is stopped for that already. */
function exceeded({ table, level, look }: Allowed, paid: readonly PaidInWindow[]): RuleFinding[] {
  if (!level) return [];
  const limits = table[level];
  return paid.flatMap(({ window, orders, accounts, usdMinor }) => {
    const most = (limits.amount[window] * look.percentOfLimits) / 100n;
    const mostOrders = window === '365d' ? undefined : limits.orders[window];
    const facts = { usd: dollars(usdMinor), orders, accounts, hours: windowHours[window], level };
    const said = `Within ${window}, the person behind this user paid ${dollars(usdMinor)} USD in ${orders} orders of ${accounts} accounts.`;
    return [
      ...(usdMinor > most
        ? [
            finding(
              `usd ${window}`,
              Number(usdMinor),
              facts,
              `${said} ${level} allows ${dollars(most)} USD. ${look.because}`.trim(),
            ),
          ]
        : []),
      ...(mostOrders !== undefined && orders > mostOrders
        ? [finding(`orders ${window}`, orders, facts, `${said} ${level} allows ${mostOrders} orders.`)]
        : []),
    ];
  });
}

function finding(key: string, level: number, facts: RuleFinding['facts'] & object, explanation: string): RuleFinding {
  return { rule: 'person_limit', key, level, facts, explanation };
}

function dollars(cents: bigint): string {
  return amountToLiteral(amount('USD', cents));
}
