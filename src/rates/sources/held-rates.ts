/** The operator's word on rates that are held back. */
import { recordAudit } from '../../audit/service.js';
import { RemesaError } from '../../errors.js';
import { rateFromLiteral, ratioOf } from '../../money/rate.js';
import type { Transaction } from '../../postgres/statement.js';
import { listCorridorRates, lockRateBoard, saveCorridorRates } from '../board/corridor-rate-store.js';
import { isEqual } from '../board/corridor-rates.js';
import type { Pair } from '../board/guard.js';
import type { Figure } from '../board/mid-rate.js';
import { boardChanged, type RatesContext, shownRate, updateCorridorRates } from '../board/rate-state.js';
import type { DoneBy } from '../corridors/service.js';
import { collectJobName } from './collecting.js';
import * as store from './source-store.js';

/** Names a figure by source and currency; `rate` is the one that the operator has seen. */
export interface SeenFigure {
  readonly source: string;
  readonly currency: string;
  readonly rate: string;
}

/**
 * Money is quoted from this figure from now on, however far it jumped. Throws `rate_not_held` when none is held, and
 * `held_rate_changed` when it is not the one that was seen.
 */
export async function acceptHeldRate(
  tx: Transaction,
  context: RatesContext,
  by: DoneBy,
  { source, currency, rate }: SeenFigure,
): Promise<void> {
  await lockRateBoard(tx);
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw notHeld();
  refuseAnother(rate, held.rate);
  await store.saveCurrentRates(tx, [held]);
  const isThisOne = (figure: Figure) => figure.source === source && figure.currency === currency;
  await updateCorridorRates(tx, context, ({ figures }) => figures.some(isThisOne));
  tx.wake(boardChanged);
  await recordVerdict(tx, by, 'rate.accepted', held);
}

/** Throws the figure away; published again, it is held again. Throws `rate_not_held`. */
export async function refuseHeldRate(
  tx: Transaction,
  by: DoneBy,
  source: string,
  currency: string,
): Promise<void> {
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw notHeld();
  await recordVerdict(tx, by, 'rate.refused', held);
}

/**
 * Accepts the rate that the board gives for a corridor, although it jumped. Throws `rate_not_held` when the corridor's rate
 * is not held, and `held_rate_changed` when it is not the one that was seen.
 */
export async function acceptCorridorRate(
  tx: Transaction,
  by: DoneBy,
  { fiatIn, fiatOut }: Pair,
  seenRate: string,
): Promise<void> {
  await lockRateBoard(tx);
  const known = (await listCorridorRates(tx)).find(
    (rate) => rate.fiatIn === fiatIn && rate.fiatOut === fiatOut,
  );
  if (!known?.held) throw notHeld();
  refuseAnother(seenRate, shownRate(known.held));
  await saveCorridorRates(tx, [{ fiatIn, fiatOut, accepted: known.held, held: undefined }]);
  tx.wake(boardChanged);
  const details = { rate: shownRate(known.held), previousRate: shownRate(known.accepted) };
  const subject = `corridor:${fiatIn}-${fiatOut}`;
  await recordAudit(tx, { ...by, action: 'corridor.rate_accepted', subject, details });
}

/** Has the source asked now instead of when it is due. Throws `rate_source_not_found`. */
export async function collectNow(
  tx: Transaction,
  { sources }: RatesContext,
  by: DoneBy,
  source: string,
): Promise<void> {
  if (!sources.some(({ name }) => name === source))
    throw new RemesaError('not_found', 'rate_source_not_found', 'There is no rate source of this name.');
  await store.makeSourceDue(tx, source);
  tx.wake(collectJobName);
  await recordAudit(tx, {
    ...by,
    action: 'rate_source.collected',
    subject: `rate_source:${source}`,
    details: {},
  });
}

async function recordVerdict(
  tx: Transaction,
  by: DoneBy,
  action: 'rate.accepted' | 'rate.refused',
  { source, currency, rate, previousRate }: store.HeldFigure,
): Promise<void> {
  const details = { rate, ...(previousRate === undefined ? {} : { previousRate }) };
  await recordAudit(tx, { ...by, action, subject: `rate:${source}:${currency}`, details });
}

function refuseAnother(seen: string, held: string): void {
  const [left, right] = [rateFromLiteral(seen), rateFromLiteral(held)];
  const isSame = 'fault' in left || 'fault' in right ? seen === held : isEqual(ratioOf(left), ratioOf(right));
  if (isSame) return;
  throw new RemesaError('conflict', 'held_rate_changed', `Not ${seen} but ${held} is held now.`, {
    members: { rate: seen, heldRate: held },
  });
}

function notHeld(): RemesaError {
  return new RemesaError('not_found', 'rate_not_held', 'No such rate is held back.');
}
