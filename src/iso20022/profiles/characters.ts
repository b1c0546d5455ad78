/** The characters that banks accept, and what is written for others. Pure. */
import type { CharacterSet } from './profile.js';

const germanic: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ß: 'ss' };
const signs: Readonly<Record<string, string>> = {
  '&': '+',
  '@': '(at)',
  '€': 'EUR',
  _: '-',
  '"': "'",
  '`': "'",
  '’': "'",
  '‘': "'",
  ';': ',',
  '!': '.',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '\\': '/',
  '|': '/',
};

/** EPC217-08. */
export const sepaCharacters: CharacterSet = {
  accepted: /^[A-Za-z0-9/?:().,'+ -]$/,
  schemaClass: "[A-Za-z0-9/?:().,'+ \\-]",
  written: { ...germanic, ...signs },
  other: '.',
};

/** Printable Latin-1, Latin Extended-A and five more. Implementation Guidelines, chapter 3.1. */
export const swissCharacters: CharacterSet = {
  accepted: /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f€ȘșȚț]$/,
  schemaClass: '[&#x20;-&#x7E;&#xA0;-&#xAC;&#xAE;-&#x17F;€ȘșȚț]',
  written: { '’': "'", '‘': "'" },
  other: '.',
};

/** FIN X with the additional characters that names, addresses and texts may have. */
export const swiftCharacters: CharacterSet = {
  accepted: /^[A-Za-z0-9/?:().,'+ !#$%&*=^_`{|}~";<>@[\]\\-]$/,
  schemaClass: "[A-Za-z0-9/?:().,'+ !#$%&amp;*=\\^_`{|}~&quot;;&lt;&gt;@\\[\\]\\\\\\-]",
  written: { ...germanic, '€': 'EUR', '’': "'", '‘': "'" },
  other: '.',
};

/** All that can be printed. */
export const anyCharacters: CharacterSet = {
  accepted: /^[^\p{C}]$/u,
  schemaClass: '[^\\p{C}]',
  written: {},
  other: ' ',
};
