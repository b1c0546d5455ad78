/** Figures as text, exactly as they were published: no float ever sees them. */

/** Wide enough for the smallest and the largest unit of money there is; money reads rates of at most 30 digits. */
const plain = /^(?=.{1,31}$)(?:0|[1-9]\d{0,14})(?:\.\d{1,29})?$/;
const scientific = /^(\d{1,30})(?:\.(\d{1,30}))?[eE]([+-]?\d{1,2})$/;

/** The text itself when it is a positive decimal without sign or exponent; else undefined. */
export function plainDecimal(text: string): string | undefined {
  return plain.test(text) && /[1-9]/.test(text) ? text : undefined;
}

/** Also takes an exponent, as JSON has it for small rates: `1.2e-5` is `0.000012`. */
export function plainDecimalOfJsonNumber(literal: string): string | undefined {
  const [, whole, decimals = '', exponent] = scientific.exec(literal) ?? [];
  return plainDecimal(whole === undefined ? literal : movePoint(whole, decimals, Number(exponent)));
}

function movePoint(whole: string, decimals: string, places: number): string {
  const point = whole.length + places;
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${decimals}`.padEnd(point, '0');
  const split = Math.max(point, 1);
  const left = digits.slice(0, split).replace(/^0+(?=\d)/, '');
  const right = digits.slice(split);
  return right === '' ? left : `${left}.${right}`;
}
