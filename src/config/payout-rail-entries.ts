/**
 * Reads the setting PAYOUT_RAILS: which rail takes which payments, the first that fits. `manual` takes everything;
 * `manual=bank_account/MXN+PHP` takes bank accounts in two currencies; `*` stands for all.
 */
import { payoutMethods } from '../rates/corridors/corridor.js';

const railNames = ['manual', 'iso20022', 'sandbox'] as const;

export interface PayoutRailEntry {
  readonly rail: string;
  readonly methods: readonly string[] | 'any';
  readonly currencies: readonly string[] | 'any';
}

export interface PayoutRailEntries {
  readonly entries: readonly PayoutRailEntry[];
  readonly faults: readonly string[];
}

export function readPayoutRailEntries(text: string, mode: 'sandbox' | 'live'): PayoutRailEntries {
  const written = text.trim() || (mode === 'live' ? 'manual' : 'sandbox');
  const read = written.split(',').map((entry) => readEntry(entry.trim(), mode));
  return {
    entries: read.filter((entry) => typeof entry !== 'string'),
    faults: read.flatMap((entry, index) => (typeof entry === 'string' ? [`entry ${index + 1} ${entry}`] : [])),
  };
}

function readEntry(text: string, mode: 'sandbox' | 'live'): PayoutRailEntry | string {
  const [rail = '', accepted = '*/*', ...rest] = text.split('=');
  if (!railNames.some((name) => name === rail)) return `must name one of ${railNames.join(', ')}`;
  if (rail === 'sandbox' && mode === 'live') return 'must not be sandbox in live: it moves no money';
  const [methodText = '*', currencyText = '*', ...others] = accepted.split('/');
  if (rest.length + others.length > 0) return 'must be like manual=bank_account/MXN+PHP';
  const methods = listOf(methodText);
  const currencies = listOf(currencyText);
  const knownMethods: readonly string[] = payoutMethods;
  if (methods !== 'any' && !methods.every((method) => knownMethods.includes(method)))
    return `has a method that is none of ${payoutMethods.join(', ')}`;
  if (currencies !== 'any' && !currencies.every((currency) => /^[A-Z]{3}$/.test(currency)))
    return 'has a currency that is not three capital letters';
  return { rail, methods, currencies };
}

function listOf(text: string): readonly string[] | 'any' {
  return text === '*' ? 'any' : text.split('+');
}
