/**
 * Why there was no answer. No reason contains the address. `withheld` means that the caller cancelled the request
 * before its first byte was sent.
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
