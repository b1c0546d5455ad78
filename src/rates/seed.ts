/**
 * The corridors that a new instance begins with: where people really send from and to. In the sandbox they are open;
 * in live the operator opens the ones that he can serve.
 */
import { type CurrencyCode, currencyCode, minorUnits } from '../money/currency.js';
import type { Transaction } from '../postgres/statement.js';
import type { CorridorTerms, PayoutMethod } from './corridor.js';
import { isEmptyAndLocked, saveCorridor } from './corridor-store.js';

/** Whole units that are worth about one US dollar: enough to set sensible limits, never to price anything. */
const aboutOneDollar: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1,
  GBP: 1,
  CAD: 1.4,
  AUD: 1.5,
  CHF: 1,
  JPY: 150,
  SGD: 1.3,
  AED: 3.7,
  MXN: 18,
  PHP: 57,
  INR: 85,
  NGN: 1500,
  KES: 130,
  GHS: 12,
  COP: 4000,
  PEN: 3.7,
  BRL: 5.5,
  ARS: 1400,
  CLP: 950,
  DOP: 60,
  GTQ: 8,
  HNL: 25,
  PKR: 280,
  BDT: 120,
  LKR: 300,
  NPR: 135,
  VND: 25_000,
  IDR: 16_000,
  THB: 34,
  MAD: 10,
  EGP: 49,
  XOF: 600,
  XAF: 600,
  UGX: 3700,
  TZS: 2500,
  ZAR: 18,
  TRY: 40,
  UAH: 41,
  BOB: 7,
};

const senders = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'SGD', 'AED'];
const receivers = Object.keys(aboutOneDollar).filter(
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

export async function seedCorridors(tx: Transaction, options: { isOpen: boolean }): Promise<void> {
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
  const units = Math.ceil((aboutOneDollar[currency] ?? 1) * count);
  return BigInt(units) * 10n ** BigInt(minorUnits(currency));
}

function code(text: string): CurrencyCode {
  const found = currencyCode(text);
  if (!found) throw new Error(`the seed names ${text}, which is no currency`);
  return found;
}
