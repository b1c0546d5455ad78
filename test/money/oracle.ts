/**
 * Computes the expected results independently of `src/money`, with schoolbook arithmetic on digits and with fractions.
 * It imports nothing from `src`.
 */

const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const fourDecimals = 'CLF UYW'.split(' ');

export function decimalsOf(currency: string): number {
  if (noDecimals.includes(currency)) return 0;
  if (threeDecimals.includes(currency)) return 3;
  return fourDecimals.includes(currency) ? 4 : 2;
}

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Returns undefined for anything but digits with at most one point between them and no needless leading zero. */
export function fractionOf(text: string): Fraction | undefined {
  const parts = text.split('.');
  if (parts.length > 2 || parts.some((part) => part === '')) return undefined;
  if ([...parts.join('')].some((character) => !'0123456789'.includes(character))) return undefined;
  if (text[0] === '0' && text.length > 1 && text[1] !== '.') return undefined;
  let over = 0n;
  for (const digit of parts.join('')) over = over * 10n + BigInt(digit);
  let under = 1n;
  for (const _ of parts[1] ?? '') under *= 10n;
  return { over, under };
}

/** The minor units of a literal. Undefined when it must be refused. */
export function minorOf(text: string, decimals: number): bigint | undefined {
  const value = fractionOf(text);
  if (!value) return undefined;
  const scaled = value.over * 10n ** BigInt(decimals);
  if (scaled % value.under !== 0n) return undefined;
  const minor = scaled / value.under;
  return minor > 1_000_000_000_000_000n || significantDigitsOf(text) > 15 ? undefined : minor;
}

export function significantDigitsOf(text: string): number {
  const digits = [...text].filter((character) => character !== '.');
  while (digits[0] === '0') digits.shift();
  while (digits.at(-1) === '0') digits.pop();
  return digits.length;
}

/** The product by long multiplication, cut off after that many decimals, in its shortest form. */
export function productCut(left: string, right: string, decimals: number): string {
  const [first, second] = [columnsOf(left), columnsOf(right)];
  const columns: number[] = new Array(first.digits.length + second.digits.length + 1).fill(0);
  first.digits.forEach((a, i) => {
    second.digits.forEach((b, j) => {
      columns[i + j] = (columns[i + j] ?? 0) + a * b;
    });
  });
  for (let at = 0; at < columns.length - 1; at += 1) {
    const column = columns[at] ?? 0;
    columns[at] = column % 10;
    columns[at + 1] = (columns[at + 1] ?? 0) + (column - (column % 10)) / 10;
  }
  const point = first.decimals + second.decimals;
  const text = columns
    .reverse()
    .join('')
    .padStart(point + 1, '0');
  const fraction = text
    .slice(text.length - point)
    .padEnd(point, '0')
    .slice(0, decimals);
  return shortest(text.slice(0, text.length - point), point === 0 ? '' : fraction);
}

/** The quotient by long division, cut off after that many significant digits, in its shortest form. */
export function quotientCut(dividend: Fraction, divisor: Fraction, digits: number): string {
  const over = dividend.over * divisor.under;
  const under = dividend.under * divisor.over;
  const whole = (over / under).toString();
  let remainder = over % under;
  let digitsLeft = whole === '0' ? digits : digits - whole.length;
  let isBegun = whole !== '0';
  let fraction = '';
  while (digitsLeft > 0 && remainder > 0n) {
    remainder *= 10n;
    const digit = remainder / under;
    remainder -= digit * under;
    fraction += digit;
    isBegun ||= digit > 0n;
    if (isBegun) digitsLeft -= 1;
  }
  return shortest(whole.slice(0, digits).padEnd(whole.length, '0'), fraction);
}

function columnsOf(text: string): { digits: number[]; decimals: number } {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: [...(whole + fraction)].map(Number).reverse(), decimals: fraction.length };
}

function shortest(whole: string, fraction: string): string {
  const front = [...whole];
  while (front.length > 1 && front[0] === '0') front.shift();
  const back = [...fraction];
  while (back.at(-1) === '0') back.pop();
  return back.length === 0 ? front.join('') : `${front.join('')}.${back.join('')}`;
}
