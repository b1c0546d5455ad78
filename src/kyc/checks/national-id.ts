/** Numbers that states give to people. Where a state has check digits, a typing mistake is found here. */
import cpf from 'stdnum/lib/cjs/br/cpf.js';
import rut from 'stdnum/lib/cjs/cl/rut.js';
import ecuadorian from 'stdnum/lib/cjs/ec/ci.js';
import curp from 'stdnum/lib/cjs/mx/curp.js';
import uruguayan from 'stdnum/lib/cjs/uy/cedula.js';
import southAfrican from 'stdnum/lib/cjs/za/idnr.js';
import type { AnswerFault } from '../form/view.js';

interface NationalId {
  readonly validator: { validate(value: string): { isValid: boolean; error?: Error } };
  /** Letters and digits, as a page names it. */
  readonly length: string;
  readonly example: string;
}

/** Only where everybody's number has this one form; elsewhere a person looks at it. */
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
  const known = country === undefined ? undefined : nationalIds[country];
  // Where the exact length is known, saying it helps more than saying the least one.
  if (!known || (fault && fault.code !== 'too_short')) return fault;
  const compact = text.replaceAll(separators, '').toUpperCase();
  const { isValid, error } = known.validator.validate(compact);
  if (isValid) return undefined;
  if (error?.name === 'InvalidLength') {
    return { code: 'wrong_length', limit: known.length, count: [...compact].length };
  }
  if (error?.name === 'InvalidChecksum') return { code: 'wrong_check_digits' };
  return { code: 'wrong_format', example: known.example };
}

const separators = /[ ./-]/g;

/** What is wrong with a number of letters and digits, whatever it numbers. */
export function numberFault(text: string, atLeast: number): NumberFault | undefined {
  if (!/^[\p{L}\p{N} ./-]*$/u.test(text)) return { code: 'wrong_characters' };
  if ([...text.replaceAll(separators, '')].length < atLeast) return { code: 'too_short', limit: atLeast };
  return /^[\p{L}\p{N}]+(?:[ ./-][\p{L}\p{N}]+)*$/u.test(text) ? undefined : { code: 'wrong_format' };
}
