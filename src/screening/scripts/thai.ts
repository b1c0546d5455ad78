/**
 * Thai names. They keep the letters of Sanskrit and Pali, and families spell them by sound or by origin, so that only
 * consonants are compared.
 */

const thai = /^\p{Script=Thai}+$/u;

export function isThai(word: string): boolean {
  return thai.test(word);
}

const letters: Readonly<Record<string, string>> = Object.fromEntries(
  'กk ขk ฃk คk ฅk ฆk งng จj ฉch ชch ซs ฌch ญy ฎd ฏt ฐt ฑt ฒt ณn ดd ตt ถt ทt ธt นn บb ปp ผp ฝf พp ฟf ภp มm ยy รr ลl วw ศs ษs สs หh ฬl อ- ฮh ฤri'
    .split(' ')
    .map((pair) => [pair[0] ?? '', pair.slice(1).replace('-', '')]),
);
const vowels: Readonly<Record<string, string>> = {
  '\u0e30': 'a',
  '\u0e31': 'a',
  '\u0e32': 'a',
  '\u0e33': 'am',
  '\u0e34': 'i',
  '\u0e35': 'i',
  '\u0e36': 'u',
  '\u0e37': 'u',
  '\u0e38': 'u',
  '\u0e39': 'u',
  '\u0e40': 'e',
  '\u0e41': 'ae',
  '\u0e42': 'o',
  '\u0e43': 'ai',
  '\u0e44': 'ai',
};

/** As it is spoken, or with the letters of its origin. */
export function thaiWord(word: string, isByOrigin: boolean): string {
  const written = word
    // The sign thanthakhat silences the letter under it; some vowels are written before their consonant.
    .replaceAll(/.[\u0e34\u0e38]?\u0e4c/gu, '')
    .replaceAll(/([\u0e40-\u0e44])([ก-ฮ])/gu, '$2$1')
    .replaceAll('รร', '\u0e31น')
    .replaceAll(/ห(?=[งญนมยรลว])/gu, '')
    .replaceAll('ทร', isByOrigin ? 'ทร' : 'ซ');
  return [...written]
    .map((letter) => (isByOrigin ? (byOrigin[letter] ?? letters[letter]) : letters[letter]) ?? vowels[letter] ?? '')
    .join('');
}

const byOrigin: Readonly<Record<string, string>> = { ว: 'v', พ: 'b', ท: 'd', ช: 'j', จ: 'ch', ค: 'g', ภ: 'b' };
