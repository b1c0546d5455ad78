/** Checks national identity numbers. Check digits reveal typing errors in the countries that have them. */
import cpf from 'stdnum/lib/cjs/br/cpf.js';
import rut from 'stdnum/lib/cjs/cl/rut.js';
import ecuadorian from 'stdnum/lib/cjs/ec/ci.js';
import curp from 'stdnum/lib/cjs/mx/curp.js';
import uruguayan from 'stdnum/lib/cjs/uy/cedula.js';
import southAfrican from 'stdnum/lib/cjs/za/idnr.js';
import type { AnswerFault } from './answer-fault.js';

interface NationalId {
  readonly validator: { validate(value: string): { isValid: boolean; error?: Error } };
  /** The number of letters and digits, as the page shows it. */
  readonly length: string;
  readonly example: string;
}

/** Countries in which every number has the same format. Numbers of other countries are checked by a reviewer. */
export const nationalIds: Readonly<Record<string, NationalId>> = {
  BR: { validator: cpf, length: '11', example: '390.533.447-05' },
  CL: { validator: rut, length: '8–9', example: '12.531.909-2' },
  EC: { validator: ecuadorian, length: '10', example: '1714307103' },
  MX: { validator: curp, length: '18', example: 'BOXW310820HNERXN09' },
  UY: { validator: uruguayan, length: '8', example: '1.234.567-2' },
  ZA: { validator: southAfrican, length: '13', example: '8001015009087' },
};

type NumberFault = Omit<AnswerFault, 'question'>;

export function nationalIdFault(country: string | undefined, text: string): NumberFault | undefined {
  const fault = numberFault(text, 4);
  const national = country === undefined ? undefined : nationalIds[country];
  // The exact length, where it is known, helps more than the minimum.
  if (!national || (fault && fault.code !== 'too_short')) return fault;
  const compact = text.replaceAll(separators, '').toUpperCase();
  const { isValid, error } = national.validator.validate(compact);
  if (isValid) return undefined;
  if (error?.name === 'InvalidLength') {
    return { code: 'wrong_length', limit: national.length, count: [...compact].length };
  }
  if (error?.name === 'InvalidChecksum') return { code: 'wrong_check_digits' };
  return { code: 'wrong_format', example: national.example };
}

const separators = /[ ./-]/g;

/** Checks the characters, length and separators of any identity or document number. */
export function numberFault(text: string, minLength: number): NumberFault | undefined {
  if (!/^[\p{L}\p{N} ./-]*$/u.test(text)) return { code: 'wrong_characters' };
  if ([...text.replaceAll(separators, '')].length < minLength) return { code: 'too_short', limit: minLength };
  return /^[\p{L}\p{N}]+(?:[ ./-][\p{L}\p{N}]+)*$/u.test(text) ? undefined : { code: 'wrong_format' };
}
