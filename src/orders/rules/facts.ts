/** What the rules need to know about an order, and which of it must be asked for. Pure. */
import type { ReviewRule } from './rule.js';

export interface RuleFacts {
  /** The value by which limits count the order. Undefined when it was never valued. */
  readonly usdMinor: bigint | undefined;
  /** What the person ordered within so many hours up to this order, as this user or another, this one included. */
  readonly sentWithin: ReadonlyMap<number, { readonly orders: number; readonly usdMinor: bigint }>;
  /** How many users paid the account within so many hours up to the payment of this order, this one included. */
  readonly sendersWithin: ReadonlyMap<number, number>;
  /** How long before this order the user first paid the account with success; undefined when never. */
  readonly knownForHours: number | undefined;
}

/** What to ask the database. Windows are in hours. */
export interface AskedFacts {
  readonly sentWithin: readonly number[];
  readonly sendersWithin: readonly number[];
  readonly asksForAccount: boolean;
}

export const hoursOfDay = 24;

/** Undefined when the rules can decide by the order alone. */
export function factsAskedBy(rules: readonly ReviewRule[]): AskedFacts | undefined {
  if (rules.every((rule) => rule.kind === 'amount' && 'currency' in rule.parameters)) return undefined;
  const sent = rules.flatMap((rule) => (rule.kind === 'velocity' ? [rule.parameters.hours] : []));
  const senders = rules.flatMap((rule) => (rule.kind === 'many_senders' ? [rule.parameters.days * hoursOfDay] : []));
  return {
    sentWithin: [...new Set(sent)],
    sendersWithin: [...new Set(senders)],
    asksForAccount: rules.some(({ kind }) => kind === 'new_beneficiary' || kind === 'many_senders'),
  };
}

export const noFacts: RuleFacts = {
  usdMinor: undefined,
  sentWithin: new Map(),
  sendersWithin: new Map(),
  knownForHours: undefined,
};

/** Adds what the same person sent as other users. */
export function withSent(
  facts: RuleFacts,
  elsewhere: readonly { readonly hours: number; readonly orders: number; readonly usdMinor: bigint }[],
): RuleFacts {
  const sent = new Map(facts.sentWithin);
  for (const { hours, orders, usdMinor } of elsewhere) {
    const own = sent.get(hours) ?? { orders: 0, usdMinor: 0n };
    sent.set(hours, { orders: own.orders + orders, usdMinor: own.usdMinor + usdMinor });
  }
  return { ...facts, sentWithin: sent };
}
