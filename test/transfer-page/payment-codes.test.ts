/** The codes to pay with, read back by another implementation and compared field by field. */
import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';
import type { CurrencyCode } from '../../src/money/currency.js';
import type { PayinAccount } from '../../src/orders/order/order.js';
import { readDetails } from '../../src/payments/accounts/payin-account.js';
import { paymentCodeOf } from '../../src/transfer-page/codes/payment-code.js';

const reference = 'RF310000013J8V2T9X5B3N6H0';
const accountIn = (details: Record<string, string>, holder = 'Remesa Payments S.L.', country = 'ES'): PayinAccount => ({
  accountId: 'main',
  holder,
  bankName: 'Banco de Ejemplo',
  country,
  details,
  isSimulated: false,
});
const codeOf = (account: PayinAccount, currency: string, minor: bigint) =>
  paymentCodeOf({ account, amount: { currency: currency as CurrencyCode, minor }, reference });

/** Draws the shapes as a camera would see them, with some white around them. */
function pictureOf(svg: string): { pixels: Uint8ClampedArray; side: number } {
  const [border, scale] = [4, 12];
  const side = (Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) + 2 * border) * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const paint = ([x = 0, y = 0, width = 0, height = 0]: readonly number[], colour: number) => {
    for (let row = Math.round((y + border) * scale); row < Math.round((y + height + border) * scale); row += 1) {
      const begin = row * side + Math.round((x + border) * scale);
      for (let pixel = begin; pixel < begin + Math.round(width * scale); pixel += 1)
        pixels.fill(colour, pixel * 4, pixel * 4 + 3);
    }
  };
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) paint([Number(x), Number(y), 1, 1], 0);
  const rectangles = /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(\w+)"/g;
  for (const [, x, y, width, height, fill] of svg.matchAll(rectangles))
    paint([x, y, width, height].map(Number), fill === 'white' ? 255 : 0);
  return { pixels, side };
}

function read(svg: string | undefined): string {
  const { pixels, side } = pictureOf(svg ?? '');
  return (jsQR as unknown as typeof jsQR.default)(pixels, side, side)?.data ?? 'nothing was read';
}

/** The fields of EMV: two digits, a length of two digits, a value. */
function fieldsOf(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    fields[text.slice(at, at + 2)] = text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
}

describe('the code for euro', () => {
  it('says holder, IBAN, amount and reference as EPC069-12 orders them', () => {
    const code = codeOf(accountIn({ iban: 'ES9121000418450200051332', bic: 'CAIXESBBXXX' }), 'EUR', 10050n);
    expect(read(code?.picture).split('\n')).toEqual([
      'BCD',
      '002',
      '1',
      'SCT',
      '',
      'Remesa Payments S.L.',
      'ES9121000418450200051332',
      'EUR100.50',
      '',
      reference,
    ]);
  });

  it('is read with letters of any script in the name', () => {
    const code = codeOf(accountIn({ iban: 'ES9121000418450200051332' }, 'Pagos Ñandú & Cía'), 'EUR', 99n);
    expect(read(code?.picture)).toContain('\nPagos Ñandú & Cía\nES9121000418450200051332\nEUR0.99\n');
  });
});

describe('the code for Swiss francs', () => {
  const swiss = {
    iban: 'CH9300762011623852957',
    holderStreet: 'Rue du Lac 1268',
    holderPostalCode: '2501',
    holderTown: 'Biel',
  };

  it('says the fields of the implementation guidelines, with a structured address and the reference as SCOR', () => {
    const fields = read(codeOf(accountIn(swiss, 'Remesa AG', 'CH'), 'CHF', 194975n)?.picture).split('\n');
    expect(fields.slice(0, 11)).toEqual([
      ...['SPC', '0200', '1', swiss.iban, 'S', 'Remesa AG', 'Rue du Lac 1268', '', '2501', 'Biel', 'CH'],
    ]);
    expect(fields.slice(11, 18)).toEqual(['', '', '', '', '', '', '']);
    expect(fields.slice(18, 27)).toEqual(['1949.75', 'CHF', '', '', '', '', '', '', '']);
    expect(fields.slice(27)).toEqual(['SCOR', reference, '', 'EPD']);
    expect(codeOf(accountIn(swiss, 'Remesa AG', 'CH'), 'CHF', 194975n)?.picture.length).toBeLessThan(25_000);
  });

  it.each(['CHF', 'EUR'])(
    'needs the ordinary IBAN of the account: a QR-IBAN takes no reference of ours (%s)',
    (currency) => {
      const { faults } = readDetails('CH', currency, { ...swiss, iban: 'CH44 3199 9123 0008 8901 2' });
      expect(faults.map(({ field, code }) => [field, code])).toEqual([['details.iban', 'not_allowed']]);
    },
  );

  it('is left out without the address of the holder, which the bill must name', () => {
    expect(codeOf(accountIn({ iban: swiss.iban }, 'Remesa AG', 'CH'), 'CHF', 100n)).toBeUndefined();
  });
});

describe('the code for Brazil', () => {
  const account = accountIn(
    { pixKey: 'pagos@remesa.example', holderTown: 'São Paulo' },
    'Remesa Pagamentos Ltda.',
    'BR',
  );

  it('says key, amount, holder, town and reference as fields of EMV, with a checksum', () => {
    const text = read(codeOf(account, 'BRL', 123456n)?.picture);
    const fields = fieldsOf(text);
    expect(fields).toEqual({
      '00': '01',
      '26': fields['26'],
      '52': '0000',
      '53': '986',
      '54': '1234.56',
      '58': 'BR',
      '59': 'Remesa Pagamentos Ltda.',
      '60': 'Sao Paulo',
      '62': `0525${reference}`,
      '63': fields['63'],
    });
    expect(fieldsOf(fields['26'] ?? '')).toEqual({ '00': 'br.gov.bcb.pix', '01': 'pagos@remesa.example' });
    expect(fields['63']).toMatch(/^[0-9A-F]{4}$/);
    expect(codeOf(account, 'BRL', 123456n)?.text).toBe(text);
  });

  it('ends with the CRC-16 over everything before it', () => {
    // The check value of CRC-16/CCITT-FALSE.
    const text = codeOf(account, 'BRL', 100n)?.text ?? '';
    expect(crcOf(text.slice(0, -4))).toBe(text.slice(-4));
    expect(crcOf('123456789')).toBe('29B1');
  });
});

/** Written by the table method, unlike the code under test. */
function crcOf(text: string): string {
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = byte << 8;
    for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value & 0x8000 ? 0x1021 : 0);
    return value & 0xffff;
  });
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (table[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

describe('the code for India', () => {
  it('is the address that payment apps open, and the link beside it is the same', () => {
    const code = codeOf(accountIn({ upiId: 'remesa@okbank' }, 'Remesa & Sons Ltd', 'IN'), 'INR', 500000n);
    const url = new URL(read(code?.picture));
    expect(code?.link).toBe(url.href);
    expect([url.protocol, url.host]).toEqual(['upi:', 'pay']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      pa: 'remesa@okbank',
      pn: 'Remesa Sons Ltd',
      am: '5000.00',
      cu: 'INR',
      tr: reference,
      tn: reference,
    });
  });
});

it('there is no code for an account that nobody pays to, nor in a currency without one', () => {
  const simulated = { ...accountIn({ iban: 'ES9121000418450200051332' }), isSimulated: true };
  expect(codeOf(simulated, 'EUR', 100n)).toBeUndefined();
  expect(codeOf(accountIn({ accountNumber: '1' }), 'USD', 100n)).toBeUndefined();
});
