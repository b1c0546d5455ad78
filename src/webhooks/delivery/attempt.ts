/** One request to an endpoint and what came of it: the words between delivering and the HTTP client. */

export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Asked immediately before the first byte is written; false withholds the request. */
  readonly mayStart?: () => boolean;
}

export const failureReasons = [
  'timeout',
  'blocked_address',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  'protocol_error',
] as const;
/** Why no answer came. */
export type FailureReason = (typeof failureReasons)[number];

export type AttemptOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The header as it was sent. */
      readonly retryAfter: string | undefined;
      /** The first KiB of the body at most. */
      readonly answerStart: Buffer;
      /** The body did not end in time. */
      readonly isSlow: boolean;
      readonly durationMs: number;
    }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly durationMs: number };
/** withheld: nothing was sent, and no attempt was made. */
export type AttemptResult = AttemptOutcome | { readonly kind: 'withheld' };

/** Whoever can make an attempt. One for each endpoint: connections are never shared with another. */
export interface AttemptClient {
  /** Never throws: whatever happens is a result. */
  post(request: AttemptRequest): Promise<AttemptResult>;
  close(): Promise<void>;
}
