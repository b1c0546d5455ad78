/** Takes a name apart into what is compared: words without particles, and neighbouring words written as one. */

import { particles } from './particles.js';
import { type RomanWord, romanReadings, type Vowels } from './romanise.js';
import { isLegalForm, type NameKind, weightOf } from './word-weights.js';

export interface NamePart {
  readonly text: string;
  readonly weight: number;
  readonly vowels: Vowels;
}

/**
 * Neighbours that some write as one word: Abd al-Rahman and Abdulrahman, Jong Un and Jongun, Al Zarqawi and Alzarqawi.
 */
export interface JoinedParts {
  readonly text: string;
  readonly vowels: Vowels;
  /** Positions in `parts`: one, when the other word is a particle, or several. */
  readonly covers: readonly number[];
}

export interface NameParts {
  /** In alphabetical order, so that the order in which a name is written makes no difference. */
  readonly parts: readonly NamePart[];
  readonly joined: readonly JoinedParts[];
  /** A few words out of a long name: a listed name may stand between others. */
  readonly isWindow: boolean;
}

export interface NameSide {
  readonly kind: NameKind;
  /** A name that is looked for is also compared in windows, and with its fragments joined. */
  readonly isSearched: boolean;
  /** Of a company that is compared with people. */
  readonly withoutLegalForms?: boolean;
}

/** What is compared at once: a mask has a bit for each part. */
const mostParts = 12;
/** Longer names are also compared in windows. */
const mostPartsOfPeople = 7;
const windowLengths = [2, 3, 4];
const mostReadingsWithWindows = 4;
/** A name with more words is not compared to its end: `isReadable` says so. */
export const mostWords = 48;
export const longestWord = 40;
const longestJoined = 20;
const shortWord = 4;

/** Each reading of a name, and each section of a long reading; a name that is searched, also with each word once. */
export function namePartsOf(name: string, side: NameSide): NameParts[] {
  return romanReadings(name).flatMap((reading, index) => {
    const words = reading
      .filter(({ text }) => !(side.withoutLegalForms && isLegalForm(text)))
      .slice(0, 2 * mostWords)
      .map((word) => (word.text.length > longestWord ? { ...word, text: word.text.slice(0, longestWord) } : word));
    const isParticle = particleTest(words, side.kind);
    const kept = words.flatMap((_, position) => (isParticle[position] ? [] : [position]));
    const once = withoutRepeated(words, kept);
    const whole = wholeParts(words, kept.length > mostParts ? once : kept, side);
    if (!side.isSearched) return whole;
    const repeated = once.length < kept.length && kept.length <= mostParts ? wholeParts(words, once, side) : [];
    if (once.length <= mostPartsOfPeople || index >= mostReadingsWithWindows) return [...whole, ...repeated];
    const parts = windows(once.slice(0, mostWords)).map((window) => partsOf(words, once, window, side));
    return [...whole, ...repeated, ...telling(parts).map((window) => ({ ...window, isWindow: true }))];
  });
}

function wholeParts(words: readonly RomanWord[], kept: readonly number[], side: NameSide): NameParts[] {
  return sections(kept.slice(0, mostWords), mostParts).map((section) => partsOf(words, kept, section, side));
}

/** Each combination of words once, and none of a single word or of initials. */
function telling(found: readonly NameParts[]): NameParts[] {
  const several = found.filter(({ parts }) => parts.filter(({ text }) => text.length > 1).length > 1);
  return [...new Map(several.map((each) => [each.parts.map(({ text }) => text).join(' '), each])).values()];
}

/** Each word once. Initials may stand for several words. */
function withoutRepeated(words: readonly RomanWord[], positions: readonly number[]): number[] {
  const known = new Map([...positions].reverse().map((position) => [words[position]?.text ?? '', position]));
  return positions.filter((position) => {
    const { text = '' } = words[position] ?? {};
    return text.length === 1 || known.get(text) === position;
  });
}

/** From the first to before the last of the words that are no particles. */
interface Section {
  readonly from: number;
  readonly to: number;
}

/** All of a short name; of a long one, sections that overlap by half. */
function sections({ length }: readonly number[], longest: number): Section[] {
  if (length <= longest) return [{ from: 0, to: length }];
  const step = longest / 2;
  return Array.from({ length: Math.ceil(length / step) - 1 }, (_, index) => ({
    from: index * step,
    to: Math.min(length, index * step + longest),
  }));
}

function windows(kept: readonly number[]): Section[] {
  return windowLengths.flatMap((length) => kept.slice(length - 1).map((_, from) => ({ from, to: from + length })));
}

/** The particles around the words belong to the section too: some write them as a part of their neighbour. */
function partsOf(
  allWords: readonly RomanWord[],
  kept: readonly number[],
  { from, to }: Section,
  { kind, isSearched }: NameSide,
): NameParts {
  const first = from === 0 ? 0 : (kept[from - 1] ?? 0) + 1;
  const words = allWords.slice(first, to === kept.length ? undefined : kept[to]);
  const own = kept
    .slice(from, to)
    .map((position) => ({ word: allWords[position] as RomanWord, position: position - first }));
  const sorted = [...own].sort((left, right) => compareTexts(left.word.text, right.word.text));
  const indexByPosition = new Map(sorted.map(({ position }, index) => [position, index]));
  return {
    parts: sorted.map(({ word: { text, vowels } }) => ({ text, vowels, weight: weightOf(text, kind) })),
    joined: joinedWords(words, indexByPosition, isSearched),
    isWindow: false,
  };
}

/** A name of fewer than two other words keeps its particles: Le Van Duc is more than a Duc. */
function particleTest(words: readonly RomanWord[], kind: NameKind): boolean[] {
  const found = words.map(
    ({ text, vowels }) =>
      (vowels === 'written' || text.length > shortWord) &&
      particles.has(text) &&
      (kind === 'person' || text.length <= 3),
  );
  return found.filter((isParticle) => !isParticle).length < 2 ? found.map(() => false) : found;
}

function joinedWords(
  words: readonly RomanWord[],
  indexByPosition: ReadonlyMap<number, number>,
  isSearched: boolean,
): JoinedParts[] {
  const joined = new Map<string, JoinedParts>();
  const add = (start: number, end: number) => {
    const run = words.slice(start, end + 1);
    const covers = [...new Set(run.flatMap((_, index) => indexByPosition.get(start + index) ?? []))];
    const text = run.map((word) => word.text).join('');
    if (covers.length > 0 && text.length <= longestJoined)
      joined.set(`${text} ${covers.join()}`, { text, covers, vowels: vaguest(run) });
  };
  for (let start = 0; start < words.length; start += 1) {
    const end = nextPart(start, words.length, indexByPosition);
    const run = words.slice(start, end + 1);
    const covered = [start, end].filter((position) => indexByPosition.has(position));
    if (run.length > 1 && mayBeJoined(run, covered.length)) add(start, end);
    if (isSearched) for (const fragmentEnd of fragmentEnds(words, start)) add(start, fragmentEnd);
  }
  return [...joined.values()];
}

function vaguest(run: readonly RomanWord[]): Vowels {
  const vowels = run.map((word) => word.vowels);
  return vowels.includes('absent') ? 'absent' : vowels.includes('uncertain') ? 'uncertain' : 'written';
}

/** Where a word may end that was torn apart: I ris Blo ckwell. One piece may be long, the others are short. */
function fragmentEnds(words: readonly RomanWord[], start: number): number[] {
  const ends: number[] = [];
  let [letters, long, fragments] = [0, 0, 0];
  for (let end = start; end < words.length; end += 1) {
    const { length } = words[end]?.text ?? '';
    letters += length;
    if (length > shortWord) long += 1;
    if (length < shortWord) fragments += 1;
    if (letters > longestJoined || long > 1) break;
    if (end > start && fragments > 0) ends.push(end);
  }
  return ends;
}

/** The position of the next word that is not a particle, or the end. */
function nextPart(start: number, length: number, indexByPosition: ReadonlyMap<number, number>): number {
  let position = start + 1;
  while (position < length && !indexByPosition.has(position)) position += 1;
  return position;
}

/** Two long words are hardly ever written as one, except with a hyphen or an article between them. */
function mayBeJoined(run: readonly RomanWord[], coveredParts: number): boolean {
  if (coveredParts < 2) return run.length <= 3 && (run.at(-1)?.text.length ?? 0) > 1;
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last || first.text.length === 1 || last.text.length === 1) return false;
  return run.length > 2 || last.isHyphenated || Math.min(first.text.length, last.text.length) <= shortWord;
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
