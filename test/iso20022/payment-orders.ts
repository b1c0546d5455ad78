/** Random payments for tests of what we send. */
import fc from 'fast-check';
import type { Address, PaymentMessage, PaymentOrder } from '../../src/iso20022/payment-message.js';
import { type BankProfileName, bankProfiles } from '../../src/iso20022/profiles.js';

const names = [
  'Ann Example',
  'Müller & Söhne <GmbH>',
  'Zażółć gęślą jaźń',
  'Nguyễn Thị Hồng',
  '张伟',
  'محمد علي',
  'Åse Øst',
  'O\'Brien "Bob"',
  'Ελένη',
  '😀 Smile 1',
];
const name = fc.oneof(fc.constantFrom(...names), fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,80}[A-Za-z]$/));
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const address: fc.Arbitrary<Address> = fc.record({
  street: optional(fc.oneof(name, fc.stringMatching(/^[A-Za-z]{71,160}$/))),
  building: optional(fc.stringMatching(/^[0-9]{1,4}[a-z]?$/)),
  postalCode: optional(fc.stringMatching(/^[0-9]{4,6}$/)),
  town: name,
  subdivision: optional(name),
  country: fc.constantFrom('DE', 'CH', 'VN', 'PL', 'KE'),
});

const iban = fc.constantFrom('DE89370400440532013000', 'CH9300762011623852957', 'PL61109010140000071219812874');
const bic = fc.constantFrom('DEUTDEFF', 'POFICHBEXXX', 'BREXPLPW');
const crockford = fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);

/** Of a profile, so that each of them passes its checks. */
export function paymentOrders(profileName: BankProfileName, currency: string): fc.Arbitrary<PaymentOrder> {
  const profile = bankProfiles[profileName];
  const isEuroOnly = profileName === 'sepa' || (profileName === 'sps' && currency === 'EUR');
  const located = fc.record({ name, address });
  const document = fc.record({
    number: fc.oneof(name, fc.stringMatching(/^[A-Z0-9]{1,30}$/)),
    issuer: optional(fc.constantFrom('ES', 'MX')),
  });
  const number = fc.record({ number: fc.stringMatching(/^[0-9]{6,34}$/) });
  const bank = fc.record({
    bic: profile.creditorBank === 'always' || isEuroOnly ? bic : optional(bic),
    clearing: fc.constant({ system: 'USABA', member: '021000021' }),
    name: optional(name),
  });
  const uetr = fc.uuid({ version: 4 });
  return fc.record({
    endToEndId: fc.tuple(crockford, fc.constantFrom('', '-2', '-17')).map(([tail, attempt]) => `ORD${tail}${attempt}`),
    uetr: profile.uetr === 'required' ? uetr : optional(uetr),
    currency: fc.constant(currency),
    amount: fc
      .tuple(fc.nat({ max: 10 ** 8 }), fc.integer({ min: 1, max: 99 }))
      .map(([units, cents]) => `${units}.${`${cents}`.padStart(2, '0')}`),
    chargeBearer: isEuroOnly ? fc.constant(undefined) : optional(fc.constantFrom('DEBT' as const, 'SHAR' as const)),
    ultimateDebtor: optional(fc.record({ name, address, document: optional(document) })),
    creditor: profile.creditorAddress === 'required' ? located : fc.record({ name, address: optional(address) }),
    creditorAccount: isEuroOnly ? fc.record({ iban }) : fc.oneof(fc.record({ iban }), number),
    creditorBank: profile.creditorBank === 'optional' ? optional(bank) : bank,
    purpose: optional(fc.constantFrom('FAMI', 'SALA', 'GDDS')),
    remittance: optional(fc.oneof(fc.record({ text: name }), fc.constant({ reference: 'RF18539007547034' }))),
  });
}

export function messageOf(payments: readonly PaymentOrder[]): PaymentMessage {
  return {
    messageId: 'MSG01JABCDEFGHJKMNPQRSTVWXYZ',
    createdAt: '2026-11-19T10:00:00.123Z',
    paymentInformationId: 'MSG01JABCDEFGHJKMNPQRSTVWXYZ-1',
    executionDay: '2026-11-20',
    initiator: 'Remesa Example Ltd',
    debtor: {
      name: 'Remesa Example Ltd',
      address: {
        street: 'High Street',
        building: '1',
        postalCode: '1010',
        town: 'Wien',
        subdivision: undefined,
        country: 'AT',
      },
    },
    debtorAccount: { iban: 'AT611904300234573201' },
    debtorBank: { bic: 'BKAUATWW', clearing: undefined, name: undefined },
    payments,
  };
}

export const currencyOf = { plain: 'KES', sepa: 'EUR', sps: 'USD', cbpr: 'USD' } as const;
