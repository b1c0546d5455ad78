/** Checks requests about orders beyond what a schema can express, and reads the places in lists. Pure. */
import { beneficiaryFaults } from '../../beneficiaries/validation.js';
import type { FieldFault } from '../../errors.js';
import { publicId } from '../../ids.js';
import { hasControlCharacters } from '../../visible-text.js';
import type { BeneficiaryChoice } from '../placing/new-order.js';
import type { OrderPlace } from './listing/store.js';

/** Returns the faults of `beneficiaryId`, `beneficiary` and `metadata`. */
export function orderFaults(body: unknown): FieldFault[] {
  if (!isObject(body)) return [];
  return [...choiceFaults(body), ...metadataFaults(body.metadata)];
}

/** Exactly one of both is sent: `orderFaults` has made sure. */
export function choiceOf(body: {
  readonly beneficiaryId?: string | undefined;
  readonly beneficiary?: unknown;
}): BeneficiaryChoice {
  return body.beneficiaryId === undefined ? { beneficiary: body.beneficiary } : { beneficiaryId: body.beneficiaryId };
}

export function placeText({ at, orderId }: OrderPlace): string {
  return `${at.getTime()}-${orderId}`;
}

/** The schema accepts nothing but places. */
export function readPlace(text: string | undefined): OrderPlace | undefined {
  if (text === undefined) return undefined;
  const dash = text.indexOf('-');
  const orderId = publicId('ord', text.slice(dash + 1));
  return orderId && { at: new Date(Number(text.slice(0, dash))), orderId };
}

function choiceFaults({ beneficiaryId, beneficiary }: Fields): FieldFault[] {
  if ((beneficiaryId === undefined) === (beneficiary === undefined)) {
    const message = 'send either beneficiaryId or beneficiary';
    return [{ field: 'beneficiaryId', code: beneficiary === undefined ? 'required' : 'not_allowed', message }];
  }
  if (!isObject(beneficiary)) return [];
  return beneficiaryFaults(beneficiary).map((fault) => ({ ...fault, field: `beneficiary.${fault.field}` }));
}

const metadataName = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

function metadataFaults(metadata: unknown): FieldFault[] {
  if (!isObject(metadata)) return [];
  return Object.entries(metadata).flatMap(([name, value]) => {
    const field = `metadata.${name.slice(0, 40)}`;
    if (!metadataName.test(name)) {
      const message = 'the name must begin with a letter and have at most 40 letters, digits and . _ -';
      return [{ field, code: 'wrong_format', message }];
    }
    const isUnprintable = typeof value === 'string' && hasControlCharacters(value);
    return isUnprintable ? [{ field, code: 'wrong_format', message: 'must not contain control characters' }] : [];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
