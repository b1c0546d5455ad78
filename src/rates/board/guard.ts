/**
 * Decides which rates money may be quoted at. A rate is compared with the last accepted one of its corridor, whatever
 * made it change: a figure, the base of a source, the order of the sources, or a source that went stale.
 */
import { type CurrencyCode, currencyCode } from '../../money/currency.js';
import { type Ratio, rateFromLiteral, ratioOf } from '../../money/rate.js';
import { type Figure, type MidRate, midRates, type SourceRates } from './mid-rate.js';
import { boardOf, type PublishedFigure, type RankedSource } from './source-rates.js';

export interface Pair {
  readonly fiatIn: CurrencyCode;
  readonly fiatOut: CurrencyCode;
}

export type StatedRate = Pick<MidRate, 'ratio' | 'source' | 'publishedAt'>;

/** The last accepted rate of a corridor and, while the sources say something too far from it, what they say. */
export interface CorridorRate extends Pair {
  readonly accepted: StatedRate;
  readonly held: StatedRate | undefined;
}

export function pairKey(fiatIn: CurrencyCode, fiatOut: CurrencyCode): string {
  return fiatIn + fiatOut;
}

/** By more than a fifth, up or down. */
export function jumpsTooFar(before: Ratio, after: Ratio): boolean {
  const was = before.numerator * after.denominator;
  const is = after.numerator * before.denominator;
  return is * 10n > was * 12n || is * 10n < was * 8n;
}

/** The first rate of the board that does not jump from the accepted one; the first of all where none was accepted yet. */
export function quotableRate(
  board: readonly SourceRates[],
  { fiatIn, fiatOut }: Pair,
  accepted: Ratio | undefined,
  now: Date,
): MidRate | undefined {
  for (const candidate of midRates(board, fiatIn, fiatOut, now)) {
    if (!accepted || !jumpsTooFar(accepted, candidate.ratio)) return candidate;
  }
  return undefined;
}

/** Everything that prices depend on. */
export interface RateState {
  readonly rankedSources: readonly RankedSource[];
  readonly figures: readonly PublishedFigure[];
  readonly openCorridors: readonly Pair[];
  /** By `pairKey`. */
  readonly corridorRates: ReadonlyMap<string, CorridorRate>;
}

/**
 * The currencies whose new figures must not be taken: an open corridor would jump or lose its rate, or the source would
 * contradict its own earlier figures. The figure behind most of the failures is held first, and then all is checked
 * again, so that one wrong figure does not take the others with it. Where the base is new as well, all are held.
 * The news are of one source and one base.
 */
export function figuresToHold(
  before: RateState,
  news: readonly PublishedFigure[],
  now: Date,
): ReadonlySet<string> {
  const held = new Set<string>();
  const checks = [...corridorChecks(before, now), ...sourceChecks(before.figures, news[0]?.source)];
  for (;;) {
    const taken = news.filter(({ currency }) => !held.has(currency));
    const failures = failuresByCurrency(withNewFigures(before.figures, taken), taken, checks, now);
    if (failures.size === 0) break;
    const most = Math.max(...failures.values());
    for (const [currency, count] of failures) if (count === most) held.add(currency);
  }
  const isDoubtful = held.size > 0 && hasNewBase(before.figures, news);
  return isDoubtful ? new Set(news.map(({ currency }) => currency)) : held;
}

function hasNewBase(figures: readonly PublishedFigure[], [first]: readonly PublishedFigure[]): boolean {
  const earlier = figures.filter(({ source }) => source === first?.source);
  return earlier.length > 0 && !earlier.some(({ base }) => base === first?.base);
}

/** The figures as they are once the news are taken: one for each source and currency. */
export function withNewFigures(
  figures: readonly PublishedFigure[],
  news: readonly PublishedFigure[],
): PublishedFigure[] {
  const replaced = new Set(news.map(figureKey));
  return [...figures.filter((figure) => !replaced.has(figureKey(figure))), ...news];
}

interface Check {
  readonly pair: Pair;
  readonly before: Ratio;
  /** What the rate before was made of. */
  readonly figures: readonly Figure[];
  readonly rankedSources: readonly RankedSource[];
}

function corridorChecks(
  { rankedSources, figures, openCorridors, corridorRates }: RateState,
  now: Date,
): Check[] {
  const board = boardOf(rankedSources, figures);
  return openCorridors.flatMap((pair) => {
    const accepted = corridorRates.get(pairKey(pair.fiatIn, pair.fiatOut))?.accepted.ratio;
    const quoted = quotableRate(board, pair, accepted, now);
    const before = accepted ?? quoted?.ratio;
    return before ? [{ pair, before, figures: quoted?.figures ?? [], rankedSources }] : [];
  });
}

/** Each earlier figure of the source, whatever its age, as the rate from the base that it was published in. */
function sourceChecks(figures: readonly PublishedFigure[], source: string | undefined): Check[] {
  const rankedSources = [{ name: source ?? '', ageLimitBusinessDays: Number.POSITIVE_INFINITY }];
  return figures.flatMap((figure) => {
    const [fiatIn, fiatOut] = [currencyCode(figure.base), currencyCode(figure.currency)];
    const rate = rateFromLiteral(figure.rate);
    if (figure.source !== source || !fiatIn || !fiatOut || 'fault' in rate) return [];
    const own = [{ source, currency: fiatOut }];
    return [{ pair: { fiatIn, fiatOut }, before: ratioOf(rate), figures: own, rankedSources }];
  });
}

/** How many checks fail because of the new figure of each currency. */
function failuresByCurrency(
  figures: readonly PublishedFigure[],
  taken: readonly PublishedFigure[],
  checks: readonly Check[],
  now: Date,
): ReadonlyMap<string, number> {
  const news = new Set(taken.map(figureKey));
  const boards = new Map<readonly RankedSource[], readonly SourceRates[]>();
  const counts = new Map<string, number>();
  for (const check of checks) {
    const board = boards.get(check.rankedSources) ?? boardOf(check.rankedSources, figures);
    boards.set(check.rankedSources, board);
    const culprits = culpritsOf(check, board, (figure) => news.has(figureKey(figure)), now);
    for (const currency of new Set(culprits.map((figure) => figure.currency)))
      counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return counts;
}

/** A rate that jumps without the news is none of their doing: it is not quoted, and the next one is looked at. */
function culpritsOf(
  { pair, before, figures }: Check,
  board: readonly SourceRates[],
  isNew: (figure: Figure) => boolean,
  now: Date,
): readonly Figure[] {
  for (const candidate of midRates(board, pair.fiatIn, pair.fiatOut, now)) {
    if (!jumpsTooFar(before, candidate.ratio)) return [];
    const news = candidate.figures.filter(isNew);
    if (news.length > 0) return news;
  }
  // There was a rate and now there is none.
  return figures.filter(isNew);
}

function figureKey({ source, currency }: { source: string; currency: string }): string {
  return `${currency} ${source}`;
}
