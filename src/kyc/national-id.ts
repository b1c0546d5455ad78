/** Numbers that states give to people. Where a state has check digits, a slip of the finger is seen here. */
import cpf from 'stdnum/lib/cjs/br/cpf.js';
import rut from 'stdnum/lib/cjs/cl/rut.js';
import ecuadorian from 'stdnum/lib/cjs/ec/ci.js';
import curp from 'stdnum/lib/cjs/mx/curp.js';
import uruguayan from 'stdnum/lib/cjs/uy/cedula.js';
import southAfrican from 'stdnum/lib/cjs/za/idnr.js';
import type { AnswerFaultCode } from './form-view.js';

interface Validator {
  validate(value: string): { isValid: boolean };
}

/** Only where everybody's number has this one form; elsewhere a person looks at it. */
const validators: Readonly<Record<string, Validator>> = {
  BR: cpf,
  CL: rut,
  EC: ecuadorian,
  MX: curp,
  UY: uruguayan,
  ZA: southAfrican,
};

export function nationalIdFault(country: string | undefined, given: string): AnswerFaultCode | undefined {
  if (!/^[\p{L}\p{N}](?:[ ./-]?[\p{L}\p{N}]){3,}$/u.test(given)) return 'wrong_format';
  const validator = country === undefined ? undefined : validators[country];
  const compact = given.replaceAll(/[ ./-]/g, '').toUpperCase();
  return validator && !validator.validate(compact).isValid ? 'wrong_check_digits' : undefined;
}
