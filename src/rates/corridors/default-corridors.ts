/**
 * The corridors of a new instance: the currencies that people really send from and to. They are open in a sandbox. In
 * live mode they are closed, and the operator opens those that they can serve.
 */
import { type CurrencyCode, currencyCode, minorUnits } from '../../money/currency.js';
import { divideCeil } from '../../money/division.js';
import type { Transaction } from '../../postgres/statement.js';
import type { CorridorTerms, PayoutMethod } from './corridor.js';
import { defaultRateTerms, defaultWaitingTerms } from './default-terms.js';
import { addCorridors, hasCorridors } from './store.js';

/** How many units are worth about ten US dollars. Good enough for sensible limits; never used for prices. */
const aboutTenDollars: Readonly<Record<string, number>> = {
  USD: 10,
  EUR: 10,
  GBP: 10,
  CAD: 14,
  AUD: 15,
  CHF: 10,
  JPY: 1500,
  SGD: 13,
  AED: 37,
  MXN: 180,
  PHP: 570,
  INR: 850,
  NGN: 15_000,
  KES: 1300,
  GHS: 120,
  COP: 40_000,
  PEN: 37,
  BRL: 55,
  ARS: 14_000,
  CLP: 9500,
  DOP: 600,
  GTQ: 80,
  HNL: 250,
  PKR: 2800,
  BDT: 1200,
  LKR: 3000,
  NPR: 1350,
  VND: 250_000,
  IDR: 160_000,
  THB: 340,
  MAD: 100,
  EGP: 490,
  XOF: 6000,
  XAF: 6000,
  UGX: 37_000,
  TZS: 25_000,
  ZAR: 180,
  TRY: 400,
  UAH: 410,
  BOB: 70,
};

const senders = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'SGD', 'AED'];
const receivers = Object.keys(aboutTenDollars).filter(
  (code) => !['USD', 'CAD', 'AUD', 'CHF', 'JPY', 'SGD', 'AED'].includes(code),
);
const mobileMoneyCurrencies = new Set(['KES', 'GHS', 'UGX', 'TZS', 'XOF', 'XAF', 'PHP', 'BDT', 'PKR']);
const cashPickupCurrencies = new Set([
  'MXN',
  'PHP',
  'COP',
  'PEN',
  'DOP',
  'GTQ',
  'HNL',
  'PKR',
  'BDT',
  'NPR',
  'LKR',
  'VND',
  'MAD',
  'EGP',
  'NGN',
]);

/** Does nothing when there are corridors already. */
export async function addDefaultCorridors(tx: Transaction, options: { isOpen: boolean }): Promise<void> {
  if (await hasCorridors(tx)) return;
  const pairs = senders.flatMap((from) =>
    receivers.filter((to) => to !== from).map((to) => [knownCurrency(from), knownCurrency(to)] as const),
  );
  await addCorridors(
    tx,
    pairs.map(([fiatIn, fiatOut]) => ({ fiatIn, fiatOut, ...defaultTerms(fiatIn, fiatOut, options.isOpen) })),
  );
}

function defaultTerms(fiatIn: CurrencyCode, fiatOut: CurrencyCode, isOpen: boolean): CorridorTerms {
  return {
    isOpen,
    minInMinor: dollars(fiatIn, 5),
    maxInMinor: dollars(fiatIn, 25_000),
    minOutMinor: dollars(fiatOut, 1),
    marginBasisPoints: fiatOut === 'EUR' || fiatOut === 'GBP' ? 60 : 120,
    feeFixedMinor: dollars(fiatIn, 1),
    feeBasisPoints: 30,
    quoteLifetimeSeconds: 1800,
    kycBands: [
      { upToMinor: dollars(fiatIn, 200), level: 'LEVEL_1' },
      { upToMinor: dollars(fiatIn, 10_000), level: 'LEVEL_2' },
      { upToMinor: undefined, level: 'LEVEL_3' },
    ],
    payoutMethods: payoutMethodsOf(fiatOut),
    ...defaultRateTerms(fiatIn, fiatOut),
    ...defaultWaitingTerms,
  };
}

function payoutMethodsOf(fiatOut: CurrencyCode): PayoutMethod[] {
  const methods: PayoutMethod[] = ['bank_account'];
  if (cashPickupCurrencies.has(fiatOut)) methods.push('cash_pickup');
  if (mobileMoneyCurrencies.has(fiatOut)) methods.push('mobile_wallet');
  return methods;
}

/** Returns about so many US dollars in minor units of the currency, rounded up to whole units. */
function dollars(currency: CurrencyCode, count: number): bigint {
  const units = divideCeil(BigInt(aboutTenDollars[currency] ?? 10) * BigInt(count), 10n);
  return units * 10n ** BigInt(minorUnits(currency));
}

function knownCurrency(text: string): CurrencyCode {
  const code = currencyCode(text);
  if (!code) throw new Error(`${text} is not a currency`);
  return code;
}
