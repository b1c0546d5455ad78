/** Which fields are amounts, and of which currency. Pure. */
import { add } from '../../money/amount.js';
import { currencyCode, minorUnits } from '../../money/currency.js';
import { amountFromLiteral, amountToText } from '../../money/literal.js';

/** The field that holds the currency of an amount beside it. */
const currencyFields: Readonly<Record<string, string>> = {
  amountIn: 'fiatIn',
  amountOut: 'fiatOut',
  amountReceived: 'fiatIn',
  amountRefunded: 'fiatIn',
  fee: 'fiatIn',
  feeFixed: 'fiatIn',
  margin: 'fiatIn',
  minAmountIn: 'fiatIn',
  maxAmountIn: 'fiatIn',
  minAmountOut: 'fiatOut',
};
const beside =
  /^(amount|remaining|balance|ledgerBalance|debit|credit|difference|minimum|charge|unexplained|opening|closing|missing|lost)$/;

/** Undefined when the field is no amount. */
export function amountText(name: string, value: unknown, row: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const currency = currencyCode(row[currencyFields[name] ?? (beside.test(name) ? 'currency' : '')]);
  if (currency === undefined) return undefined;
  return `${grouped(typeof value === 'number' ? value.toFixed(minorUnits(currency)) : value)} ${currency}`;
}

export type SumOfCurrency = Readonly<{ currency: string; amount: string; count: number }>;

/** The sums of the field `amount`, by currency, in the order in which they first come. */
export function sumsOf(items: readonly Readonly<Record<string, unknown>>[]): SumOfCurrency[] {
  const codes = new Set(items.flatMap(({ currency }) => currencyCode(currency) ?? []));
  return [...codes].map((code) => {
    const amounts = items
      .filter(({ currency }) => currency === code)
      .map(({ amount }) => amountFromLiteral(code, String(amount)))
      .filter((amount) => 'minor' in amount);
    const [first, ...others] = amounts;
    const sum = first && others.reduce((total, amount) => add(total, amount), first);
    return { currency: code, amount: sum ? amountToText(sum) : '0', count: amounts.length };
  });
}

export function isAmountName(name: string): boolean {
  return name in currencyFields || beside.test(name);
}

/** Groups of three with a thin space, which no language reads as a decimal mark. */
function grouped(text: string): string {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${sign === '-' ? '−' : ''}${whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u202f')}${fraction}`;
}
