/**
 * Requests are counted in lanes, each with its own limits: callers without a token (`anonymous`), hosted pages
 * (`form`), and callers with a token (`api`). A flood in one lane does not affect the others. Needed against attack 3
 * (130 connections without a token made every other request fail).
 */
import type { Route } from '../route.js';

export const lanes = ['anonymous', 'form', 'api'] as const;
export type Lane = (typeof lanes)[number];

const probes = new Set(['/livez', '/readyz', '/metrics']);

/** Undefined for the probes, which are always answered. */
export function laneOf(route: Route): Lane | undefined {
  if (probes.has(route.path)) return undefined;
  if (route.access.token !== 'none') return 'api';
  return route.kind === 'page' || route.kind === 'live' || route.servesPages ? 'form' : 'anonymous';
}

export function perLane<Value>(make: (lane: Lane) => Value): Readonly<Record<Lane, Value>> {
  return { anonymous: make('anonymous'), form: make('form'), api: make('api') };
}
