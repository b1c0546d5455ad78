/**
 * Finds pay-in references and ids of orders in what payers and banks make of them: in lower case, in groups, amid other
 * text. Pure.
 */
import { publicId } from '../../ids.js';
import type { OrderId } from '../../orders/order/order.js';
import { hasCheckDigits, payinReferenceLength as length } from '../../orders/payin/payin-reference.js';

/** No payer pays that many orders with one transfer. */
const mostReferences = 10;
/** Texts with more places that look like a reference are not searched to the end. */
const mostMistyped = 4;
const longestText = 2000;

const digits = '0123456789';
const ownCharacters = `${digits}ABCDEFGHJKMNPQRSTVWXYZ`;

/** The references whose check digits match, each once. */
export function referencesIn(remittanceText: string): string[] {
  const text = lettersAndDigits(remittanceText);
  const found = new Set<string>();
  for (let start = text.indexOf('RF'); start >= 0; start = text.indexOf('RF', start + 1)) {
    const part = text.slice(start, start + length);
    if (part.length < length || found.size === mostReferences) break;
    if (invalidPositions(part, 0).length === 0 && hasCheckDigits(part)) found.add(part);
  }
  return [...found];
}

/** In so many characters a text may differ from the reference of an order, for a person who looks at both. */
const mostWrong = 2;

/** Whether a part of the text is the reference, or differs from it in one or two characters. */
export function isNearly(remittanceText: string, reference: string): boolean {
  const text = lettersAndDigits(remittanceText);
  for (let start = 0; start + reference.length <= text.length; start += 1) {
    let wrong = 0;
    for (let position = 0; position < reference.length && wrong <= mostWrong; position += 1) {
      if (text[start + position] !== reference[position]) wrong += 1;
    }
    if (wrong <= mostWrong) return true;
  }
  return false;
}

/** The references with matching check digits that differ in one character from a part of the text. */
export function nearReferencesIn(remittanceText: string): string[] {
  const text = lettersAndDigits(remittanceText);
  const found = new Set<string>();
  let places = 0;
  for (let start = 0; start + length <= text.length && places < mostMistyped; start += 1) {
    const part = text.slice(start, start + length);
    const wrong = invalidPositions(part, 1);
    if (wrong.length > 1) continue;
    places += 1;
    for (const near of correctionsOf(part, wrong[0])) found.add(near);
  }
  return [...found];
}

/**
 * The ids of orders, each once: as the API writes them, or as we name a payout to banks, which may come back with the
 * money.
 */
export function orderIdsIn(remittanceText: string): OrderId[] {
  const found = lettersAndDigits(remittanceText).matchAll(/ORD([0-9A-HJKMNP-TV-Z]{26})/g);
  const ids = [...found].slice(0, mostReferences).flatMap(([, body]) => publicId('ord', `ord_${body}`) ?? []);
  return [...new Set(ids)];
}

/** Spaces, hyphens and line ends may be anywhere, because banks print references in groups and break lines. */
function lettersAndDigits(text: string): string {
  return text
    .slice(0, longestText)
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, longestText);
}

/** The positions that no reference can have in this way; stops after more than `most`. */
function invalidPositions(part: string, most: number): number[] {
  const wrong: number[] = [];
  for (let position = 0; position < length && wrong.length <= most; position += 1) {
    if (!allowedAt(position).includes(part[position] ?? '')) wrong.push(position);
  }
  return wrong;
}

function allowedAt(position: number): string {
  if (position === 0) return 'R';
  if (position === 1) return 'F';
  return position < 4 ? digits : ownCharacters;
}

/** `wrong` is the position that must be corrected; undefined when any may be. */
function correctionsOf(part: string, wrong: number | undefined): string[] {
  const positions = wrong === undefined ? Array.from({ length }, (_, position) => position) : [wrong];
  return positions.flatMap((position) =>
    [...allowedAt(position)]
      .filter((character) => character !== part[position])
      .map((character) => part.slice(0, position) + character + part.slice(position + 1))
      .filter(hasCheckDigits),
  );
}
