/** Reads the setting PAYOUTS_RECORDED_PER_DAY, such as `MXN:200000,USD:10000`. */
import type { Amount } from '../money/amount.js';
import { type CurrencyCode, currencyCode } from '../money/currency.js';
import { amountFromLiteral } from '../money/literal.js';

export interface RecordedPerDay {
  readonly amounts: ReadonlyMap<CurrencyCode, Amount>;
  readonly faults: readonly string[];
}

export function readRecordedPerDay(text: string): RecordedPerDay {
  const amounts = new Map<CurrencyCode, Amount>();
  const faults: string[] = [];
  const entries = text.trim() === '' ? [] : text.split(',');
  for (const [index, entry] of entries.entries()) {
    const [code = '', literal = ''] = entry.trim().split(':');
    const currency = currencyCode(code);
    const read = currency && amountFromLiteral(currency, literal);
    if (!read || 'fault' in read) faults.push(`entry ${index + 1} must be like MXN:200000`);
    else amounts.set(read.currency, read);
  }
  return { amounts, faults };
}
