/** Korean names: one syllable of family name, then the given name. Families spell their names by habit, not by rule. */

const hangul = /^\p{Script=Hangul}+$/u;

export function isKorean(word: string): boolean {
  return hangul.test(word);
}

/** The official romanisation of 2000, the usual one in passports, and the older one with hard consonants. */
const spellings = [
  {
    initials: 'g kk n d tt r m b pp s ss - j jj ch k t p h',
    vowels: 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i',
  },
  {
    initials: 'g kk n d tt r m b pp s ss - j jj ch k t p h',
    vowels: 'a ae ya ye u e you ye o wa wae oe yo oo wo we wi yu u ee i',
  },
  {
    initials: 'k kk n t tt r m p pp s ss - ch jj ch k t p h',
    vowels: 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u i i',
  },
].map(({ initials, vowels }) => ({ initials: initials.replace('-', '').split(' '), vowels: vowels.split(' ') }));
export const koreanSpellings = spellings.length * 2;
const finals = ',k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t'.split(',');
const firstSyllable = 0xac00;

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
  전: 'jun',
  홍: 'hong',
  문: 'moon',
  노: 'roh',
  로: 'ro',
  반: 'ban',
  유: 'yoo',
  주: 'joo',
  현: 'hyun',
  태: 'tae',
  고: 'ko',
  손: 'son',
  백: 'baek',
  배: 'bae',
  허: 'heo',
  남: 'nam',
  심: 'shim',
  곽: 'kwak',
  성: 'sung',
  차: 'cha',
  구: 'koo',
  우: 'woo',
  민: 'min',
  나: 'na',
  지: 'ji',
  엄: 'um',
  변: 'byun',
  천: 'chun',
  방: 'bang',
  공: 'kong',
  염: 'yeom',
  여: 'yeo',
  추: 'choo',
  도: 'do',
  소: 'so',
  석: 'suk',
  선: 'sun',
  설: 'sul',
  마: 'ma',
  길: 'gil',
  연: 'yeon',
  위: 'wi',
  표: 'pyo',
  명: 'myung',
  기: 'ki',
  왕: 'wang',
  금: 'keum',
  옥: 'ok',
  육: 'yook',
  맹: 'maeng',
  제: 'je',
  모: 'mo',
  탁: 'tak',
  국: 'kook',
  어: 'eo',
  은: 'eun',
  편: 'pyun',
  용: 'yong',
  예: 'ye',
  경: 'kyung',
  봉: 'bong',
  사: 'sa',
  부: 'boo',
};
const longFamilyNames: Readonly<Record<string, string>> = {
  남궁: 'namkoong',
  황보: 'hwangbo',
  제갈: 'jegal',
  선우: 'sunwoo',
  독고: 'dokgo',
  사공: 'sagong',
};

/** Each spelling with the given name as one word, and with a word for each syllable. */
export function koreanWords(word: string, spelling: number): string[] {
  const letters = [...word.normalize('NFC')];
  const long = letters.length > 2 ? longFamilyNames[letters.slice(0, 2).join('')] : undefined;
  const given = letters.slice(long === undefined ? 1 : 2);
  if (given.length === 0 || given.length > 3) return [letters.map((letter) => syllable(letter, spelling)).join('')];
  const [first = ''] = letters;
  const family = long ?? familyNames[first] ?? syllable(first, spelling);
  const syllables = given.map((letter) => syllable(letter, spelling));
  return spelling < spellings.length ? [family, syllables.join('')] : [family, ...syllables];
}

function syllable(letter: string, spelling: number): string {
  const { initials, vowels } = spellings[spelling % spellings.length] ?? { initials: [], vowels: [] };
  const number = (letter.codePointAt(0) ?? 0) - firstSyllable;
  if (number < 0 || number >= 19 * 21 * 28) return '';
  const initial = initials[Math.floor(number / (21 * 28))] ?? '';
  const vowel = vowels[Math.floor(number / 28) % 21] ?? '';
  const isBare = initial === '' && vowel === 'oo';
  return (isBare ? 'woo' : initial + vowel) + (finals[number % 28] ?? '');
}
