/** The code that a banking app reads instead of what its owner would type, where the currency of the order has one. */
import encodeQR from 'qr';
import { epcText } from './epc.js';
import type { Payment } from './paid-order.js';
import { pixText } from './pix.js';
import { swissPicture } from './swiss.js';
import { upiText } from './upi.js';

export interface PaymentCode {
  /** SVG that we or the library of the Swiss bill have drawn: shapes only. */
  readonly picture: string;
  /** Opens a payment app on the same device. */
  readonly link?: string;
  /** The content, for apps that take it as text. */
  readonly text?: string;
}

/** Undefined where there is no such code, and for an account that nobody pays to. */
export function paymentCodeOf(payment: Payment): PaymentCode | undefined {
  if (payment.account.isSimulated) return undefined;
  const swiss = swissPicture(payment);
  if (swiss !== undefined) return { picture: swiss };
  const upi = upiText(payment);
  if (upi !== undefined) return { picture: drawn(upi), link: upi };
  const pix = pixText(payment);
  if (pix !== undefined) return { picture: drawn(pix), text: pix };
  const epc = epcText(payment);
  return epc === undefined ? undefined : { picture: drawn(epc) };
}

const border = 4;

/** One path of squares on white, whatever the colours of the page are. Error correction of level M. */
function drawn(text: string): string {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border });
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const side = rows.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path fill="#000" d="${squares.join('')}"/></svg>`;
}
