/** One request to an endpoint and its result: the contract between a turn and the HTTP client. */
import type { EventId } from '../../changes/event.js';
import type { StartOfPost } from '../../outgoing/kept-connection.js';
import { type EventContent, notificationBody } from '../event.js';
import { type Signers, signatureHeaders } from '../signing/signature.js';

export interface AttemptRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export const failureReasons = [
  'timeout',
  'blocked_address',
  'name_not_found',
  'connection_failed',
  'tls_failed',
  'protocol_error',
] as const;
/** Why there was no answer. */
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
/** `withheld`: nothing was sent, so this does not count as an attempt. */
export type AttemptResult = AttemptOutcome | { readonly kind: 'withheld' };

/** Makes the attempts of one endpoint. Endpoints never share a client, and so never a connection. */
export interface AttemptClient {
  /** Never throws: every failure is a result. */
  post(request: AttemptRequest, start?: StartOfPost): Promise<AttemptResult>;
  close(): Promise<void>;
}

export function signedRequest(
  event: EventContent & { readonly eventId: EventId },
  { url, signers }: { readonly url: string; readonly signers: Signers },
  sentAt: Date,
): AttemptRequest {
  const body = Buffer.from(notificationBody(event));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Remesa-Webhooks/1',
    ...signatureHeaders(signers, event.eventId, sentAt, body),
  };
  return { url, headers, body };
}
