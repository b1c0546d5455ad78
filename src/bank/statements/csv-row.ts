/** A row of a bank's CSV as an entry. Pure. */
import type { Position, ReportedEntry, Sign } from '../../iso20022/statement.js';
import type { CsvColumnField, CsvFormat } from '../accounts/csv-format.js';

export interface RowPlace {
  readonly columns: ReadonlyMap<CsvColumnField, number>;
  readonly format: CsvFormat;
  readonly currency: string;
  readonly position: Position;
}

/** Returns what is wrong as a text; undefined for a row without a day and an amount, such as a sum at the end. */
export function entryOfRow(
  record: readonly string[],
  { columns, format, currency, position }: RowPlace,
): ReportedEntry | string | undefined {
  const textOf = (field: CsvColumnField): string | undefined => {
    const text = record[columns.get(field) ?? -1]?.trim();
    return text === '' ? undefined : text;
  };
  const [booked, value] = [textOf('bookedOn'), textOf('valueOn')];
  const moved = movedIn(textOf, format);
  if (booked === undefined && moved === undefined) return undefined;
  if (booked === undefined) return 'The day of the booking is missing.';
  if (moved === undefined) return 'The amount is missing.';
  if (typeof moved === 'string') return moved;
  const [bookedOn, valueOn] = [dayOf(booked, format), value === undefined ? undefined : dayOf(value, format)];
  if (bookedOn === undefined) return `${quoted(booked)} is not a day as ${format.dates}.`;
  if (value !== undefined && valueOn === undefined) return `${quoted(value)} is not a day as ${format.dates}.`;
  const { amount, sign } = moved;
  const nothing = { amount: undefined, sign: undefined, code: undefined, returned: undefined, purpose: undefined };
  const ids = { bankReference: undefined, messageId: undefined, paymentInformationId: undefined };
  const more = { instructionId: undefined, transactionId: undefined, uetr: undefined };
  return {
    amount: { currency, amount },
    sign,
    isReversal: false,
    status: 'booked',
    bookedOn,
    valueOn,
    bankReference: textOf('bankReference'),
    entryReference: undefined,
    code: { iso: undefined, proprietary: undefined },
    batch: undefined,
    charges: [],
    text: undefined,
    details: [
      {
        ...nothing,
        references: { ...ids, ...more, endToEndId: textOf('endToEndId') },
        counterparty: { name: textOf('name'), account: textOf('account')?.replaceAll(/\s/g, ''), bic: undefined },
        remittance: { text: textOf('text') ?? '', references: [] },
        charges: [],
        text: undefined,
      },
    ],
    position,
  };
}

interface Moved {
  readonly amount: string;
  readonly sign: Sign;
}

/** Undefined where no column has an amount. */
function movedIn(textOf: (field: CsvColumnField) => string | undefined, format: CsvFormat): Moved | string | undefined {
  if (format.amount === undefined) return movedInTwo(textOf('debit'), textOf('credit'), format);
  const text = textOf('amount');
  if (text === undefined) return undefined;
  const read = decimalOf(text, format);
  if (!read) return `${quoted(text)} is not an amount.`;
  if (format.direction === undefined) return { amount: read.amount, sign: read.isNegative ? 'debit' : 'credit' };
  const direction = textOf('direction');
  if (direction === undefined) return 'Whether it is a credit or a debit is missing.';
  const says = (word: string | undefined) => direction.toLowerCase() === word?.trim().toLowerCase();
  const isDebit = says(format.debitWord);
  if (!isDebit && !says(format.creditWord))
    return `${quoted(direction)} is neither the word for a debit nor for a credit.`;
  // Some banks write the minus sign of a debit beside the word for it.
  return { amount: read.amount, sign: isDebit || read.isNegative ? 'debit' : 'credit' };
}

/** An empty or zero field says that it is the other one. */
function movedInTwo(
  debit: string | undefined,
  credit: string | undefined,
  format: CsvFormat,
): Moved | string | undefined {
  const [left, came] = [debit, credit].map((text) => (text === undefined ? undefined : decimalOf(text, format)));
  if (debit !== undefined && !left) return `${quoted(debit)} is not an amount.`;
  if (credit !== undefined && !came) return `${quoted(credit)} is not an amount.`;
  const [hasLeft, hasCome] = [left, came].map((read) => read !== undefined && /[1-9]/.test(read.amount));
  if (hasLeft && hasCome) return 'It is a debit and a credit at once.';
  if (left && hasLeft) return { amount: left.amount, sign: 'debit' };
  if (!came || !hasCome) return undefined;
  return came.isNegative ? 'The credit has a minus sign.' : { amount: came.amount, sign: 'credit' };
}

/** `1.234,56`, `-1 234.56`, `(1234.56)` and `1234.56-` as a decimal. */
function decimalOf(
  text: string,
  { decimalMark }: CsvFormat,
): { readonly amount: string; readonly isNegative: boolean } | undefined {
  const group = decimalMark === ',' ? '.' : ',';
  const plain = text.replaceAll(/[\s\u00a0\u202f']/g, '').replaceAll('−', '-');
  const [, digits = ''] = /^[-+(]?([\d.,]{1,30})[-)]?$/.exec(plain) ?? [];
  const [whole = '', fraction = '', ...rest] = digits.split(decimalMark);
  const isGrouped = whole.includes(group);
  if (isGrouped && !new RegExp(`^\\d{1,3}(\\${group}\\d{2,3})*\\${group}\\d{3}$`).test(whole)) return undefined;
  const units = whole.replaceAll(group, '') || '0';
  if (digits === '' || rest.length > 0 || !/^\d{1,18}$/.test(units) || !/^\d{0,17}$/.test(fraction)) return undefined;
  const isNegative = /^[-(]|-$/.test(plain);
  return { amount: fraction === '' ? units : `${units}.${fraction}`, isNegative };
}

const forms = {
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})/,
  'DD-MM-YYYY': /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})/,
  YYYYMMDD: /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)/,
} as const satisfies Record<CsvFormat['dates'], RegExp>;

/** A time behind the day is left out. */
function dayOf(text: string, { dates }: CsvFormat): string | undefined {
  const { year = '', month = '', day = '' } = forms[dates].exec(text)?.groups ?? {};
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written) && written >= '1900'
    ? written
    : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
