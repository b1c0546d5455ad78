/** Names that are written letter by letter: I r i s, B-l-o-c-k-w-e-l-l, F.F.T. Pure. */

const letter = '\\p{L}\\p{M}*';
const run = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}])${letter}(?:[^\\p{L}\\p{M}\\p{N}]+${letter}(?![\\p{L}\\p{M}\\p{N}])){2,}`,
  'gu',
);
const pieces = new RegExp(`(${letter})([^\\p{L}\\p{M}\\p{N}]*)`, 'gu');
/** Initials are fewer. */
const tooManyLetters = 5;

/** The name with its runs of single letters written as words; undefined when it has none. */
export function withJoinedLetters(name: string): string | undefined {
  const joined = name.replaceAll(run, joinRun);
  return joined === name ? undefined : joined;
}

/** Whether so many letters stand alone that nobody can tell where a word ends. */
export function isSpelledOut(name: string): boolean {
  return [...name.matchAll(run)].some(([text]) => [...text.matchAll(pieces)].length >= tooManyLetters);
}

/** A word ends at a wide gap, at a gap among other signs, and before a capital that follows a small letter. */
function joinRun(text: string): string {
  const letters = [...text.matchAll(pieces)].map(([, sign = '', gap = '']) => ({ sign, gap }));
  const hasOtherSigns = letters.slice(0, -1).some(({ gap }) => !/\s/.test(gap));
  return letters
    .map(({ sign, gap }, index) => {
      const next = letters[index + 1]?.sign ?? '';
      const isEnd =
        /\s{2}/.test(gap) || (hasOtherSigns && /\s/.test(gap)) || (/\p{Ll}/u.test(sign) && /\p{Lu}/u.test(next));
      return isEnd ? `${sign} ` : sign;
    })
    .join('');
}
