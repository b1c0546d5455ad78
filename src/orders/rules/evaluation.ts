/**
 * Decides whether a rule puts an order under review, by facts that were loaded before. Facts are counted up to the
 * creation of the order, so what was approved once stays approved. Pure.
 */
import { type Amount, amount } from '../../money/amount.js';
import { currencyCode, minorUnits } from '../../money/currency.js';
import { amountToLiteral } from '../../money/literal.js';
import type { RuleFinding } from '../order/gate.js';
import type { Order } from '../order/order.js';
import { hoursOfDay, type RuleFacts } from './facts.js';
import type {
  AmountParameters,
  ManySendersParameters,
  NewBeneficiaryParameters,
  ReviewRule,
  VelocityParameters,
} from './rule.js';

/** The parts of an order that rules look at. */
export type RuledOrder = Pick<Order, 'amountIn' | 'payee'>;

/** Why the rule fired. `level` is how much of what it counts was found: an approval clears up to this level. */
type Fired = Pick<RuleFinding, 'key' | 'level' | 'facts' | 'explanation'>;

/** Why each rule fired that did; a rule can fire for two reasons. */
export function findingsOf(rules: readonly ReviewRule[], order: RuledOrder, facts: RuleFacts): RuleFinding[] {
  return rules.flatMap((rule) =>
    firedBy(rule, order, facts).map((fired) => ({
      rule: rule.kind,
      ruleId: rule.ruleId,
      parameters: { ...rule.parameters },
      ...fired,
    })),
  );
}

function firedBy(rule: ReviewRule, order: RuledOrder, facts: RuleFacts): Fired[] {
  if (rule.kind === 'amount') return byAmount(rule.parameters, order, facts);
  if (rule.kind === 'velocity') return byVelocity(rule.parameters, facts);
  if (rule.kind === 'new_beneficiary') return byNewBeneficiary(rule.parameters, order, facts);
  return byManySenders(rule.parameters, order, facts);
}

function byAmount(parameters: AmountParameters, { amountIn }: RuledOrder, facts: RuleFacts): Fired[] {
  if ('fromUsd' in parameters) return byUsd(parameters.fromUsd, facts);
  const { from, currency } = parameters;
  const least = wholeAmount(from, currency);
  if (!least || least.currency !== amountIn.currency || amountIn.minor < least.minor) return [];
  const explanation = `${textOf(amountIn)}; the rule stops ${textOf(least)} and more.`;
  const paid = amountToLiteral(amountIn);
  return [{ key: currency, level: Number(amountIn.minor), facts: { amountIn: paid, currency }, explanation }];
}

function byUsd(fromUsd: number, { usdMinor }: RuleFacts): Fired[] {
  if (usdMinor === undefined) return [notValued];
  if (usdMinor < centsOf(fromUsd)) return [];
  const explanation = `${dollars(usdMinor)}; the rule stops ${dollars(centsOf(fromUsd))} and more.`;
  return [{ key: 'usd', level: Number(usdMinor), facts: { usd: usdText(usdMinor) }, explanation }];
}

function byVelocity({ hours, maxOrders, maxUsd }: VelocityParameters, { sentWithin }: RuleFacts): Fired[] {
  const sent = sentWithin.get(hours);
  if (!sent) throw new Error(`nobody asked for the orders within ${hours} hours`);
  const { orders, usdMinor } = sent;
  const window = `in ${counted(hours, 'hour')}`;
  const facts = { orders, usd: usdText(usdMinor), hours };
  return [
    ...(maxOrders !== undefined && orders > maxOrders
      ? [
          {
            key: `orders in ${hours} hours`,
            level: orders,
            facts,
            explanation: `${counted(orders, 'order')} ${window}; the rule allows ${maxOrders}.`,
          },
        ]
      : []),
    ...(maxUsd !== undefined && usdMinor > centsOf(maxUsd)
      ? [
          {
            key: `usd in ${hours} hours`,
            level: Number(usdMinor),
            facts,
            explanation: `${dollars(usdMinor)} ${window}; the rule allows ${dollars(centsOf(maxUsd))}.`,
          },
        ]
      : []),
  ];
}

/** An account that was corrected is another account, and so new again. */
function byNewBeneficiary(
  { fromUsd, days }: NewBeneficiaryParameters,
  { payee }: RuledOrder,
  { usdMinor, knownForHours }: RuleFacts,
): Fired[] {
  const isKnown = knownForHours !== undefined && knownForHours >= days * hoursOfDay;
  if (isKnown || (usdMinor !== undefined && usdMinor < centsOf(fromUsd))) return [];
  const since =
    knownForHours === undefined
      ? 'The user has paid nothing to this account yet'
      : `The user has paid this account for ${counted(wholeDays(knownForHours), 'day')}, less than ${days}`;
  const value =
    usdMinor === undefined ? 'the value of the order is not known' : `the order is for ${dollars(usdMinor)}`;
  return [
    {
      key: `account ${payee.version}`,
      level: Number(usdMinor ?? 0n),
      facts: {
        knownForHours: knownForHours ?? null,
        usd: usdMinor === undefined ? null : usdText(usdMinor),
      },
      explanation: `${since}, and ${value}; the rule stops ${dollars(centsOf(fromUsd))} and more.`,
    },
  ];
}

function byManySenders(
  { days, maxSenders }: ManySendersParameters,
  { payee }: RuledOrder,
  { sendersWithin }: RuleFacts,
): Fired[] {
  const senders = sendersWithin.get(days * hoursOfDay);
  if (senders === undefined || senders <= maxSenders) return [];
  const explanation = `${counted(senders, 'user')} paid this account in ${counted(days, 'day')}; the rule allows ${maxSenders}.`;
  return [
    {
      key: `senders in ${days} days to account ${payee.version}`,
      level: senders,
      facts: { senders, days },
      explanation,
    },
  ];
}

const notValued: Fired = {
  key: 'usd',
  level: 0,
  facts: { usd: null },
  explanation: 'The value of the order in US dollars is not known.',
};

function centsOf(wholeDollars: number): bigint {
  return BigInt(wholeDollars) * 100n;
}

/** Undefined for a code that is no currency. */
function wholeAmount(units: number, code: string): Amount | undefined {
  const currency = currencyCode(code);
  return currency && amount(currency, BigInt(units) * 10n ** BigInt(minorUnits(currency)));
}

function textOf(value: Amount): string {
  return `${amountToLiteral(value)} ${value.currency}`;
}

function usdText(cents: bigint): string {
  return amountToLiteral(amount('USD', cents));
}

function dollars(cents: bigint): string {
  return `${usdText(cents)} USD`;
}

function wholeDays(hours: number): number {
  return (hours - (hours % hoursOfDay)) / hoursOfDay;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
