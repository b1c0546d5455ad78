/** Letters that look like others. A name is written with them to be read by people and missed by programs. Pure. */

/** Each Latin letter with the letters of other scripts that look like it (Unicode's confusables, single letters). */
const lookalikes: Readonly<Record<string, string>> = {
  // The palochka looks like an l and like a capital i, as a one does.
  '1': 'Ӏӏ',
  a: 'аαɑꓮᎪΑАⲀ',
  b: 'ЬьʙꓐᏴΒВвⲂ',
  c: 'сϲꓚᏟСϹᴄⲤ',
  d: 'ԁꓓᎠɗժ',
  e: 'еҽꓰᎬΕЕє',
  f: 'ꓝϜքғ',
  g: 'ɡցꓖᏀԌ',
  h: 'һհꓧᎻΗНнⲎ',
  i: 'іιɩꓲΙІⲒꙇ',
  j: 'јϳꓙᎫЈյ',
  k: 'кκꓗᏦΚКⲔ',
  l: 'ⅼꓡᏞⳐլ',
  m: 'мꓟᎷΜМⲘ',
  n: 'ոռꓠΝпⲚ',
  o: 'оοօσꓳΟОՕⲞ',
  p: 'рρꓑᏢΡРⲢ',
  q: 'ԛզգ',
  r: 'гꓣᎡʀᏒ',
  s: 'ѕꓢЅՏᏚ',
  t: 'тτꓔᎢΤТⲦ',
  u: 'υսᴜꓴՍц',
  v: 'νѵᴠꓦᏙѴ',
  w: 'ѡԝաꓪᎳԜɯш',
  x: 'хχꓫΧХⲬ',
  y: 'уүγꓬΥҮУⲨ',
  z: 'ᴢꓜᏃΖⲌ',
};
const latinOf = new Map(
  Object.entries(lookalikes).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);
const cyrillicOf = new Map(
  Object.entries(lookalikes).flatMap(([latin, others]) => {
    const cyrillic = [...others].find((letter) => /\p{Script=Cyrillic}/u.test(letter));
    return cyrillic ? [[latin, cyrillic] as const] : [];
  }),
);

const latin = /\p{Script=Latin}/u;
const imitating =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;
const cyrillicLetters = /\p{Script=Cyrillic}/gu;
const word = /[\p{L}\p{M}\p{N}]+/gu;
const digits: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
};

/** The other ways in which a name can be meant that mixes scripts, or letters and digits. None for any other name. */
export function withoutLookalikes(name: string): string[] {
  const readings: string[] = [];
  if (latin.test(name) && imitating.test(name)) readings.push(toLatin(name), toCyrillic(name));
  for (const text of readings.length > 0 ? [...readings] : [name]) readings.push(...withoutDigits(text));
  return [...new Set(readings)].filter((reading) => reading !== name);
}

function toLatin(name: string): string {
  return [...name].map((letter) => latinOf.get(letter) ?? letter).join('');
}

/** Only words that are Cyrillic for the most part: a Latin letter hides in them. */
function toCyrillic(name: string): string {
  return name.replaceAll(word, (text) => {
    const count = text.match(cyrillicLetters)?.length ?? 0;
    return count * 2 > text.length
      ? [...text].map((letter) => cyrillicOf.get(letter.toLowerCase()) ?? letter).join('')
      : text;
  });
}

/** A one is read as an l or an i, in each word anew. */
function withoutDigits(name: string): string[] {
  let readings = [''];
  let end = 0;
  for (const { 0: text, index } of name.matchAll(word)) {
    const choices = /\p{L}/u.test(text) ? wordsWithoutDigits(text, readings.length < mostDigitReadings) : [text];
    readings = readings.flatMap((before) => choices.map((choice) => before + name.slice(end, index) + choice));
    end = index + text.length;
  }
  return readings.map((reading) => reading + name.slice(end));
}

const mostDigitReadings = 8;

function wordsWithoutDigits(text: string, hasChoice: boolean): string[] {
  const ones = text.includes('1') && hasChoice ? ['l', 'i'] : ['l'];
  return ones.map((one) => text.replaceAll(/\d/g, (digit) => (digit === '1' ? one : (digits[digit] ?? digit))));
}

/** Whether a word mixes Latin letters with letters that imitate them. */
export function hasMixedWord(name: string): boolean {
  return (name.match(word) ?? []).some((text) => latin.test(text) && imitating.test(text));
}
