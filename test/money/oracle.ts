/**
 * What the answers must be, by other means than `src/money`: schoolbook arithmetic on the written digits, and fractions.
 * It imports nothing of what it judges.
 */

const without = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const withThree = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const withFour = 'CLF UYW'.split(' ');

export function decimalsOf(currency: string): number {
  if (without.includes(currency)) return 0;
  if (withThree.includes(currency)) return 3;
  return withFour.includes(currency) ? 4 : 2;
}

export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** Undefined for what is not digits with at most one point between them, or begins with a zero too many. */
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

/** The minor units that a literal means; undefined where it is to be refused. */
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

/** The product as one writes it out on paper, cut after so many decimals, in its shortest form. */
export function productCut(left: string, right: string, decimals: number): string {
  const [one, other] = [columnsOf(left), columnsOf(right)];
  const columns: number[] = new Array(one.digits.length + other.digits.length + 1).fill(0);
  one.digits.forEach((a, i) => {
    other.digits.forEach((b, j) => {
      columns[i + j] = (columns[i + j] ?? 0) + a * b;
    });
  });
  for (let at = 0; at < columns.length - 1; at += 1) {
    const column = columns[at] ?? 0;
    columns[at] = column % 10;
    columns[at + 1] = (columns[at + 1] ?? 0) + (column - (column % 10)) / 10;
  }
  const point = one.decimals + other.decimals;
  const written = columns
    .reverse()
    .join('')
    .padStart(point + 1, '0');
  const fraction = written
    .slice(written.length - point)
    .padEnd(point, '0')
    .slice(0, decimals);
  return shortest(written.slice(0, written.length - point), point === 0 ? '' : fraction);
}

/** The quotient by long division, cut after so many significant digits, in its shortest form. */
export function quotientCut(dividend: Fraction, divisor: Fraction, digits: number): string {
  const over = dividend.over * divisor.under;
  const under = dividend.under * divisor.over;
  const whole = (over / under).toString();
  let rest = over % under;
  let left = whole === '0' ? digits : digits - whole.length;
  let isBegun = whole !== '0';
  let fraction = '';
  while (left > 0 && rest > 0n) {
    rest *= 10n;
    const digit = rest / under;
    rest -= digit * under;
    fraction += digit;
    isBegun ||= digit > 0n;
    if (isBegun) left -= 1;
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
