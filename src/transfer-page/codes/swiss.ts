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
    const code = new SwissQRCode({ creditor, currency: 'CHF', amount: Number(amountToText(amount)), reference }, size);
    return compact(code.toString());
  } catch {
    return undefined;
  }
}

const rectangle = /<rect x="([\d.]+)mm" y="([\d.]+)mm" width="([\d.]+)mm" height="([\d.]+)mm"[^>]*?fill="(\w+)"/g;

/** The library draws each square as an element of its own, 100 kB in all. One path of whole squares is a tenth. */
function compact(svg: string): string {
  const rectangles = [...svg.matchAll(rectangle)].map(([, x, y, width, height, fill]) => ({
    corner: [Number(x), Number(y)] as const,
    sides: [Number(width), Number(height)] as const,
    fill: fill ?? 'black',
  }));
  const side = rectangles[0]?.sides[0] ?? size;
  const count = Math.round(size / side);
  const inSquares = (millimetres: number) => Math.round((millimetres / side) * 1000) / 1000;
  const squares = rectangles.filter(({ sides }) => sides[0] === side);
  const path = squares.map(({ corner: [x, y] }) => `M${inSquares(x)} ${inSquares(y)}h1v1h-1z`).join('');
  const cross = rectangles.filter(({ sides }) => sides[0] !== side);
  const shapes = cross.map(
    ({ corner: [x, y], sides: [width, height], fill }) =>
      `<rect x="${inSquares(x)}" y="${inSquares(y)}" width="${inSquares(width)}" height="${inSquares(height)}" fill="${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}mm" height="${size}mm" viewBox="0 0 ${count} ${count}" shape-rendering="crispEdges"><path fill="#000" d="${path}"/>${shapes.join('')}</svg>`;
}
