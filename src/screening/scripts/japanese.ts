/**
 * Japanese names. Kana are read by sound. A kanji has several readings, so that only usual names are read, from a list;
 * any other name goes to a person.
 */
import { japaneseFamilyNames, japaneseGivenNames } from './japanese-names.js';

const kanaOnly = /^[\p{Script=Hiragana}\p{Script=Katakana}ー・]+$/u;
const anyKana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const hanOnly = /^[\p{Script=Han}々ヶ]+$/u;
/** Characters as Japan simplified or made them; Chinese names are not written with them. */
const japaneseOnly = /[々辻込畑峠働匂沢渋桜黒塩広浜斎斉竜徳恵栄栃佐藤郎衛絵円伝択駅変拝巣髙﨑凪笹榊畠]/u;

const kana = kanaTable(
  'ア a イ i ウ u エ e オ o カ ka キ ki ク ku ケ ke コ ko サ sa シ shi ス su セ se ソ so タ ta チ chi ツ tsu テ te ト to ' +
    'ナ na ニ ni ヌ nu ネ ne ノ no ハ ha ヒ hi フ fu ヘ he ホ ho マ ma ミ mi ム mu メ me モ mo ヤ ya ユ yu ヨ yo ラ ra リ ri ル ru レ re ロ ro ' +
    'ワ wa ヰ i ヱ e ヲ o ン n ガ ga ギ gi グ gu ゲ ge ゴ go ザ za ジ ji ズ zu ゼ ze ゾ zo ダ da ヂ ji ヅ zu デ de ド do ' +
    'バ ba ビ bi ブ bu ベ be ボ bo パ pa ピ pi プ pu ペ pe ポ po ヴ vu ァ a ィ i ゥ u ェ e ォ o ャ ya ュ yu ョ yo ッ - ヮ wa ヵ ka ヶ ga',
);

function kanaTable(text: string): ReadonlyMap<string, string> {
  const parts = text.split(' ');
  return new Map(
    parts.flatMap((letter, index) => (index % 2 === 0 ? [[letter, parts[index + 1] ?? '']] : []) as [string, string][]),
  );
}

/** The readings of a Japanese name, each as words; none when it is not read as Japanese. */
export function japaneseReadings(word: string): string[][] {
  if (kanaOnly.test(word)) return [word.split('・').map(kanaWord)];
  const known = [japaneseFamilyNames.get(word), japaneseGivenNames.get(word)].flatMap(
    (readings) => readings?.split('/') ?? [],
  );
  if (known.length > 0) return known.map((reading) => [reading]);
  const letters = [...word];
  for (const length of [3, 2, 1]) {
    const family = japaneseFamilyNames.get(letters.slice(0, length).join(''));
    const rest = letters.slice(length).join('');
    if (family === undefined || rest === '') continue;
    const given = kanaOnly.test(rest) ? kanaWord(rest) : japaneseGivenNames.get(rest);
    if (given !== undefined)
      return family.split('/').flatMap((first) => given.split('/').map((reading) => [first, reading]));
  }
  return [];
}

/** Whether the word is Japanese and its reading is a guess or unknown. */
export function isUnreadJapanese(word: string): boolean {
  if (kanaOnly.test(word)) return word.includes('・');
  if (japaneseReadings(word).length > 0) return false;
  if (anyKana.test(word)) return true;
  return hanOnly.test(word) && (japaneseOnly.test(word) || japaneseFamilyNames.has([...word].slice(0, 2).join('')));
}

/** As passports write it: a long vowel as a short one, a double consonant twice. */
function kanaWord(word: string): string {
  let text = '';
  for (const letter of word.normalize('NFC').replaceAll(/[\u3041-\u3096]/gu, toKatakana)) {
    const sound = kana.get(letter) ?? '';
    if (/^[ャュョ]$/u.test(letter))
      text = text.replace(/i$/, '') + (/(?:sh|ch|j)i$/.test(text) ? sound.slice(1) : sound);
    else if (/^[ァィゥェォ]$/u.test(letter)) text = text.replace(/[uo]$/, '') + sound;
    else text += sound;
  }
  return text
    .replaceAll(/-([a-z])/g, '$1$1')
    .replaceAll('-', '')
    .replaceAll(/ou|oo/g, 'o')
    .replaceAll('uu', 'u')
    .replaceAll(/n(?=[bmp])/g, 'm');
}

function toKatakana(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0x60);
}
