/**
 * Why there was no answer. The reasons never contain the address. `withheld`: when the connection was ready, the caller no
 * longer wanted the request to be sent, so nothing was sent.
 */
export type OutgoingErrorReason =
  | 'timeout'
  | 'blocked_address'
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'protocol_error'
  | 'withheld';

export class OutgoingError extends Error {
  override readonly name = 'OutgoingError';

  constructor(readonly reason: OutgoingErrorReason) {
    super(reason);
  }
}
