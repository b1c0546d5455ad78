/** The verbs of held rates and rate sources, for operators. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { isSameRatio, rateFromLiteral, ratioOf } from '../../money/rate.js';
import { lockInstance } from '../../postgres/instance.js';
import type { Transaction } from '../../postgres/statement.js';
import { collectJobName } from '../board/collecting.js';
import { listCorridorRates, saveCorridorRates } from '../board/corridor-rate-store.js';
import type { Pair } from '../board/guard.js';
import type { Figure } from '../board/mid-rate.js';
import { boardChanged, type RatesContext, shownRate, updateCorridorRates } from '../board/rate-state.js';
import * as store from '../sources/source-store.js';

/** Names a figure by source and currency. `rate` and `base` are those that the operator saw. */
export interface SeenFigure {
  readonly source: string;
  readonly currency: string;
  readonly rate: string;
  readonly base?: string;
}

/**
 * Accepts a held figure, however far it jumped. A corridor that jumps for another reason stays held and is accepted
 * separately. Throws `rate_not_held` when no figure is held, and `held_rate_changed` when it is not the one that was
 * seen.
 */
export async function acceptHeldRate(
  tx: Transaction,
  context: RatesContext,
  by: By,
  { source, currency, rate, base }: SeenFigure,
): Promise<void> {
  await lockInstance(tx);
  // A corridor that jumps already, for another reason, must be held before this figure is accepted.
  await updateCorridorRates(tx, context);
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw notHeld();
  refuseChanged(rate, held.rate);
  if (base !== undefined && base !== held.base)
    throw heldRateChanged(
      { rate, heldRate: held.rate },
      `The held rate is now for one ${held.base}, not for one ${base}.`,
    );
  await store.saveCurrentRates(tx, [held]);
  const isAccepted = (figure: Figure) => figure.source === source && figure.currency === currency;
  await updateCorridorRates(tx, context, ({ figures }) => figures.some(isAccepted));
  tx.wake(boardChanged);
  await recordDecision(tx, by, 'rate.accepted', held);
}

/** Discards the figure. If it is published again, it is held again. Throws `rate_not_held` when no figure is held. */
export async function refuseHeldRate(tx: Transaction, by: By, source: string, currency: string): Promise<void> {
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw notHeld();
  // Corridors that were closed because of it open again.
  tx.wake(boardChanged);
  await recordDecision(tx, by, 'rate.refused', held);
}

/**
 * Accepts the held rate of a corridor. Throws `rate_not_held` when the corridor has none, `held_rate_changed` when it
 * is not the one that was seen, and `rate_sources_differ` when it is held because of another source: that source would
 * still differ afterwards.
 */
export async function acceptCorridorRate(
  tx: Transaction,
  by: By,
  { fiatIn, fiatOut }: Pair,
  seenRate: string,
): Promise<void> {
  await lockInstance(tx);
  const current = (await listCorridorRates(tx)).find((rate) => rate.fiatIn === fiatIn && rate.fiatOut === fiatOut);
  if (!current?.held) throw notHeld();
  if (current.held.because === 'sources_differ') throw sourcesDiffer(current.accepted.source, current.held.source);
  refuseChanged(seenRate, shownRate(current.held));
  await saveCorridorRates(tx, [{ fiatIn, fiatOut, accepted: current.held, held: undefined }]);
  tx.wake(boardChanged);
  const details = { rate: shownRate(current.held), previousRate: shownRate(current.accepted) };
  const subject = `corridor:${fiatIn}-${fiatOut}`;
  await recordChange(tx, by, { merchantId: instanceTenant, action: 'corridor.rate_accepted', subject, details });
}

/** Makes the source due now. Throws `rate_source_not_found` when there is no source of this name. */
export async function collectNow(tx: Transaction, { sources }: RatesContext, by: By, source: string): Promise<void> {
  if (!sources.some(({ name }) => name === source))
    throw new RemesaError('not_found', 'rate_source_not_found', 'There is no rate source of this name.');
  await store.makeSourceDue(tx, source);
  tx.wake(collectJobName);
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: 'rate_source.collected',
    subject: `rate_source:${source}`,
    details: {},
  });
}

async function recordDecision(
  tx: Transaction,
  by: By,
  action: 'rate.accepted' | 'rate.refused',
  { source, currency, rate, previousRate }: store.HeldFigure,
): Promise<void> {
  const details = { rate, ...(previousRate === undefined ? {} : { previousRate }) };
  await recordChange(tx, by, { merchantId: instanceTenant, action, subject: `rate:${source}:${currency}`, details });
}

/** Throws `held_rate_changed` unless both are the same number. */
function refuseChanged(seen: string, held: string): void {
  const [left, right] = [rateFromLiteral(seen), rateFromLiteral(held)];
  const isSame = 'fault' in left || 'fault' in right ? seen === held : isSameRatio(ratioOf(left), ratioOf(right));
  if (isSame) return;
  throw heldRateChanged({ rate: seen, heldRate: held }, `The held rate is now ${held}, not ${seen}.`);
}

function heldRateChanged(members: { rate: string; heldRate: string }, message: string): RemesaError {
  return new RemesaError('conflict', 'held_rate_changed', message, { members });
}

function sourcesDiffer(preferred: string, other: string): RemesaError {
  const message = `The corridor is held because ${other} differs from ${preferred}, whose rate is in use.`;
  return new RemesaError('conflict', 'rate_sources_differ', message);
}

function notHeld(): RemesaError {
  return new RemesaError('not_found', 'rate_not_held', 'No such rate is held.');
}
