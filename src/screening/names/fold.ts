/** Forms of a word in which spellings of the same name are equal. */

/** Romanisations of the same sounds become one spelling: Husayn, Hussein and Hossain are all `husin`. */
export function foldSpelling(word: string): string {
  return word
    .replaceAll(/tsch|tch|cz|tz|ts/g, 'c')
    .replaceAll(/sch|sh/g, 's')
    .replaceAll('ch', 'c')
    .replaceAll(/[dt]zh|dj|dzh|zh/g, 'j')
    .replaceAll(/kh|gh/g, 'h')
    .replaceAll('dh', 'd')
    .replaceAll('th', 't')
    .replaceAll('ph', 'f')
    .replaceAll('ck', 'k')
    .replaceAll(/qu|q/g, 'k')
    .replaceAll(/c(?=[eiy])/g, 's')
    .replaceAll('x', 'ks')
    .replaceAll('w', 'v')
    .replaceAll('z', 's')
    .replaceAll(/ou|oo|oe|ue|[ou]/g, 'u')
    .replaceAll('ae', 'a')
    .replaceAll(/a[iy]|e[iy]|[eiy]/g, 'i')
    .replaceAll(/(.)\1+/g, '$1')
    .replaceAll(/(?<=.{3})h$/g, '');
}

/**
 * The consonants, as far as Arabic, Hebrew and Latin spellings agree on them. A vowel at the beginning stays, as `a`.
 * Several letters stand for one another there: b p v f, k q g j, s z ts, t d, and the vowel-like w and y are left out.
 */
export function consonants(word: string, isVowelless: boolean): string {
  const folded = (isVowelless ? word : word.replaceAll(/(.)\1+/g, '$1').replaceAll(/ph|bh/g, 'b'))
    .replaceAll(/tch|tsch|ch|sch|sh|zh|tz|ts|z|c(?=[eiy])/g, 's')
    .replaceAll(/kh/g, 'h')
    .replaceAll(/dj|gh|ck|qu|[jqgcx]/g, 'k')
    .replaceAll(/dh|th|d/g, 't')
    .replaceAll(/^w|[pvf]/g, 'b');
  const first = /^[aeiouy]/.test(folded) ? 'a' : '';
  // Without vowels, two equal letters have a vowel between them.
  const single = isVowelless ? folded : folded.replaceAll(/(.)\1+/g, '$1');
  const rest = single.replaceAll(/[aeiouyw]/g, '');
  return first + (rest.length > 2 ? rest.replace(/h$/, '') : rest);
}
