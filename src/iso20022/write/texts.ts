/** Pure. Texts in the characters that a bank accepts: written otherwise where they must be, and never left out. */
import anyAscii from 'any-ascii';
import type { CharacterSet } from '../profiles.js';

/** Cut to `length` characters. Undefined for a text of which nothing can be printed. */
export function fitted(text: string, characters: CharacterSet, length: number): string | undefined {
  const written = Array.from(text.normalize('NFC'), (character) => inSet(character, characters)).join('');
  const tidy = written.replaceAll(/\s+/g, ' ').trim();
  const cut = part(tidy, 0, length);
  return cut === '' ? undefined : cut;
}

/** Some characters of a text, without the blanks around them. Schemas count characters, not units of UTF-16. */
export function part(text: string, start: number, end: number): string {
  return [...text].slice(start, end).join('').trim();
}

function inSet(character: string, characters: CharacterSet): string {
  const { accepted, written, other } = characters;
  if (accepted.test(character)) return character;
  const known = Object.hasOwn(written, character) ? written[character] : undefined;
  if (known !== undefined) return known;
  if (/\s/.test(character)) return ' ';
  return withoutMarks(character, accepted) ?? romanised(character, characters) ?? other;
}

/** With as many of its marks as are accepted: `ễ` becomes `ê` where there is one, else `e`. */
function withoutMarks(character: string, accepted: RegExp): string | undefined {
  const parts = [...character.normalize('NFD')];
  while (parts.length > 1) {
    parts.pop();
    const composed = parts.join('').normalize('NFC');
    if (accepted.test(composed)) return composed;
  }
  return undefined;
}

function romanised(character: string, { accepted, written, other }: CharacterSet): string | undefined {
  const latin = anyAscii(character);
  if (latin === '') return undefined;
  return Array.from(latin, (letter) => (accepted.test(letter) ? letter : (written[letter] ?? other))).join('');
}

/** The identifications that every bank takes: EPC230-15, and the same in the Swiss and SWIFT rules. */
export function isIdentification(text: string): boolean {
  return /^(?!\/)(?!.*\/\/)[A-Za-z0-9+?/:().,'-]{1,35}(?<!\/)$/.test(text);
}
