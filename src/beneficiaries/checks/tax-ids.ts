/** Tax numbers of people and companies, where a bank asks for them. `stdnum` checks their digits. */
import cuit from 'stdnum/lib/cjs/ar/cuit.js';
import cnpj from 'stdnum/lib/cjs/br/cnpj.js';
import cpf from 'stdnum/lib/cjs/br/cpf.js';
import rut from 'stdnum/lib/cjs/cl/rut.js';
import nit from 'stdnum/lib/cjs/co/nit.js';

export function isCpf(text: string): boolean {
  return !isOneDigitRepeated(text) && cpf.validate(text).isValid;
}

/** Also the form with letters that Brazil issues since July 2026. */
export function isCnpj(text: string): boolean {
  return !isOneDigitRepeated(text) && cnpj.validate(text).isValid;
}

export function isRut(text: string): boolean {
  return rut.validate(text).isValid;
}

export function isCuit(text: string): boolean {
  return cuit.validate(text).isValid;
}

export function isNit(text: string): boolean {
  return nit.validate(text).isValid;
}

/** Their check digits match, but nobody has such a number. */
function isOneDigitRepeated(text: string): boolean {
  return /^(.)\1*$/.test(text);
}
