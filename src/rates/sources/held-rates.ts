/** The operator's word on rates that are held back. */
import { recordAudit } from '../../audit/service.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { rateFromLiteral, ratioOf } from '../../money/rate.js';
import type { Transaction } from '../../postgres/statement.js';
import { listCorridorRates, lockRateBoard, saveCorridorRates } from '../board/corridor-rate-store.js';
import type { Pair } from '../board/guard.js';
import { boardChanged, type RatesContext, settleRates, shownRate } from '../board/guarded-board.js';
import type { Figure } from '../board/mid-rate.js';
import { isEqual } from '../board/settling.js';
import { collectJobName } from './collecting.js';
import * as store from './source-store.js';

/** Names a figure by source and currency; `rate` and `base` are what the operator has seen. */
export interface SeenFigure {
  readonly source: string;
  readonly currency: string;
  readonly rate: string;
  readonly base?: string;
}

/**
 * Money is quoted from this figure from now on, however far it jumped. A corridor that jumps without it stays held, and
 * is accepted by itself. Throws `rate_not_held` when none is held, and
 * `held_rate_changed` when it is not the one that was seen.
 */
export async function acceptHeldRate(
  tx: Transaction,
  context: RatesContext,
  by: By,
  { source, currency, rate, base }: SeenFigure,
): Promise<void> {
  await lockRateBoard(tx);
  // Corridors that jump already are held from here on.
  await settleRates(tx, context);
  const [held] = await store.releaseRates(tx, source, [currency]);
  if (!held) throw notHeld();
  refuseAnother(rate, held.rate);
  if (base !== undefined && base !== held.base)
    throw changed(
      { rate, heldRate: held.rate },
      `Not a rate for one ${base} but for one ${held.base} is held now.`,
    );
  await store.saveCurrentRates(tx, [held]);
  const isThisOne = (figure: Figure) => figure.source === source && figure.currency === currency;
  await settleRates(tx, context, ({ figures }) => figures.some(isThisOne));
  tx.wake(boardChanged);
  await recordVerdict(tx, by, 'rate.accepted', held);
}

/** Throws the figure away; published again, it is held again. Throws `rate_not_held`. */
export async function refuseHeldRate(
  tx: Transaction,
  by: By,
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
  by: By,
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
  by: By,
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
  by: By,
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
  throw changed({ rate: seen, heldRate: held }, `Not ${seen} but ${held} is held now.`);
}

function changed(members: { rate: string; heldRate: string }, message: string): RemesaError {
  return new RemesaError('conflict', 'held_rate_changed', message, { members });
}

function notHeld(): RemesaError {
  return new RemesaError('not_found', 'rate_not_held', 'No such rate is held back.');
}
