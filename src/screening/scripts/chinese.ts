/** Chinese names: the family name comes first and is one character, rarely two. Each character is one syllable. */
import anyAscii from 'any-ascii';

const han = /^\p{Script=Han}+$/u;

export function isChinese(word: string): boolean {
  return han.test(word);
}

const doubleFamilyNames = new Set(
  '欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 司徒 东方 東方 独孤 獨孤 南宫 南宮 夏侯 尉迟 尉遲 皇甫 慕容 长孙 長孫 令狐 宇文 端木 轩辕 軒轅'.split(
    ' ',
  ),
);

/** Family names that are read differently from the same character in other words. */
const readings: Readonly<Record<string, string>> = {
  单: 'shan',
  單: 'shan',
  曾: 'zeng',
  解: 'xie',
  仇: 'qiu',
  朴: 'piao',
  查: 'zha',
  盖: 'ge',
  任: 'ren',
  区: 'ou',
  區: 'ou',
  尉: 'yu',
  长: 'zhang',
  乐: 'yue',
  樂: 'yue',
  覃: 'qin',
  冼: 'xian',
  缪: 'miao',
  宓: 'fu',
  员: 'yun',
  薄: 'bo',
  沈: 'shen',
  吕: 'lv',
  呂: 'lv',
};

/** Whether it has the length of a Chinese name. A foreign name that is written by sound is longer, or has a point. */
export function isChineseName(word: string): boolean {
  const { length } = [...word];
  return length <= 3 || (length === 4 && familyLengthOf([...word]) === 2);
}

/**
 * The family name and the given name, in Pinyin and in the older spelling of Wade and Giles, which Taiwan keeps. A long
 * run of characters is not a person's name and stays one word.
 */
export function chineseReadings(word: string): string[][] {
  const characters = [...word];
  const read = (written: readonly string[], isFamily: boolean) =>
    written.map((character) => (isFamily ? readings[character] : undefined) ?? pinyin(character));
  const isName = characters.length > 1 && characters.length <= 4;
  const familyLength = isName ? familyLengthOf(characters) : 0;
  const words = [
    read(characters.slice(0, familyLength), familyLength === 1),
    read(characters.slice(familyLength), false),
  ];
  return [words, words.map((syllables) => syllables.map(wadeGiles))].map((reading) =>
    reading.map((syllables) => syllables.join('')).filter((text) => text !== ''),
  );
}

function familyLengthOf(characters: readonly string[]): number {
  return characters.length > 2 && doubleFamilyNames.has(characters.slice(0, 2).join('')) ? 2 : 1;
}

function pinyin(character: string): string {
  return anyAscii(character)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

const initials: readonly (readonly [string, string])[] = [
  ['zh', 'ch'],
  ['z', 'ts'],
  ['c', 'ts'],
  ['j', 'ch'],
  ['q', 'ch'],
  ['x', 'hs'],
  ['b', 'p'],
  ['d', 't'],
  ['g', 'k'],
  ['r', 'j'],
];
const wholeSyllables: Readonly<Record<string, string>> = {
  si: 'szu',
  zi: 'tzu',
  ci: 'tzu',
  shi: 'shih',
  zhi: 'chih',
  chi: 'chih',
  ri: 'jih',
  yan: 'yen',
  ye: 'yeh',
  you: 'yu',
  yong: 'yung',
  er: 'erh',
  ge: 'ko',
  ke: 'ko',
  he: 'ho',
  guo: 'kuo',
};

/** Without the apostrophes, which passports leave out. */
function wadeGiles(syllable: string): string {
  const whole = wholeSyllables[syllable];
  if (whole !== undefined) return whole;
  const [from, to] = initials.find(([initial]) => syllable.startsWith(initial) && !/^[cs]h/.test(syllable)) ?? ['', ''];
  const rest = syllable
    .slice(from.length)
    .replace(/ian$/, 'ien')
    .replace(/ong$/, 'ung')
    .replace(/(?<=[iu])e$/, 'eh')
    .replace(/uo$/, 'o');
  return to + rest;
}
