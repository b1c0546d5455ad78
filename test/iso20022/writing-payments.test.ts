/** What we send to banks: valid by their own schemas, and read back by another parser with every field as it was. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder } from '../../src/iso20022/payment-message.js';
import { type BankProfileName, bankProfileNames, bankProfiles } from '../../src/iso20022/profiles.js';
import { paymentSchema } from '../../src/iso20022/schemas/pain-001.js';
import { orderMisfits } from '../../src/iso20022/write/checks.js';
import { UnfitMessage, writePaymentMessage } from '../../src/iso20022/write/payment-messages.js';
import { fitted } from '../../src/iso20022/write/texts.js';
import { InvalidMessage, SchemaValidator } from '../../src/iso20022/write/validation.js';
import type { Instruction } from '../../src/payouts/rail.js';
import { paymentOrderOf } from '../../src/providers/payout/iso20022/payment-order.js';
import { rounds } from '../harness/rounds.js';
import { currencyOf, messageOf, paymentOrders } from './payment-orders.js';
import { isoFile } from './published.js';

const iso = isoFile('xsd/pain.001.001.09.xsd');
const published: Readonly<Record<BankProfileName, readonly (string | undefined)[]>> = {
  plain: [iso],
  sepa: [iso, isoFile('xsd-profiles/pain.001.001.09.EPC132-08_2023_SCT_C2PSP.xsd')],
  sps: [iso, isoFile('xsd-profiles/pain.001.001.09.ch.03.xsd')],
  cbpr: [iso],
};

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === 'CdtTrfTxInf' || name === 'AdrLine',
  processEntities: true,
});

/** Only what a test reads. */
interface Element {
  readonly [name: string]: Element & string & Element[];
}

async function written(profile: BankProfileName, payments: readonly PaymentOrder[]): Promise<string> {
  return (await writePaymentMessage(profile, messageOf(payments))).toString();
}

/** What must be found of an order, by the names of the elements. */
function expectedOf(profileName: BankProfileName, order: PaymentOrder): object {
  const { characters, nameLength, uetr } = bankProfiles[profileName];
  const text = (value: string | undefined, length = nameLength) => value && fitted(value, characters, length);
  return {
    endToEndId: order.endToEndId,
    uetr: uetr === 'absent' ? undefined : order.uetr,
    amount: `${order.amount} ${order.currency}`,
    creditor: text(order.creditor.name),
    town: text(order.creditor.address?.town, 35),
    country: order.creditor.address?.country,
    owner: text(order.ultimateDebtor?.name),
    document: text(order.ultimateDebtor?.document?.number, 35),
    account: 'iban' in order.creditorAccount ? order.creditorAccount.iban : order.creditorAccount.number,
    bic: order.creditorBank?.bic,
    purpose: order.purpose,
    remittance: order.remittance && 'text' in order.remittance ? text(order.remittance.text, 140) : undefined,
    reference: order.remittance && 'reference' in order.remittance ? order.remittance.reference : undefined,
  };
}

function foundIn(payment: Element): object {
  const { PmtId, Amt, Cdtr, CdtrAcct, CdtrAgt, UltmtDbtr, Purp, RmtInf } = payment;
  return {
    endToEndId: PmtId?.EndToEndId,
    uetr: PmtId?.UETR,
    amount: `${Amt?.InstdAmt?.['#text']} ${Amt?.InstdAmt?.['@_Ccy']}`,
    creditor: Cdtr?.Nm,
    town: Cdtr?.PstlAdr?.TwnNm,
    country: Cdtr?.PstlAdr?.Ctry,
    owner: UltmtDbtr?.Nm,
    document: UltmtDbtr?.Id?.PrvtId?.Othr?.Id,
    account: CdtrAcct?.Id?.IBAN ?? CdtrAcct?.Id?.Othr?.Id,
    bic: CdtrAgt?.FinInstnId?.BICFI,
    purpose: Purp?.Cd,
    remittance: RmtInf?.Ustrd,
    reference: RmtInf?.Strd?.CdtrRefInf?.Ref,
  };
}

describe.each(bankProfileNames)('a message of payments by the profile %s', (name) => {
  const most = Math.min(5, bankProfiles[name].paymentsPerMessage);
  const orders = (currency: string) =>
    fc.uniqueArray(paymentOrders(name, currency), {
      minLength: 1,
      maxLength: most,
      selector: (order) => order.endToEndId,
    });
  const validators = published[name].flatMap((file) => (file ? [new SchemaValidator(readFileSync(file, 'utf8'))] : []));

  it('is valid by every schema that is published, and says what was ordered', async () => {
    const currency = fc.constantFrom(...(name === 'sps' ? ['EUR', 'USD', 'CHF'] : [currencyOf[name]]));
    await fc.assert(
      fc.asyncProperty(currency.chain(orders), async (payments) => {
        const text = await written(name, payments);
        for (const validator of validators) validator.validate(text);
        const message = (parser.parse(text) as Element).Document?.CstmrCdtTrfInitn;
        expect(message?.GrpHdr?.NbOfTxs).toBe(`${payments.length}`);
        expect(message?.PmtInf?.CdtTrfTxInf?.map(foundIn)).toEqual(payments.map((order) => expectedOf(name, order)));
      }),
      { numRuns: rounds(25, 2500) },
    );
  });

  it('has the same bytes at every repetition', async () => {
    await fc.assert(
      fc.asyncProperty(orders(currencyOf[name]), async (payments) => {
        expect(await written(name, structuredClone(payments))).toBe(await written(name, payments));
      }),
      { numRuns: rounds(5, 200) },
    );
  });
});

const order: PaymentOrder = {
  endToEndId: 'ORD01JABCDEFGHJKMNPQRSTVWXY-2',
  uetr: '0f8fad5b-d9cb-469f-a165-70867728950e',
  currency: 'EUR',
  amount: '12.30',
  chargeBearer: undefined,
  ultimateDebtor: undefined,
  creditor: {
    name: 'Ann',
    address: {
      street: undefined,
      building: undefined,
      postalCode: undefined,
      town: 'Bonn',
      subdivision: undefined,
      country: 'DE',
    },
  },
  creditorAccount: { iban: 'DE89370400440532013000' },
  creditorBank: { bic: 'DEUTDEFF', clearing: undefined, name: undefined },
  purpose: undefined,
  remittance: undefined,
};

describe('a message of payments', () => {
  it('sums up exactly and asks for one booking', async () => {
    const payments = ['0.10', '0.20', '999999.99'].map((amount, index) => ({
      ...order,
      amount,
      endToEndId: `ORD${index}`,
    }));
    const text = await written('sepa', payments);
    expect(text).toContain('<NbOfTxs>3</NbOfTxs><CtrlSum>1000000.29</CtrlSum><InitgPty>');
    expect(text).toContain('<BtchBookg>true</BtchBookg><NbOfTxs>3</NbOfTxs><CtrlSum>1000000.29</CtrlSum>');
    expect(text).toContain('<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>');
    expect(text).toContain('<ChrgBr>SLEV</ChrgBr>');
  });

  it('has by CBPR+ one payment with its UETR, and neither sum nor batch', async () => {
    const text = await written('cbpr', [{ ...order, currency: 'USD' }]);
    expect(text).not.toMatch(/CtrlSum|BtchBookg/);
    expect(text).toContain(`<UETR>${order.uetr}</UETR>`);
    expect(text).toContain('<ChrgBr>SHAR</ChrgBr>');
  });

  it('has no byte order mark and no empty element', async () => {
    const text = await written('plain', [order]);
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><Document /);
    expect(text).not.toMatch(/<(\w+)><\/\1>|<\w+\/>/);
  });

  it('writes an address that does not fit its elements in two lines, and no address without town and country', async () => {
    const address = {
      ...order.creditor.address,
      street: 'x'.repeat(100),
      building: '12',
      postalCode: '1',
      town: 'Bonn',
      subdivision: undefined,
      country: 'DE',
    };
    const long = await written('sepa', [{ ...order, creditor: { name: 'Ann', address } }]);
    expect(long).toContain(
      `<Ctry>DE</Ctry><AdrLine>${'x'.repeat(70)}</AdrLine><AdrLine>${'x'.repeat(30)} 12</AdrLine>`,
    );
    const incomplete = await written('sepa', [
      { ...order, creditor: { name: 'Ann', address: { ...address, town: undefined } } },
    ]);
    expect(incomplete).toContain('<Cdtr><Nm>Ann</Nm></Cdtr>');
  });

  it.each<[string, BankProfileName, Partial<PaymentOrder>, string]>([
    [
      'a currency that the scheme does not have',
      'sepa',
      { currency: 'USD' },
      '0 currency the profile sepa has no payments in it',
    ],
    ['an account that is no IBAN', 'sepa', { creditorAccount: { number: '123' } }, '0 creditorAccount must be an IBAN'],
    ['an underscore in an id', 'plain', { endToEndId: 'ord_1' }, '0 endToEndId is no identification'],
    ['36 characters in an id', 'plain', { endToEndId: 'x'.repeat(36) }, '0 endToEndId is no identification'],
    ['a slash at the end of an id', 'plain', { endToEndId: 'ORD/' }, '0 endToEndId is no identification'],
    ['a payment of nothing', 'plain', { amount: '0.00' }, '0 amount is no amount to pay'],
    ['a third decimal', 'sepa', { amount: '1.001' }, '0 amount has more than 2 decimals'],
    ['a missing UETR', 'cbpr', { uetr: undefined }, '0 uetr is missing'],
    ['an unknown bank', 'cbpr', { creditorBank: undefined }, '0 creditorBank is missing'],
    ['shared charges', 'sepa', { chargeBearer: 'SHAR' }, '0 chargeBearer is not offered'],
    [
      'an address without a town',
      'cbpr',
      { creditor: { name: 'Ann', address: undefined } },
      '0 creditor.address needs town and country',
    ],
    [
      'a name of signs',
      'sepa',
      { creditor: { name: '***', address: undefined } },
      '0 creditor.name has no character that the bank accepts',
    ],
    ['a reference that is none', 'sepa', { remittance: { reference: 'RF1' } }, '0 remittance is no reference'],
  ])('%s is refused before it is written', async (_case, profile, change, reason) => {
    await expect(written(profile, [{ ...order, ...change }])).rejects.toThrow(
      new UnfitMessage([]).constructor as never,
    );
    await expect(written(profile, [{ ...order, ...change }])).rejects.toThrow(reason);
  });

  it('may be tried before it is taken, one payment alone', () => {
    expect(orderMisfits(bankProfiles.sepa, order)).toEqual([]);
    expect(orderMisfits(bankProfiles.sepa, { ...order, amount: '-1' })).toEqual([
      { field: 'amount', problem: 'is no amount to pay' },
    ]);
  });

  it('is refused with one id twice, with too many payments or with two currencies', async () => {
    await expect(written('plain', [order, order])).rejects.toThrow('message payments have an end-to-end id twice');
    await expect(written('cbpr', [order, { ...order, endToEndId: 'B' }])).rejects.toThrow(
      'message payments are more than 1',
    );
    await expect(written('plain', [order, { ...order, endToEndId: 'B', currency: 'USD' }])).rejects.toThrow(
      'in several currencies',
    );
  });
});

describe('a schema of ours', () => {
  const valid = async () => written('sepa', [order]);
  const validator = new SchemaValidator(paymentSchema(bankProfiles.sepa));

  it.each([
    ['a character outside of the set', 'Ann', 'Änn'],
    ['a name of 71 characters', 'Ann', 'x'.repeat(71)],
    ['elements in another order', '<BtchBookg>true</BtchBookg>', ''],
    ['an empty element', '<Nm>Ann</Nm>', '<Nm></Nm>'],
    ['an amount of nothing', '12.30</InstdAmt>', '0</InstdAmt>'],
  ])('refuses %s, with line and path', async (_case, from, to) => {
    const text = await valid();
    expect(text).toContain(from);
    expect(() => validator.validate(text.replace(from, to))).toThrow(InvalidMessage);
    expect(() => validator.validate(text.replace(from, to))).toThrow(/^1 \/.*: /);
  });
});

describe('a text for a bank', () => {
  it.each<[string, BankProfileName, string]>([
    ['Jürgen Groß & Söhne', 'sepa', 'Juergen Gross + Soehne'],
    ['Jürgen Groß & Söhne', 'sps', 'Jürgen Groß & Söhne'],
    ['Zażółć gęślą jaźń', 'sepa', 'Zazolc gesla jazn'],
    ['Zażółć gęślą jaźń', 'sps', 'Zażółć gęślą jaźń'],
    ['Nguyễn Thị Hồng', 'sepa', 'Nguyen Thi Hong'],
    ['Nguyễn Thị Hồng', 'sps', 'Nguyên Thi Hông'],
    ['张伟', 'sepa', 'ZhangWei'],
    ['张伟', 'plain', '张伟'],
    ['محمد علي', 'sepa', "mhmd 'ly"],
    ['محمد علي', 'plain', 'محمد علي'],
    ['a_b@c', 'sepa', 'a-b(at)c'],
    ['a_b@c', 'cbpr', 'a_b@c'],
    ['  a\t\n b\u0001 ', 'plain', 'a b'],
  ])('%s is written by %s as %s', (text, profile, expected) => {
    expect(fitted(text, bankProfiles[profile].characters, 140)).toBe(expected);
  });
});

describe('the sender of a payout', () => {
  const instruction: Instruction = {
    reference: 'ORD01JABCDEFGHJKMNPQRSTVWXY',
    direction: 'payout',
    currency: 'EUR',
    amount: '12.30',
    sender: {
      name: 'Ana Reyes Núñez',
      country: 'ES',
      originator: {
        address: { street: 'Calle de Alcalá 1', town: 'Madrid', region: 'Madrid', postalCode: '28014', country: 'ES' },
        birthDate: '1985-04-12',
        birthPlace: 'Cádiz',
        documentNumber: 'XDA-123456',
        documentCountry: 'ES',
      },
    },
    recipient: {
      country: 'DE',
      currency: 'EUR',
      method: 'bank_account',
      type: 'person',
      firstName: 'Ann',
      lastName: 'Blau',
      address: { town: 'Bonn', country: 'DE' },
      account: { iban: 'DE89370400440532013000', bic: 'DEUTDEFF' },
    },
    purpose: 'gift',
  };

  it.each([
    ['plain', { StrtNm: 'Calle de Alcalá 1', PstCd: '28014', TwnNm: 'Madrid', CtrySubDvsn: 'Madrid', Ctry: 'ES' }],
    ['sps', { StrtNm: 'Calle de Alcalá 1', PstCd: '28014', TwnNm: 'Madrid', CtrySubDvsn: 'Madrid', Ctry: 'ES' }],
    ['cbpr', { StrtNm: 'Calle de Alcala 1', PstCd: '28014', TwnNm: 'Madrid', CtrySubDvsn: 'Madrid', Ctry: 'ES' }],
    // The rulebook of SEPA has no address of the ultimate debtor.
    ['sepa', undefined],
  ] as const)('is told the bank with document and structured address, by the profile %s', async (name, address) => {
    const payment = paymentOrderOf(instruction);
    if (!payment) throw new Error('the bank gets no payment');
    const text = await written(name, [payment]);
    for (const file of published[name]) if (file) new SchemaValidator(readFileSync(file, 'utf8')).validate(text);
    const message = (parser.parse(text) as Element).Document?.CstmrCdtTrfInitn;
    const [transaction] = message?.PmtInf?.CdtTrfTxInf ?? [];
    expect(transaction?.UltmtDbtr?.PstlAdr).toEqual(address);
    expect(transaction?.UltmtDbtr?.Id).toEqual({ PrvtId: { Othr: { Id: 'XDA-123456', Issr: 'ES' } } });
  });
});
