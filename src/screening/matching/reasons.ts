/**
 * Explains a score: every part of both names, then birth date and country, each with the points that it costs or adds.
 */
import type { BirthRange } from '../lists/birth-date.js';
import type { Reason, ReasonCode } from '../screening.js';
import type { AlignedPair } from './align.js';
import type { FoundEntry } from './name-index.js';
import { effectsOf, listedPoints, subjectPoints } from './score.js';

interface Part {
  readonly text: string;
  /** What this part is worth. */
  readonly points: number;
}

export function reasonsFor(found: FoundEntry): Reason[] {
  const subject = pointsOf(found.query.parts, subjectPoints);
  const listed = pointsOf(found.name.parts, listedPoints);
  return [...partReasons(found.evidence.alignment.pairs, subject, listed), ...otherReasons(found)];
}

function pointsOf(parts: readonly { text: string; weight: number }[], all: number): Part[] {
  const whole = parts.reduce((sum, part) => sum + part.weight, 0);
  return parts.map(({ text, weight }) => ({ text, points: (all * weight) / whole }));
}

function partReasons(pairs: readonly AlignedPair[], subject: readonly Part[], listed: readonly Part[]): Reason[] {
  const paired = pairs.map(({ subjectMask, listedMask, similarity }) => {
    const [own, other] = [maskedParts(subject, subjectMask), maskedParts(listed, listedMask)];
    const points = [...own, ...other].reduce((sum, part) => sum + part.points, 0);
    return reason(
      similarity.code,
      points * (similarity.value - 1),
      pairText(similarity.code, textOf(own), textOf(other)),
    );
  });
  const taken = (key: 'subjectMask' | 'listedMask') => pairs.reduce((bits, pair) => bits | pair[key], 0);
  const extra = maskedParts(subject, ~taken('subjectMask')).map(({ text, points }) =>
    reason('extra_part', -points, `"${text}" is not in the listed name`),
  );
  const missing = maskedParts(listed, ~taken('listedMask')).map(({ text, points }) =>
    reason('missing_part', -points, `"${text}" of the listed name is missing`),
  );
  return [...paired, ...missing, ...extra];
}

function maskedParts(parts: readonly Part[], mask: number): Part[] {
  return parts.filter((_, index) => (mask & (1 << index)) !== 0);
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join(' ');
}

function pairText(code: ReasonCode, own: string, listed: string): string {
  switch (code) {
    case 'exact_part':
      return `"${own}" is equal`;
    case 'spelling':
      return `"${own}" is a spelling of "${listed}"`;
    case 'typing_error':
      return `"${own}" differs from "${listed}" by a typing error`;
    case 'sound':
      return `"${own}" sounds like "${listed}"`;
    case 'script':
      return `"${own}" has the consonants of "${listed}" in another script`;
    case 'joined_parts':
      return `"${own}" and "${listed}" are written as one word or two`;
    default:
      return `"${own}" and "${listed}" have the same initial`;
  }
}

function otherReasons({ entry, evidence }: FoundEntry): Reason[] {
  const effects = effectsOf(evidence);
  const reasons: Reason[] = [];
  const claimed = evidence.isVerified ? '' : '; it is only claimed and lowers nothing';
  if (effects.contained !== 0)
    reasons.push(reason('contained_name', effects.contained, 'the listed name stands in full among other words'));
  if (effects.window !== 0) reasons.push(reason('long_name', effects.window, 'a part of a long name is compared'));
  if (effects.otherKind !== 0)
    reasons.push(reason('other_kind', effects.otherKind, 'one is a person and the other an organisation'));
  if (effects.commonName !== 0)
    reasons.push(reason('common_name', effects.commonName, 'the equal parts are common names'));
  if (evidence.birth !== undefined) {
    const [code, text] = birthReasons[evidence.birth];
    const listed = `(listed: ${birthDatesText(entry.birthDates)}${evidence.birth === 'differs' ? claimed : ''})`;
    reasons.push(reason(code, effects.birth, `${text} ${listed}`));
  }
  if (evidence.country !== undefined) {
    const isEqual = evidence.country === 'equal';
    reasons.push(
      reason(
        isEqual ? 'country_equal' : 'country_differs',
        effects.country,
        isEqual ? 'a country is equal' : `no country is equal${claimed}`,
      ),
    );
  }
  return reasons;
}

const birthReasons = {
  equal: ['birth_date_equal', 'the birth date is equal'],
  within: ['birth_date_fits', 'the birth date fits'],
  close: ['birth_date_close', 'the birth date is close'],
  differs: ['birth_date_differs', 'the birth date differs'],
} as const;

function birthDatesText(dates: readonly BirthRange[]): string {
  return dates
    .map(({ from, to, isApproximate }) => `${isApproximate ? 'about ' : ''}${rangeText(from, to)}`)
    .join(', ');
}

function rangeText(from: number, to: number): string {
  if (from === to) return dayText(from);
  const isOneYear = Math.floor(from / 10_000) === Math.floor(to / 10_000);
  return isOneYear && from % 10_000 === 101 && to % 10_000 === 1231
    ? String(Math.floor(from / 10_000))
    : `${dayText(from)} to ${dayText(to)}`;
}

function dayText(day: number): string {
  const digits = String(day);
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** One digit after the point is enough to add them up by hand. */
function reason(code: ReasonCode, effect: number, text: string): Reason {
  return { code, effect: Math.round(effect * 10) / 10 + 0, text };
}
