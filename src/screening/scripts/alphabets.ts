/** Alphabets that are read letter by letter, and the second way in which each is usually written. */

const georgian = /^\p{Script=Georgian}+$/u;
const armenian = /^\p{Script=Armenian}+$/u;
const cyrillic = /^[\p{Script=Cyrillic}\p{M}]+$/u;

const georgianLetters = tableOf(
  'აa ბb გg დd ეe ვv ზz თt იi კk ლl მm ნn ოo პp ჟzh რr სs ტt უu ფp ქk ღgh ყq შsh ჩch ცts ძdz წts ჭch ხkh ჯj ჰh',
);
const armenianLetters = tableOf(
  'աa բb գg դd եe զz էe ըy թt ժzh իi լl խkh ծts կk հh ձdz ղgh ճch մm յy նn շsh ոo չch պp ջj ռr սs վv տt րr ցts ւv փp քk օo ֆf',
);
const westernArmenian = tableOf('բp գk դt կg պb տd ձts ջch ճj ծdz');
/** Ukrainian says h and y for two letters; the Latin form of a Russian name mostly has e for ё. */
const ukrainian = tableOf('гh иy ёe');
const russian = tableOf('ёe');

function tableOf(text: string): ReadonlyMap<string, string> {
  return new Map(text.split(' ').map((pair) => [pair[0] ?? '', pair.slice(1)]));
}

/** The spellings of a word in one of these alphabets, the usual one first; none for any other word. */
export function alphabetWords(word: string): string[] {
  if (georgian.test(word))
    return [written(word, georgianLetters), written(word, new Map([...georgianLetters, ['ღ', 'g']]))];
  if (armenian.test(word)) {
    const lower = word
      .toLowerCase()
      .replaceAll('և', 'եվ')
      .replace(/^ո(?![ւվ])/u, 'vo')
      .replace(/^ե/u, 'ye')
      .replaceAll('ու', 'u');
    return [written(lower, armenianLetters), written(lower, new Map([...armenianLetters, ...westernArmenian]))];
  }
  return [];
}

/** The Cyrillic word with letters that the Latin form of such a name has already. */
export function otherCyrillic(word: string): string | undefined {
  if (!cyrillic.test(word)) return undefined;
  const lower = word.normalize('NFC').toLowerCase();
  const changed = written(lower, /[іїєґ]/u.test(lower) ? ukrainian : russian);
  return changed === lower ? undefined : changed;
}

function written(word: string, table: ReadonlyMap<string, string>): string {
  return [...word].map((letter) => table.get(letter) ?? letter).join('');
}
