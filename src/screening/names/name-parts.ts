/** Takes a name apart into what is compared: words without particles, and neighbouring words written as one. */

import { particles } from './particles.js';
import { type RomanWord, romanWords } from './romanise.js';
import { type NameKind, weightOf } from './word-weights.js';

export interface NamePart {
  readonly text: string;
  readonly weight: number;
  readonly isVowelless: boolean;
}

/**
 * Neighbours that some write as one word: Abd al-Rahman and Abdulrahman, Jong Un and Jongun, Al Zarqawi and Alzarqawi.
 */
export interface JoinedParts {
  readonly text: string;
  readonly isVowelless: boolean;
  /** Positions in `parts`: one, when the other word is a particle, or two. */
  readonly covers: readonly number[];
}

export interface NameParts {
  /** In alphabetical order, so that the order in which a name is written makes no difference. */
  readonly parts: readonly NamePart[];
  readonly joined: readonly JoinedParts[];
}

/** Longer names are cut: nobody is told apart by a thirteenth word, and comparing must stay cheap. */
const mostParts = 12;
const longestWord = 40;
const longestJoined = 20;
const shortWord = 4;

export function namePartsOf(name: string, kind: NameKind): NameParts {
  const words = romanWords(name)
    .slice(0, 2 * mostParts)
    .map((word) => (word.text.length > longestWord ? { ...word, text: word.text.slice(0, longestWord) } : word));
  const isParticle = particleTest(words, kind);
  const kept = words
    .flatMap((word, position) => (isParticle[position] ? [] : [{ word, position }]))
    .slice(0, mostParts);
  const sorted = [...kept].sort((left, right) => compareTexts(left.word.text, right.word.text));
  const indexByPosition = new Map(sorted.map(({ position }, index) => [position, index]));
  return {
    parts: sorted.map(({ word: { text, isVowelless } }) => ({
      text,
      isVowelless,
      weight: weightOf(text, kind),
    })),
    joined: joinedWords(words, indexByPosition),
  };
}

/** A name of fewer than two other words keeps its particles: Le Van Duc is more than a Duc. */
function particleTest(words: readonly RomanWord[], kind: NameKind): boolean[] {
  const found = words.map(({ text }) => particles.has(text) && (kind === 'person' || text.length <= 3));
  return found.filter((isParticle) => !isParticle).length < 2 ? found.map(() => false) : found;
}

function joinedWords(words: readonly RomanWord[], indexByPosition: ReadonlyMap<number, number>): JoinedParts[] {
  const joined: JoinedParts[] = [];
  for (let start = 0; start < words.length; start += 1) {
    const end = nextPart(start, words.length, indexByPosition);
    const run = words.slice(start, end + 1);
    const covers = [start, end].flatMap((position) => indexByPosition.get(position) ?? []);
    const text = run.map((word) => word.text).join('');
    if (run.length > 1 && covers.length > 0 && text.length <= longestJoined && mayBeJoined(run, covers.length)) {
      joined.push({ text, covers, isVowelless: run.some((word) => word.isVowelless) });
    }
  }
  return joined;
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
