/** Postal codes, checked by the formats of Google's address data where a country has one. */
import { COUNTRIES, validatePostalCode } from 'postal-code-checker';

/** Returns the code in capitals, or undefined when that country has no such code. Any separators are accepted. */
export function readPostalCode(country: string | undefined, text: string): string | undefined {
  const code = text.toUpperCase();
  const examples = examplesOf(country);
  if (country === undefined || examples.length === 0) return code;
  const letters = code.replaceAll(/[ -]/g, '');
  const candidates = [code, letters, ...examples.map((example) => separatedLike(example, letters))];
  return candidates.find((candidate) => validatePostalCode(country, candidate));
}

/** A real code of that country, as an example. */
export function examplePostalCode(country: string | undefined): string | undefined {
  return examplesOf(country)[0];
}

function examplesOf(country: string | undefined): readonly string[] {
  const known = country === undefined ? undefined : COUNTRIES[country];
  return known && known.patterns.length > 0 ? known.example : [];
}

/** With spaces and hyphens where the example has them. */
function separatedLike(example: string, letters: string): string {
  const left = [...letters];
  const parts = [...example].map((character) => (/[ -]/.test(character) ? character : (left.shift() ?? '')));
  return [...parts, ...left].join('');
}
