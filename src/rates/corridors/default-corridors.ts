/**
 * The corridors that a new instance begins with: where people really send from and to. In the sandbox they are open;
 * in live the operator opens the ones that he can serve.
 */
import { type CurrencyCode, currencyCode, minorUnits } from '../../money/currency.js';
import { divideCeil } from '../../money/division.js';
import type { Transaction } from '../../postgres/statement.js';
import type { CorridorTerms, PayoutMethod } from './corridor.js';
import { isEmptyAndLocked, saveCorridor } from './store.js';

/** Whole units that are worth about ten US dollars: enough to set sensible limits, never to price anything. */
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
const mobileMoney = new Set(['KES', 'GHS', 'UGX', 'TZS', 'XOF', 'XAF', 'PHP', 'BDT', 'PKR']);
const cash = new Set([
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

export async function addDefaultCorridors(tx: Transaction, options: { isOpen: boolean }): Promise<void> {
  if (!(await isEmptyAndLocked(tx))) return;
  for (const from of senders) {
    for (const to of receivers.filter((code) => code !== from)) {
      const [fiatIn, fiatOut] = [code(from), code(to)];
      await saveCorridor(tx, fiatIn, fiatOut, terms(fiatIn, fiatOut, options.isOpen));
    }
  }
}

function terms(fiatIn: CurrencyCode, fiatOut: CurrencyCode, isOpen: boolean): CorridorTerms {
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
    payoutMethods: methods(fiatOut),
  };
}

function methods(fiatOut: CurrencyCode): PayoutMethod[] {
  const further: PayoutMethod[] = [];
  if (cash.has(fiatOut)) further.push('cash_pickup');
  if (mobileMoney.has(fiatOut)) further.push('mobile_wallet');
  return ['bank_account', ...further];
}

/** About so many dollars' worth in minor units, rounded to whole units. */
function dollars(currency: CurrencyCode, count: number): bigint {
  const units = divideCeil(BigInt(aboutTenDollars[currency] ?? 10) * BigInt(count), 10n);
  return units * 10n ** BigInt(minorUnits(currency));
}

function code(text: string): CurrencyCode {
  const found = currencyCode(text);
  if (!found) throw new Error(`the seed names ${text}, which is no currency`);
  return found;
}
