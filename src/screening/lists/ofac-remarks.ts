/**
 * Reads birth dates and countries out of the remarks of an OFAC entry: `DOB circa 1960; POB Tikrit, Iraq; nationality
 * Iraq`.
 */
import { type BirthRange, birthRange } from './birth-date.js';
import { countryOfName } from './countries.js';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export function birthDatesIn(remarks: string): BirthRange[] {
  return clauses(remarks).flatMap((clause) => {
    const [, text] = /^(?:alt\. )?DOB (.+)$/i.exec(clause) ?? [];
    return text === undefined ? [] : (readDate(text) ?? []);
  });
}

/** Nationality, citizenship, place of birth and the issuers of documents. */
export function countriesIn(remarks: string): string[] {
  const found = clauses(remarks).flatMap((clause) => {
    const [, named] = /^(?:alt\. )?(?:nationality|citizen) (.+)$/i.exec(clause) ?? [];
    const [, birthPlace] = /^(?:alt\. )?POB (.+)$/i.exec(clause) ?? [];
    const [, issuer] = /\(([A-Za-z ,']+)\)/.exec(clause) ?? [];
    return [named, birthPlace, issuer].flatMap((text) => (text === undefined ? [] : countryAtEnd(text)));
  });
  return [...new Set(found)];
}

function clauses(remarks: string): string[] {
  return remarks.split(';').map((clause) => clause.trim().replace(/\.$/, ''));
}

/** `Amalfi, Antioquia, Colombia`: the country is last. `Korea, North` has a comma of its own. */
function countryAtEnd(place: string): string[] {
  const parts = place.split(',').map((part) => part.trim());
  const found = countryOfName(parts.slice(-2).join(', ')) ?? countryOfName(parts.at(-1) ?? '');
  return found === undefined ? [] : [found];
}

/** `07 Jun 1951`, `Jan 1959`, `1936`, `circa 1960`, `1958 to 1962`, `01 Jan 1958 to 31 Dec 1960`. */
function readDate(text: string): BirthRange | undefined {
  const isApproximate = /^(circa|approximately|about)\b/i.test(text);
  const [first, last] = text
    .replace(/^(circa|approximately|about)\s+/i, '')
    .split(/\s+to\s+/i)
    .map(readDay);
  if (!first) return undefined;
  const { from } = first;
  const { to } = last ?? first;
  return to < from ? undefined : { from, to, isApproximate };
}

function readDay(text: string): BirthRange | undefined {
  const [, day, month, year] = /^(?:circa )?(?:(\d{1,2}) )?(?:([A-Za-z]{3})[a-z]* )?(\d{4})$/.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const monthNumber = month === undefined ? undefined : months.indexOf(month.toLowerCase()) + 1;
  return birthRange(Number(year), monthNumber, day === undefined ? undefined : Number(day));
}
