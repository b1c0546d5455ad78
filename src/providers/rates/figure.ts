/** Reads published rates as text and keeps every digit. They are never converted to floats. */

/** Wide enough for the smallest and the largest currency unit. `money` reads rates of at most 30 digits. */
const plain = /^(?=.{1,31}$)(?:0|[1-9]\d{0,14})(?:\.\d{1,29})?$/;
const scientific = /^(\d{1,30})(?:\.(\d{1,30}))?[eE]([+-]?\d{1,2})$/;

/** Returns the text if it is a positive decimal without sign or exponent, otherwise undefined. */
export function plainDecimal(text: string): string | undefined {
  return plain.test(text) && /[1-9]/.test(text) ? text : undefined;
}

/** Also accepts an exponent, which JSON uses for small rates, and returns `1.2e-5` as `0.000012`. */
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
