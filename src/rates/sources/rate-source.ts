/**
 * The interface of a publisher of exchange rates. `src/providers/rates/` implements it; `src/app.ts` chooses the
 * sources.
 */

/** Sent with the next request, so that the publisher can answer that nothing has changed. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * One publication: 1 unit of `base` is `rates.get(code)` units of `code`. Each figure is a positive plain decimal, kept
 * as the published text so that it can be read exactly. The base itself is not among the rates.
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
  /** A rate that is older than this many business days is not used. */
  readonly ageLimitBusinessDays: number;
  /**
   * Returns undefined when nothing has changed since `validators`. Throws a `RateSourceFault` when the answer cannot be
   * used, and the reason of the signal when the signal ended the request. The caller decides whether a figure is too
   * old or jumped.
   */
  fetch(validators: Validators, signal: AbortSignal): Promise<PublishedRates | undefined>;
  /**
   * Whether the content differs from what was last recorded. Only for sources where this check is cheap, such as a
   * file.
   */
  hasChanged?(): Promise<boolean>;
  /** Called when the result of the last `fetch`, or its fault, has been recorded. */
  recorded?(): void;
}

export type RateSourceFaultReason =
  /** No connection, or it was lost. */
  | 'unreachable'
  /** Another status than 200, or than 304 in answer to a conditional request. */
  | 'http_status'
  | 'redirected'
  /** The answer is compressed although that was not requested. */
  | 'encoded'
  | 'too_large'
  | 'too_slow'
  /** The file is missing, not readable, not a regular file, or being written. */
  | 'unreadable'
  /** The document is not the expected one, or contradicts itself. */
  | 'malformed'
  /** The document says that the source refuses the request. */
  | 'refused'
  /** A figure is not a positive plain decimal within the limits. */
  | 'bad_rate'
  | 'no_rates';

/** The message contains no address, no key, and of what was received only currency codes. */
export class RateSourceFault extends Error {
  override readonly name = 'RateSourceFault';

  constructor(
    readonly reason: RateSourceFaultReason,
    message: string,
  ) {
    super(message);
  }
}
