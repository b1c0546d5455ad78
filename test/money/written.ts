/** Generators of currencies, amounts and rates, and of texts that may stand for them. */
import fc from 'fast-check';
import { currencyCodes } from '../../src/money/currency.js';

export const anyCurrency = fc.constantFrom(...currencyCodes);

/** Minor units up to the largest amount. Small amounts are as likely as large ones. */
export const anyMinor = fc
  .integer({ min: 0, max: 15 })
  .chain((zeros) => fc.bigInt({ min: 0n, max: 10n ** BigInt(zeros) }));

/** Mostly valid decimals of every length, near every limit, with zeros at every position. */
export const anyDecimal = fc
  .tuple(
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,17}$/), fc.stringMatching(/^[1-9]0{0,17}$/)),
    fc.oneof(
      fc.constant(''),
      fc.stringMatching(/^\.[0-9]{1,5}$/),
      fc.stringMatching(/^\.[0-9]{0,4}0{1,20}$/),
      fc.stringMatching(/^\.0{0,18}[0-9]$/),
    ),
  )
  .map((parts) => parts.join(''));

/** Decimals, other texts made of the characters of numbers, and arbitrary texts. */
export const anyLiteral = fc.oneof(
  { weight: 6, arbitrary: anyDecimal },
  { weight: 2, arbitrary: fc.stringMatching(/^[0-9.eE+\- ]{0,8}$/) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
);

/** A positive rate of at most 30 digits. */
export const anyRateLiteral = fc
  .tuple(
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,13}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,16}$/), fc.stringMatching(/^\.0{0,12}[1-9][0-9]{0,3}$/)),
  )
  .map((parts) => parts.join(''))
  .filter((text) => /[1-9]/.test(text));
