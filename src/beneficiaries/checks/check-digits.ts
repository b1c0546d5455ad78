/**
 * Check digits of bank accounts for which no library is right. Each function takes digits in the exact length and says
 * whether they match. `stdnum` refuses one CBU in ten (a check digit of 0) and every CLABE of a bank that it does not
 * know.
 */

/** Mexico, 18 digits: weights 3 7 1 (https://es.wikipedia.org/wiki/CLABE). */
export function isClabe(digits: string): boolean {
  return weighted(digits.slice(0, 17), [3, 7, 1]) === checkDigit(digits, 17);
}

/**
 * Argentina, 22 digits, also a CVU: two blocks with a digit each
 * (https://es.wikipedia.org/wiki/Clave_Bancaria_Uniforme).
 */
export function isCbu(digits: string): boolean {
  const [bank, account] = [digits.slice(0, 7), digits.slice(8, 21)];
  return (
    weighted(bank, [7, 1, 3, 9]) === checkDigit(digits, 7) && weighted(account, [3, 9, 7, 1]) === checkDigit(digits, 21)
  );
}

/**
 * Peru, 20 digits: one Luhn digit over bank and branch, one over the account. We found no official text; decision 19
 * says how the rule was confirmed.
 */
export function isCci(digits: string): boolean {
  const luhn = (part: string) => (10 - (sumOf(part, [1, 2], addDigits) % 10)) % 10;
  return luhn(digits.slice(0, 6)) === checkDigit(digits, 18) && luhn(digits.slice(6, 18)) === checkDigit(digits, 19);
}

/** United States, 9 digits (ABA routing transit number): the sum with weights 3 7 1 ends in 0; some prefixes only. */
export function isRoutingNumber(digits: string): boolean {
  const prefix = Number(digits.slice(0, 2));
  const isIssued = prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
  return isIssued && digits !== '000000000' && sumOf(digits, [3, 7, 1]) % 10 === 0;
}

/** Morocco, 24 digits. The last two make the whole number a multiple of 97. */
export function isMoroccanRib(digits: string): boolean {
  return remainder97(digits) === 0;
}

/**
 * Nigeria, 10 digits with a bank code of 3. Central Bank of Nigeria, revised NUBAN standard of 2020: weights 3 7 3 over
 * the bank code and the nine digits of the account.
 */
export function isNuban(bankCode: string, digits: string): boolean {
  return weighted(bankCode + digits.slice(0, 9), [3, 7, 3]) === checkDigit(digits, 9);
}

/** ISO 7064, MOD 97-10, as ISO 13616 uses it: the first four characters go to the end, and letters become numbers. */
export function isMod97(iban: string): boolean {
  const moved = iban.slice(4) + iban.slice(0, 4);
  return remainder97(moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) === 1;
}

function remainder97(digits: string): number {
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

function weighted(digits: string, weights: readonly number[]): number {
  return (10 - (sumOf(digits, weights) % 10)) % 10;
}

function sumOf(
  digits: string,
  weights: readonly number[],
  ofProduct: (product: number) => number = (product) => product,
): number {
  return [...digits].reduce(
    (sum, digit, index) => sum + ofProduct(Number(digit) * (weights[index % weights.length] ?? 0)),
    0,
  );
}

function addDigits(product: number): number {
  return product > 9 ? product - 9 : product;
}

function checkDigit(digits: string, position: number): number {
  return Number(digits[position]);
}
