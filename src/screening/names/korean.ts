/** Korean names: one syllable of family name, then the given name. Families spell their names by habit, not by rule. */
import anyAscii from 'any-ascii';

const hangul = /^\p{Script=Hangul}+$/u;

export function isKorean(word: string): boolean {
  return hangul.test(word);
}

const familyNames: Readonly<Record<string, string>> = {
  김: 'kim',
  이: 'lee',
  리: 'ri',
  박: 'park',
  최: 'choi',
  정: 'jung',
  강: 'kang',
  조: 'cho',
  윤: 'yoon',
  장: 'jang',
  임: 'lim',
  림: 'rim',
  한: 'han',
  오: 'oh',
  서: 'seo',
  신: 'shin',
  권: 'kwon',
  황: 'hwang',
  안: 'ahn',
  송: 'song',
  류: 'ryu',
  전: 'jon',
  홍: 'hong',
  문: 'moon',
  노: 'roh',
  로: 'ro',
  반: 'ban',
  유: 'yoo',
  주: 'ju',
  현: 'hyon',
  태: 'thae',
};

export function koreanWords(word: string): string[] {
  const [family = '', ...given] = [...word];
  if (given.length === 0 || given.length > 3) return [syllables([...word])];
  return [familyNames[family] ?? syllables([family]), syllables(given)];
}

/** `eo` and `eu` are written o and u in most passports. */
function syllables(characters: readonly string[]): string {
  return characters
    .map((character) => anyAscii(character).toLowerCase().replaceAll('eo', 'o').replaceAll('eu', 'u'))
    .join('')
    .replaceAll(/[^a-z]/g, '');
}
