/** The error codes of quotes, corridors and rate sources, with the texts that explain them to callers. */
import type { ProblemCatalogue } from '../http/problems/problem-catalogue.js';

export const rateProblems: ProblemCatalogue = {
  corridor_unavailable: {
    kind: 'impossible',
    title: 'The corridor is closed',
    remedy:
      'Choose an open corridor from GET /corridors. A corridor whose rate is being looked at opens again by itself: try later.',
    exampleMembers: { fiatIn: 'USD', fiatOut: 'MXN' },
  },
  amount_out_of_range: {
    kind: 'impossible',
    title: 'The amount is outside the limits',
    remedy: 'Send an amount between `min` and `max`, in `currency`.',
    exampleMembers: { min: 5, max: 25_000, currency: 'USD' },
  },
  payout_below_minimum: {
    kind: 'impossible',
    title: 'The payout would be too small',
    remedy: 'Send more: at least `min` of `currency` must arrive after the fee.',
    exampleMembers: { min: 18, currency: 'MXN' },
  },
  rates_unavailable: {
    kind: 'unavailable',
    title: 'There is no current rate',
    remedy:
      'There is no recent rate for this corridor, or none for US dollars, which the limits need. Try again after Retry-After.',
  },
  rate_not_found: {
    kind: 'not_found',
    title: 'No such quote',
    remedy: 'Check the code. The quote may belong to someone else.',
  },
  rate_already_used: {
    kind: 'conflict',
    title: 'The quote has already been used',
    remedy: 'A quote is good for one order. Create a new one.',
  },
  rate_expired: {
    kind: 'conflict',
    title: 'The quote has expired',
    remedy: 'Create a new quote and use it before its `expirationDate`.',
    exampleMembers: { expirationDate: '2026-11-15T10:00:00.000Z' },
  },
  rate_not_held: {
    kind: 'not_found',
    title: 'No such held rate',
    remedy:
      'It has been decided already, or a newer rate was accepted. GET /operator/rates lists the rates that are held now.',
  },
  held_rate_changed: {
    kind: 'conflict',
    title: 'Another rate is held now',
    remedy: 'Compare `heldRate` with the market. If it is right, accept it by sending it as `rate`.',
    exampleMembers: { rate: '2100.5', heldRate: '2180.75' },
  },
  rate_sources_differ: {
    kind: 'conflict',
    title: 'Two rate sources differ',
    remedy:
      'Correct the wrong source or remove it from RATE_SOURCES, or let the corridor be quoted meanwhile: save it with `onHold` `quote`.',
  },
  rate_source_not_found: {
    kind: 'not_found',
    title: 'No such rate source',
    remedy: 'GET /operator/rates lists the sources by name.',
  },
  version_conflict: {
    kind: 'conflict',
    title: 'The version is no longer current',
    remedy: 'Another operator has changed it. Read it again, apply your change, and send it with the new `version`.',
    exampleMembers: {
      conflicts: [{ fiatIn: 'USD', fiatOut: 'MXN', version: 3, currentVersion: 4 }],
    },
  },
};
