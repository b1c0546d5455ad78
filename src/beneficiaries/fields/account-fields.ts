/**
 * The vocabulary of accounts: every field that a bank, wallet or cash desk may need. `destinations/` says who needs
 * which.
 */
import { countrySpecs, isValidIBAN, validateBIC } from 'ibantools';
import * as digits from '../checks/check-digits.js';
import { callingCodeOf, exampleMobileNumber, readMobileNumber } from '../checks/phone-number.js';
import { readPixKey } from '../checks/pix-key.js';
import * as taxIds from '../checks/tax-ids.js';
import type { Field, Option } from './field.js';
import { nigerianBanks } from './nigerian-banks.js';

/** IBAN of one country (ISO 13616), with the check digits of its banks where `ibantools` knows them. */
export function iban(example: string): Field {
  const country = example.slice(0, 2);
  const specification = countrySpecs[country];
  const bban = specification?.bban_regexp?.replaceAll(/[\^$]/g, '');
  if (!bban || !specification?.chars) throw new Error(`the library knows no IBAN of ${country}`);
  return {
    ...code('iban', 'IBAN', example),
    ...exactly(specification.chars, `an IBAN of ${specification.chars} characters that begins with ${country}`),
    pattern: `^${country}[0-9]{2}${bban}$`,
    matchesCheckDigits: (value) => isValidIBAN(value, { allowQRIBAN: false }),
  };
}

/**
 * The IBAN of a country that is not in the registry of ISO 13616 and whose banks use it nevertheless. `ibantools`
 * refuses some of them that are in use.
 */
export function unregisteredIban(example: string, bban: string): Field {
  const country = example.slice(0, 2);
  return {
    ...code('iban', 'IBAN', example),
    ...exactly(example.length, `an IBAN of ${example.length} characters that begins with ${country}`),
    pattern: `^${country}[0-9]{2}${bban}$`,
    matchesCheckDigits: digits.isMod97,
  };
}

/** The bank of an account (ISO 9362). A branch code of three X means the head office, as does no branch code. */
export function bic(example: string): Field {
  const country = example.slice(4, 6);
  return {
    ...code('bic', 'BIC (SWIFT code) of the bank', example),
    hint: `a BIC of 8 or 11 characters with ${country} as the fifth and sixth`,
    pattern: `^[A-Z0-9]{4}${country}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$`,
    minLength: 8,
    maxLength: 11,
    read: (text) => {
      const value = compact(text).replace(/^(.{8})X{3}$/, '$1');
      return value.length < 8 || validateBIC(value).valid ? value : undefined;
    },
  };
}

/** An account number of a country without a published form: each bank has its own, some with letters. */
export function bankSpecificNumber(example: string): Field {
  return {
    ...code('accountNumber', 'Account number', example),
    hint: '4 to 30 letters and digits',
    pattern: '^[A-Z0-9]{4,30}$',
    minLength: 4,
    maxLength: 30,
  };
}

/** An account number of a published length that only its bank can check. */
export function accountNumber(minLength: number, maxLength: number, example: string): Field {
  const length = minLength === maxLength ? `${maxLength}` : `${minLength} to ${maxLength}`;
  return {
    ...code('accountNumber', 'Account number', example),
    hint: `${length} digits`,
    pattern: `^[0-9]{${minLength},${maxLength}}$`,
    minLength,
    maxLength,
  };
}

export const clabe: Field = {
  ...digitsOf('clabe', 'CLABE', '032180000118359719'),
  matchesCheckDigits: digits.isClabe,
};
export const cbu: Field = {
  ...digitsOf('cbu', 'CBU or CVU', '2850590940090418135201'),
  matchesCheckDigits: digits.isCbu,
};
export const cci: Field = {
  ...digitsOf('cci', 'CCI', '01136600010003254221'),
  matchesCheckDigits: digits.isCci,
};
export const routingNumber: Field = {
  ...digitsOf('routingNumber', 'ABA routing number', '021000021'),
  matchesCheckDigits: digits.isRoutingNumber,
};
export const rib: Field = {
  ...digitsOf('rib', 'RIB', '011519000001205000534921'),
  matchesCheckDigits: digits.isMoroccanRib,
};
export const sortCode = digitsOf('sortCode', 'Sort code', '601613');
export const bsb = digitsOf('bsb', 'BSB', '062000');
export const institutionNumber = digitsOf('institutionNumber', 'Institution number', '003');
export const transitNumber = digitsOf('transitNumber', 'Transit number', '00012');

/** The number of a bank or branch within its country. */
export function bankCode(label: string, example: string): Field {
  return digitsOf('bankCode', label, example);
}
export function branchCode(label: string, example: string): Field {
  return digitsOf('branchCode', label, example);
}

/** India: four letters of the bank, a zero, six characters of the branch (Reserve Bank of India). */
export const ifsc: Field = {
  ...code('ifsc', 'IFSC', 'SBIN0005943'),
  ...exactly(11, 'an IFSC of 11 characters: four letters, a zero, six letters or digits'),
  pattern: '^[A-Z]{4}0[A-Z0-9]{6}$',
};

/** Bangladesh: bank, district and branch in nine digits. */
export const bangladeshiRoutingNumber = digitsOf('routingNumber', 'Routing number of the branch', '010261726');

/** The commercial banks, by the codes of the Central Bank of Nigeria. */
export const nigerianBank: Field = {
  ...select('bankCode', 'Bank', nigerianBanks),
  isIdentifying: true,
};

/** Nigeria. The check digit of the account depends on the bank. */
export const nuban: Field = {
  ...accountNumber(10, 10, '0000014579'),
  matchesCheckDigits: (value, { bankCode: bank }) => bank === undefined || digits.isNuban(bank, value),
};

export const pixKey: Field = {
  ...code('pixKey', 'Pix key', '123e4567-e89b-12d3-a456-426655440000'),
  hint: 'a CPF, a CNPJ, a mobile number that begins with +55, an e-mail address, or a random key',
  pattern: `^(?:[0-9]{11}|[0-9A-Z]{12}[0-9]{2}|\\+55[0-9]{10,11}|[0-9a-f-]{36}|[^@ ]{1,64}@[^@ ]{3,75})$`,
  minLength: 6,
  maxLength: 77,
  read: readPixKey,
};

export const cpf = taxId('CPF', '39053344705', '^[0-9]{11}$', taxIds.isCpf);
export const cnpj = taxId('CNPJ', '16727230000197', '^[0-9A-Z]{12}[0-9]{2}$', taxIds.isCnpj);
export const rut = taxId('RUT', '125319092', '^[0-9]{7,8}[0-9K]$', taxIds.isRut, 8);
export const cuit = taxId('CUIT or CUIL', '20267565393', '^[0-9]{11}$', taxIds.isCuit);

/** Colombia. Only a NIT has a check digit, which is its last. */
export const colombianDocument: readonly Field[] = [
  select('documentType', 'Type of document', [
    { value: 'CC', label: 'Cédula de ciudadanía' },
    { value: 'CE', label: 'Cédula de extranjería' },
    { value: 'NIT', label: 'NIT' },
    { value: 'PA', label: 'Passport' },
  ]),
  {
    ...code('documentNumber', 'Number of the document', '1020304050'),
    hint: '5 to 16 letters and digits; a NIT with its check digit',
    pattern: '^[A-Z0-9]{5,16}$',
    minLength: 5,
    maxLength: 16,
    isIdentifying: false,
    matchesCheckDigits: (value, { documentType }) => documentType !== 'NIT' || taxIds.isNit(value),
  },
];

export function accountType(...values: readonly ('checking' | 'savings' | 'vista')[]): Field {
  const labels = {
    checking: 'Checking or current account',
    savings: 'Savings account',
    vista: 'Cuenta vista',
  };
  const options = values.map((value) => ({ value, label: labels[value] }));
  return select('accountType', 'Type of account', options);
}

export function walletProvider(providers: readonly string[]): Field {
  const options = providers.map((label) => ({ value: optionValue(label), label }));
  return { ...select('walletProvider', 'Wallet', options), isIdentifying: true };
}

/** A mobile number of one country. It is stored in the form of E.164. */
export function phoneNumber(country: string, label: string): Field {
  const example = exampleMobileNumber(country);
  return {
    ...code('phoneNumber', label, example),
    type: 'phone',
    hint: `a mobile number that begins with +${callingCodeOf(country)}`,
    pattern: `^\\+${callingCodeOf(country)}[0-9]{5,12}$`,
    minLength: 8,
    maxLength: 16,
    read: (text) => readMobileNumber(country, text),
  };
}

export function optional(field: Field): Field {
  return { ...field, isRequired: false, isIdentifying: false };
}

function taxId(
  label: string,
  example: string,
  pattern: string,
  isValid: (value: string) => boolean,
  minLength = example.length,
): Field {
  const length = minLength === example.length ? `${minLength}` : `${minLength} or ${example.length}`;
  return {
    ...code('taxId', label, example),
    hint: `a ${label} of ${length} characters`,
    pattern,
    minLength,
    maxLength: example.length,
    isIdentifying: false,
    matchesCheckDigits: isValid,
  };
}

function digitsOf(name: string, label: string, example: string): Field {
  const { length } = example;
  return {
    ...code(name, label, example),
    ...exactly(length, `${length} digits`),
    pattern: `^[0-9]{${length}}$`,
  };
}

function exactly(length: number, hint: string): Pick<Field, 'hint' | 'minLength' | 'maxLength'> {
  return { hint, minLength: length, maxLength: length };
}

/** A field that belongs to the account and tells it from others. */
function code(
  name: string,
  label: string,
  example: string,
): Omit<Field, 'hint' | 'pattern' | 'minLength' | 'maxLength'> {
  return {
    name: `account.${name}`,
    label,
    type: 'text',
    example,
    isRequired: true,
    isIdentifying: true,
    read: compact,
  };
}

function select(name: string, label: string, options: readonly Option[]): Field {
  return {
    ...code(name, label, options[0]?.value ?? ''),
    type: 'select',
    hint: 'one of the options',
    pattern: '^[A-Za-z0-9_]{2,40}$',
    minLength: 2,
    maxLength: 40,
    options,
    isIdentifying: false,
    read: (text) => text,
  };
}

/** People write numbers with spaces, dots, slashes and hyphens. Capitals are made of a–z only: ß would become SS. */
function compact(text: string): string {
  return text.replaceAll(/[ ./\u00A0\u2010\u2011-]/g, '').replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

function optionValue(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');
}
