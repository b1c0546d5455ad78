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
  沈: 'shen',
  吕: 'lv',
  呂: 'lv',
};

/** The family name and the given name. A long run of characters is not a person's name and stays one word. */
export function chineseWords(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2 || characters.length > 4) return [syllables(characters)];
  const familyLength = characters.length > 2 && doubleFamilyNames.has(characters.slice(0, 2).join('')) ? 2 : 1;
  const family = characters.slice(0, familyLength);
  const familyText = familyLength === 1 ? (readings[family[0] ?? ''] ?? syllables(family)) : syllables(family);
  return [familyText, syllables(characters.slice(familyLength))];
}

function syllables(characters: readonly string[]): string {
  return characters
    .map((character) =>
      anyAscii(character)
        .toLowerCase()
        .replaceAll(/[^a-z]/g, ''),
    )
    .join('');
}
