/** Whether a name can be compared as it is written. Where it cannot, silence of the lists says nothing. */
import { withoutInvisible } from '../../visible-text.js';
import { isChineseName } from '../scripts/chinese.js';
import { isUnreadJapanese, japaneseReadings } from '../scripts/japanese.js';
import { isSpelledOut } from './letter-runs.js';
import { hasMixedWord } from './lookalikes.js';
import { longestWord, mostWords } from './name-parts.js';

/** Scripts of which at least nine of ten names are recognised: see the figures in docs/screening.md. */
const readable =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]*$/u;
const han = /^\p{Script=Han}+$/u;

export function isReadable(written: string): boolean {
  const name = withoutInvisible(withoutInvisible(written).normalize('NFKC'));
  const words = name.split(/[^\p{L}\p{M}\p{N}・]+/u).filter((word) => word !== '');
  const telling = words.filter((word) => [...word].length > 1 || !/\p{Script=Latin}/u.test(word));
  return (
    telling.length > 0 &&
    words.length <= mostWords &&
    readable.test(name) &&
    !isSpelledOut(name) &&
    !hasMixedWord(name) &&
    words.every((word) => word.length <= longestWord && !isUnreadJapanese(word)) &&
    isReadableChinese(name, words)
  );
}

/** A foreign name that is written by sound has points between its parts, or more characters than a Chinese name. */
function isReadableChinese(name: string, words: readonly string[]): boolean {
  const chinese = words.filter((word) => han.test(word));
  if (chinese.length === 0) return true;
  return (
    !/[·・]/u.test(name) &&
    chinese.every((word) => isChineseName(word, chinese.length === 1) || japaneseReadings(word).length > 0)
  );
}
