/** Why no connection came about. The reasons are words for a log; nothing of the address stands in them. */
export type OutgoingFaultReason =
  | 'timeout'
  | 'blocked_address'
  | 'name_not_found'
  | 'connection_failed'
  | 'tls_failed'
  | 'protocol_error';

export class OutgoingFault extends Error {
  override readonly name = 'OutgoingFault';

  constructor(readonly reason: OutgoingFaultReason) {
    super(reason);
  }
}
