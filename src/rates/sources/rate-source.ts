/** What the rates room asks of anyone who publishes exchange rates; who that is, is decided in the wiring. */

/** For a conditional request next time. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * What a source says: 1 unit of `base` is `rates.get(code)` units of `code`. Each figure is a positive plain decimal,
 * as it was published, and stays text until money reads it exactly. The base itself is not among the rates.
 */
export interface PublishedRates {
  readonly base: string;
  readonly publishedAt: Date;
  readonly rates: ReadonlyMap<string, string>;
  readonly validators: Validators;
}

export interface RateSource {
  /** Unique, and never part of an address. */
  readonly name: string;
  /** Older than this many business days: not used. */
  readonly ageLimitBusinessDays: number;
  /**
   * Undefined: nothing new since `known`. Throws a RateSourceFault when what came can't be used, and the reason of the
   * signal when that is what ended it. Whether the news is old, or a figure jumped, is judged by the caller.
   */
  fetch(known: Validators, signal: AbortSignal): Promise<PublishedRates | undefined>;
  /** Whether it looks different from what was last recorded, good or bad. Cheap; only where looking is free, as at a file. */
  hasChanged?(): Promise<boolean>;
  /** Called when the answer of the last `fetch`, or its fault, is in the database. */
  recorded?(): void;
}

export type RateSourceFaultReason =
  /** No connection, or one that broke off. */
  | 'unreachable'
  /** Anything but 200, and 304 where it was asked for. */
  | 'http_status'
  | 'redirected'
  /** Compressed, though that was not asked for. */
  | 'encoded'
  | 'too_large'
  | 'too_slow'
  /** A file that is missing, forbidden, no file at all, or being written. */
  | 'unreadable'
  /** Not the document that was expected, or one that contradicts itself. */
  | 'malformed'
  /** The right document, by which the source says that it won't serve us. */
  | 'refused'
  /** A figure that is no positive plain decimal within bounds. */
  | 'bad_rate'
  | 'no_rates';

/** The message holds no address, no key and nothing of what was received but currency codes. */
export class RateSourceFault extends Error {
  override readonly name = 'RateSourceFault';

  constructor(
    readonly reason: RateSourceFaultReason,
    message: string,
  ) {
    super(message);
  }
}
