/** Characters that nobody sees. People hide a listed name with them; banks and printers drop them. Pure. */

/**
 * Formatting characters, characters that programs leave out by default, and the blank Braille cell, which looks like a
 * space. Not the joiners that some scripts need.
 */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Scripts whose letters change their form with a joiner (ZWJ) or a non-joiner (ZWNJ) between them. Emoji join too. */
const joining =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}' +
  '\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}';
const neededJoiners = new RegExp(
  `(?<=[${joining}]\\p{M}?)[\\u200C\\u200D](?=[${joining}])|(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)\\u200D(?=\\p{Extended_Pictographic})`,
  'gu',
);

/** Never part of a text in one line: control characters, line ends, half surrogates, and changes of direction. */
const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/u;

/** For what a bank sends, which is compared without invisible characters but not refused for them. */
export function hasControlCharacters(text: string): boolean {
  return control.test(text);
}

/** For what a person types. Joiners between letters of scripts that need them are not meant. */
export function hasInvisible(text: string): boolean {
  return control.test(text) || text.replaceAll(neededJoiners, '').search(unseen) >= 0;
}

export function withoutInvisible(text: string): string {
  return text.replaceAll(unseen, '');
}
