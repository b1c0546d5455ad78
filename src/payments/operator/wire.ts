/** Payers as operators see them on the wire. */
import type { Payer } from '../payment.js';

export function encodePayer(payer: Payer | undefined) {
  if (!payer) return null;
  return { name: payer.name, account: payer.account ?? null, remittanceText: payer.remittanceText };
}
