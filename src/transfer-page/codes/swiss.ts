/** The code of the Swiss QR-bill (SIX implementation guidelines 2.3), for accounts in Switzerland and Liechtenstein. */
import { SwissQRCode } from 'swissqrbill/svg';
import { amountToText } from '../../money/literal.js';
import type { Payment } from './paid-order.js';

/** The size that the guidelines prescribe, in millimetres. */
const size = 46;

/**
 * As SVG of squares and a Swiss cross. Undefined without the address of the holder, which the bill must name, and for
 * what the guidelines do not allow.
 */
export function swissPicture({ account, amount, reference }: Payment): string | undefined {
  const { iban, holderStreet, holderPostalCode, holderTown } = account.details;
  if (amount.currency !== 'CHF' || iban === undefined || !/^(CH|LI)/.test(iban)) return undefined;
  if (holderStreet === undefined || holderPostalCode === undefined || holderTown === undefined) return undefined;
  const creditor = {
    account: iban,
    name: account.holder.slice(0, 70),
    address: holderStreet,
    zip: holderPostalCode,
    city: holderTown,
    country: account.country,
  };
  try {
    // The library takes a number. An amount has two decimals here, and at most fifteen digits, so it is exact.
    return new SwissQRCode({ creditor, currency: 'CHF', amount: Number(amountToText(amount)), reference }, size).toString();
  } catch {
    return undefined;
  }
}
