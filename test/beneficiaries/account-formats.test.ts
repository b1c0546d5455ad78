/** Account numbers of real formats: published examples pass, typing errors do not. */
import { describe, expect, it } from 'vitest';
import { type Field, readField, type Values } from '../../src/beneficiaries/fields/field.js';
import { destinations, findDestination } from '../../src/beneficiaries/requirements.js';

interface Format {
  readonly place: `${string} ${string}`;
  readonly field: string;
  /** Numbers that public documents and libraries use as examples. */
  readonly valid: readonly string[];
  readonly others?: Values;
  readonly onlyFor?: 'company';
  /** Adjacent digits whose exchange the scheme cannot notice. `at` is the place of the first one. */
  readonly blind?: (left: number, right: number, at: number) => boolean;
  /** Wrong numbers whose check digits match nevertheless, because the scheme gives two remainders one digit. */
  readonly unnoticed?: readonly string[];
}

/** Weights that differ by an even number miss digits that differ by five. */
const byFive = (left: number, right: number) => Math.abs(left - right) === 5;
/** Luhn's scheme misses 09 and 90. */
const luhn = (left: number, right: number) => left + right === 9 && Math.abs(left - right) === 9;

const withCheckDigits: Readonly<Record<string, Format>> = {
  CLABE: {
    place: 'MX MXN',
    field: 'account.clabe',
    valid: ['032180000118359719', '002010077777777771', '646180110400000007'],
    blind: byFive,
  },
  CBU: {
    place: 'AR ARS',
    field: 'account.cbu',
    valid: [
      '2850590940090418135201',
      '0110012920000091344977',
      '0110376030037695834983',
      '0070081830004089740113',
      '0140019901401901247953',
    ],
    // The first check digit and the first digit of the account belong to two blocks, which see the exchange.
    blind: (left, right, at) => at !== 7 && byFive(left, right),
  },
  CCI: {
    place: 'PE PEN',
    field: 'account.cci',
    valid: ['01136600010003254221'],
    blind: (left, right, at) => at !== 5 && at !== 17 && at !== 18 && luhn(left, right),
  },
  'ABA routing number': {
    place: 'US USD',
    field: 'account.routingNumber',
    valid: ['021000021', '011401533', '091000019', '122105155', '111000025'],
    blind: (left, right) => byFive(left, right),
  },
  'Moroccan RIB': { place: 'MA MAD', field: 'account.rib', valid: ['011519000001205000534921'] },
  NUBAN: {
    place: 'NG NGN',
    field: 'account.accountNumber',
    others: { bankCode: '011' },
    valid: ['0000014579'],
    // Weights 3 7 3 3 7 3 3 7 3, then 1: two neighbours of equal weight are not seen at all.
    blind: (left, right, at) => at === 2 || at === 5 || byFive(left, right),
  },
  CPF: {
    place: 'BR BRL',
    field: 'account.taxId',
    valid: ['39053344705', '11144477735'],
    // Remainders 0 and 1 both give 0, and the second check digit does not depend on the first digit.
    unnoticed: ['49053344705'],
  },
  CNPJ: {
    place: 'BR BRL',
    field: 'account.taxId',
    onlyFor: 'company',
    valid: ['16727230000197', '11222333000181', '12ABC34501DE35'],
  },
  RUT: { place: 'CL CLP', field: 'account.taxId', valid: ['125319092', '760864285', '10000013K'] },
  CUIT: { place: 'AR ARS', field: 'account.taxId', valid: ['20267565393', '20055361682'] },
  NIT: {
    place: 'CO COP',
    field: 'account.documentNumber',
    others: { documentType: 'NIT' },
    valid: ['2131234321', '8001972684'],
    // Remainders 1 and 10 both give 1, which is the check digit of the first example.
    unnoticed: ['2631234321', '2191234321', '2131233321', '2131234921', '2131234351', '2131234312'],
  },
  'IBAN of Côte d’Ivoire': {
    place: 'CI XOF',
    field: 'account.iban',
    valid: ['CI05A00060174100178530011852'],
  },
  ...Object.fromEntries(
    destinations.flatMap(({ country, currency, fields }) =>
      fields
        .filter(({ name }) => name === 'account.iban')
        .map(({ example }) => [
          `IBAN of ${country}`,
          { place: `${country} ${currency}`, field: 'account.iban', valid: [example] } as const,
        ]),
    ),
  ),
};

const withoutCheckDigits: readonly (readonly [
  place: Format['place'],
  field: string,
  valid: string[],
  wrong: string[],
])[] = [
  ['GB GBP', 'account.sortCode', ['60-16-13', '200000'], ['60-16-1', '6016133', 'AB1613']],
  ['GB GBP', 'account.accountNumber', ['31926819', '3192 6819'], ['1234567', '123456789']],
  [
    'IN INR',
    'account.ifsc',
    ['SBIN0005943', 'hdfc0000001', 'ICIC0000103'],
    ['SBIN1005943', 'SBI00005943', 'SBIN000594'],
  ],
  ['CA CAD', 'account.transitNumber', ['00012'], ['0012', '000123']],
  ['AU AUD', 'account.bsb', ['062-000', '033172'], ['06200', '0620000']],
  [
    'KE KES',
    'account.bic',
    ['EQBLKENA', 'eqblkenaxxx', 'EQBLKENA001'],
    ['EQBLKEN', 'EQBLTZTZ', 'EQBLKENA01', '12345678'],
  ],
  ['ZA ZAR', 'account.branchCode', ['250655'], ['25065', '2506551']],
  ['BD BDT', 'account.routingNumber', ['010261726'], ['01026172']],
  ['LK LKR', 'account.bankCode', ['7010'], ['701', '70100']],
];

describe('account numbers with check digits', () => {
  it('covers at least 25 formats', () => {
    expect(Object.keys(withCheckDigits).length).toBeGreaterThan(40);
  });

  it.each(Object.entries(withCheckDigits))(
    'accepts published examples of %s, also with separators',
    (_name, format) => {
      for (const number of format.valid) {
        expect(accepts(format, number), number).toBe(true);
        const separated = number.replaceAll(/(.{4})(?=.)/g, '$1 ');
        expect(accepts(format, separated), separated).toBe(true);
        expect(accepts(format, ` ${number.toLowerCase()}\u00A0`), number).toBe(true);
      }
    },
  );

  it.each(Object.entries(withCheckDigits))(
    'refuses every wrong digit in %s that its scheme can notice, and no others',
    (_name, format) => {
      for (const number of format.valid) {
        for (const wrong of oneDigitOff(number)) {
          expect(accepts(format, wrong), `${number} as ${wrong}`).toBe(format.unnoticed?.includes(wrong) ?? false);
        }
      }
    },
  );

  it.each(Object.entries(withCheckDigits))(
    'refuses every exchange of neighbouring digits in %s that its scheme can notice, and no others',
    (_name, format) => {
      for (const number of format.valid) {
        for (const { text, left, right, at } of exchanges(number)) {
          const isBlind = format.blind?.(left, right, at) || format.unnoticed?.includes(text);
          expect(accepts(format, text), `${number} as ${text}`).toBe(isBlind ?? false);
        }
      }
    },
  );

  it('says that check digits are wrong, with the expected format and an example', () => {
    const result = read({ place: 'MX MXN', field: 'account.clabe', valid: [] }, '032180000118359718');
    expect(result).toEqual({
      fault: {
        field: 'account.clabe',
        code: 'wrong_check_digits',
        message: 'contains a typing error: its check digits do not match',
        expected: '18 digits',
        example: '032180000118359719',
      },
    });
  });

  it('leaves the check digit of a NIT alone in other documents', () => {
    const format = { place: 'CO COP', field: 'account.documentNumber', valid: [] } as const;
    expect(accepts({ ...format, others: { documentType: 'CC' } }, '2131234322')).toBe(true);
  });

  it.each(['11111111111', '00000000000'])('refuses %s as CPF, which nobody has', (number) => {
    expect(accepts({ place: 'BR BRL', field: 'account.taxId', valid: [] }, number)).toBe(false);
  });

  it('refuses a QR-IBAN, which is good for payment slips only', () => {
    expect(accepts({ place: 'CH CHF', field: 'account.iban', valid: [] }, 'CH4431999123000889012')).toBe(false);
  });

  it('refuses the IBAN of another country', () => {
    expect(accepts({ place: 'ES EUR', field: 'account.iban', valid: [] }, 'DE89370400440532013000')).toBe(false);
  });
});

describe('account numbers without check digits', () => {
  it.each(withoutCheckDigits)('have their own form in %s: %s', (place, field, valid, wrong) => {
    for (const text of valid) expect(accepts({ place, field, valid }, text), text).toBe(true);
    for (const text of wrong) expect(accepts({ place, field, valid }, text), text).toBe(false);
  });

  it('takes the head office for the bank: a BIC without a branch, and one with three X, are the same', () => {
    const format = { place: 'KE KES', field: 'account.bic', valid: [] } as const;
    expect(read(format, 'EQBLKENAXXX')).toEqual({ value: 'EQBLKENA' });
  });

  it.each([
    ['390.533.447-05', '39053344705'],
    ['16.727.230/0001-97', '16727230000197'],
    ['+55 11 96123-4567', '+5511961234567'],
    ['Maria.Silva@Example.com', 'maria.silva@example.com'],
    ['123E4567-E89B-12D3-A456-426655440000', '123e4567-e89b-12d3-a456-426655440000'],
  ])('stores the Pix key %s as %s', (text, value) => {
    expect(read({ place: 'BR BRL', field: 'account.pixKey', valid: [] }, text)).toEqual({ value });
  });

  it.each([
    '39053344706',
    '11961234567',
    'maria',
    'maria@',
    '@example.com',
    '+254712123456',
    '123e4567-e89b-12d3-a456',
  ])('refuses the Pix key %s', (text) => {
    expect(accepts({ place: 'BR BRL', field: 'account.pixKey', valid: [] }, text)).toBe(false);
  });

  it.each([
    ['+254 712 123456', true],
    ['0712123456', true],
    ['254712123456', true],
    ['+254 20 2345678', false],
    ['+255 621 234567', false],
    ['call 0712123456', false],
    ['٠٧١٢١٢٣٤٥٦', false],
    ['0712', false],
  ])('reads %s as a Kenyan mobile number: %s', (text, isOne) => {
    const format = {
      place: 'KE KES',
      field: 'account.phoneNumber',
      method: 'mobile_wallet',
      valid: [],
    } as const;
    expect(read(format, text)).toEqual(isOne ? { value: '+254712123456' } : { fault: expect.anything() });
  });
});

describe('hostile texts', () => {
  const all = destinations.flatMap(({ fields }) => fields);

  it.each(['ß', 'ﬁ', 'ı', '\u0000', '\u202E', '１', '{}', '\uD800'])(
    'no account field accepts %j within a number',
    (part) => {
      for (const field of all.filter(({ name, options }) => name.startsWith('account.') && !options)) {
        const text = field.example.slice(0, 2) + part + field.example.slice(3);
        expect('fault' in readField(field, text, {}), `${field.name} ${text}`).toBe(true);
      }
    },
  );

  it('every pattern is bounded and accepts its example', () => {
    for (const { name, pattern, example, options, minLength, maxLength } of all) {
      const skeleton = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x');
      expect(skeleton, name).not.toMatch(/[*+]|\{\d+,\}|\)\{/);
      if (!options) expect(example, `${name} ${pattern}`).toMatch(new RegExp(pattern, 'u'));
      expect([...example].length, name).toBeGreaterThanOrEqual(options ? 1 : minLength);
      expect([...example].length, name).toBeLessThanOrEqual(maxLength);
    }
  });

  it('reads a text of a million characters as quickly as one of five hundred', () => {
    const shapes = ['1', 'A', ' ', '-', '@', '+', '1 ', 'a.', '\u00E9'];
    const distinct = [...new Map(all.map((field) => [`${field.name} ${field.pattern}`, field])).values()];
    const timeOf = (texts: readonly string[]) => {
      const beganAt = process.cpuUsage().user;
      for (const field of distinct) for (const text of texts) readField(field, text, {});
      return process.cpuUsage().user - beganAt;
    };
    const short = shapes.map((shape) => shape.repeat(500).slice(0, 500));
    const long = shapes.map((shape) => shape.repeat(1_000_000));
    timeOf(short);
    expect(timeOf(long)).toBeLessThan(10 * timeOf(short) + 100_000);
    for (const field of distinct) expect(readField(field, long[0] ?? '', {})).toHaveProperty('fault.code', 'too_long');
  });
});

function fieldOf({ place, field, onlyFor, method = 'bank_account' }: Format & { method?: string }): Field {
  const [country = '', currency = ''] = place.split(' ');
  const found = findDestination({ country, currency, method })?.fields.find(
    (candidate) => candidate.name === field && (onlyFor === undefined || candidate.onlyFor === onlyFor),
  );
  if (!found) throw new Error(`${place} has no field ${field}`);
  return found;
}

function read(format: Format & { method?: string }, text: string) {
  return readField(fieldOf(format), text, format.others ?? {});
}

function accepts(format: Format & { method?: string }, text: string): boolean {
  return 'value' in read(format, text);
}

function oneDigitOff(number: string): string[] {
  return [...number].flatMap((character, at) =>
    /\d/.test(character)
      ? [...'0123456789']
          .filter((digit) => digit !== character)
          .map((digit) => number.slice(0, at) + digit + number.slice(at + 1))
      : [],
  );
}

function exchanges(number: string): { text: string; left: number; right: number; at: number }[] {
  return [...number].flatMap((character, at) => {
    const next = number[at + 1] ?? '';
    if (!/\d\d/.test(character + next) || character === next) return [];
    const text = number.slice(0, at) + next + character + number.slice(at + 2);
    return [{ text, left: Number(character), right: Number(next), at }];
  });
}
