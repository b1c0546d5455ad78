/** The same name as five people would write it. Names are in the form `FAMILY, Given Middle`. See docs/screening.md. */
import type { Random } from './random.js';

/** Returns undefined when the name has nothing that this disguise could change. */
export type Disguise = (name: string, random: Random) => string | undefined;

function wordsOf(name: string): { family: string[]; given: string[] } {
  const [family = '', ...given] = name.split(',');
  return { family: split(family), given: split(given.join(' ')) };
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  n: 'ñ',
  c: 'ç',
  s: 'š',
  z: 'ž',
};

export const disguises: Readonly<Record<string, Disguise>> = {
  'token order'(name, random) {
    const { family, given } = wordsOf(name);
    const words = [...given, ...family];
    for (let index = words.length - 1; index > 0; index -= 1) {
      const other = random.below(index + 1);
      [words[index], words[other]] = [words[other] as string, words[index] as string];
    }
    return words.join(' ');
  },
  'case and accents'(name, random) {
    const { family, given } = wordsOf(name);
    const written = [...given, ...family].join(' ');
    return [...written]
      .map((letter) => (random.next() < 0.25 ? (accents[letter.toLowerCase()] ?? letter) : letter))
      .map((letter) => (random.next() < 0.5 ? letter.toUpperCase() : letter.toLowerCase()))
      .join('');
  },
  'dropped middle name'(name) {
    const { family, given } = wordsOf(name);
    const [first] = given;
    return first === undefined || given.length < 2 ? undefined : [first, ...family].join(' ');
  },
  'one typing error'(name, random) {
    const { family, given } = wordsOf(name);
    const written = [...given, ...family].join(' ');
    const letters = [...written].flatMap((letter, index) => (/[A-Za-z]/.test(letter) ? [index] : []));
    return withError(written, random.pick(letters), random);
  },
  initials(name) {
    const { family, given } = wordsOf(name);
    const initials = given.flatMap((word) => /[A-Za-z]/.exec(word) ?? []);
    return initials.length === 0 ? undefined : [...initials.map((letter) => `${letter}.`), ...family].join(' ');
  },
};

function withError(text: string, at: number, random: Random): string {
  const letter = 'abcdefghijklmnopqrstuvwxyz'[random.below(26)] as string;
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const forms = [
    before + letter + after,
    before + after,
    before + letter + text.slice(at),
    /^[A-Za-z]/.test(after) ? before + after[0] + text[at] + after.slice(1) : before + after,
  ];
  return random.pick(forms);
}
