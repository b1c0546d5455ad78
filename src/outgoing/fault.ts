/**
 * Why no answer came. The reasons are words for a log; nothing of the address stands in them. `withheld`: the caller no
 * longer wanted the request to be sent when its connection was ready, so nothing was sent.
 */
export type OutgoingFaultReason =
  | 'timeout'
  | 'blocked_address'
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'protocol_error'
  | 'withheld';

export class OutgoingFault extends Error {
  override readonly name = 'OutgoingFault';

  constructor(readonly reason: OutgoingFaultReason) {
    super(reason);
  }
}
