/** Which rail takes a payment: the first entry of the setting PAYOUT_RAILS that fits. Pure. */
import type { PlanRequest, Rail } from './rail.js';

export interface RailRoute {
  readonly rail: string;
  readonly methods: readonly string[] | 'any';
  readonly currencies: readonly string[] | 'any';
}

/** Undefined when no rail takes it. */
export function chooseRail(
  routes: readonly RailRoute[],
  rails: ReadonlyMap<string, Rail>,
  { method, amount }: PlanRequest,
): Rail | undefined {
  for (const route of routes) {
    const rail = rails.get(route.rail);
    const limits = rail ? [route, rail.capabilities] : [];
    const fits = limits.every(
      ({ methods, currencies }) => includes(methods, method) && includes(currencies, amount.currency),
    );
    if (rail && fits) return rail;
  }
  return undefined;
}

function includes(list: readonly string[] | 'any', value: string): boolean {
  return list === 'any' || list.includes(value);
}
