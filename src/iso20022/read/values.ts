/** Pure. Amounts, signs, dates and parties as messages write them. Throws `Unreadable` for what is none. */
import type { Counterparty, ReportedAmount, ReportedReturn, Sign, TransactionCode } from '../statement.js';
import { find, textAt, Unreadable, type XmlElement } from './element.js';

export function unreadable(element: XmlElement, path: string, message: string): Unreadable {
  return new Unreadable(message, path, find(element, path)?.line ?? element.line);
}

/** 18 digits, as ISO 20022 has them, and no sign: the direction stands beside it. */
const decimal = /^\d{1,18}(\.\d{1,17})?$/;

export function amountAt(element: XmlElement, path: string): ReportedAmount | undefined {
  const found = find(element, path);
  if (!found) return undefined;
  const currency = found.attributes.Ccy?.trim() ?? '';
  if (!decimal.test(found.text)) throw unreadable(element, path, `${quoted(found.text)} is not an amount.`);
  if (!/^[A-Z]{3}$/.test(currency)) throw unreadable(element, path, `${quoted(currency)} is not a currency.`);
  return { currency, amount: found.text };
}

export function requiredAmount(element: XmlElement, path: string): ReportedAmount {
  const amount = amountAt(element, path);
  if (!amount) throw unreadable(element, path, 'The amount is missing.');
  return amount;
}

export function signAt(element: XmlElement, path: string): Sign | undefined {
  const text = textAt(element, path);
  if (text === undefined) return undefined;
  if (text === 'CRDT') return 'credit';
  if (text === 'DBIT') return 'debit';
  throw unreadable(element, path, `${quoted(text)} is neither CRDT nor DBIT.`);
}

export function requiredSign(element: XmlElement, path: string): Sign {
  const sign = signAt(element, path);
  if (!sign) throw unreadable(element, path, 'Whether it is a credit or a debit is missing.');
  return sign;
}

export function booleanAt(element: XmlElement, path: string): boolean | undefined {
  const text = textAt(element, path);
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw unreadable(element, path, `${quoted(text)} is neither true nor false.`);
}

export function countAt(element: XmlElement, path: string): number | undefined {
  const text = textAt(element, path);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unreadable(element, path, `${quoted(text)} is not a number.`);
}

/** `Dt` or `DtTm` in an element: YYYY-MM-DD, or a time as it is written. */
export function dateAt(element: XmlElement, path: string): string | undefined {
  const day = textAt(element, `${path}/Dt`);
  const time = textAt(element, `${path}/DtTm`);
  if (day !== undefined) return checkedDay(element, `${path}/Dt`, day);
  if (time !== undefined) return checkedTime(element, `${path}/DtTm`, time);
  return undefined;
}

/** A zone behind a day means nothing for a bank's day. */
function checkedDay(element: XmlElement, path: string, text: string): string {
  const day = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)?$/.exec(text)?.[1];
  if (day === undefined || !isDay(day)) throw unreadable(element, path, `${quoted(text)} is not a day.`);
  return day;
}

export function checkedTime(element: XmlElement, path: string, text: string): string {
  const form = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-4]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/;
  const day = form.exec(text)?.[1];
  if (day === undefined || !isDay(day)) throw unreadable(element, path, `${quoted(text)} is not a time.`);
  return text;
}

function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const time = new Date(Date.UTC(year, month - 1, date));
  return year >= 1900 && time.getUTCMonth() === month - 1 && time.getUTCDate() === date;
}

export function codeAt(element: XmlElement): TransactionCode | undefined {
  const code = find(element, 'BkTxCd');
  if (!code) return undefined;
  const levels = ['Domn/Cd', 'Domn/Fmly/Cd', 'Domn/Fmly/SubFmlyCd'].map((path) => textAt(code, path));
  const iso = levels.filter((level) => level !== undefined).join('-');
  return { iso: iso === '' ? undefined : iso, proprietary: textAt(code, 'Prtry/Cd') };
}

/** An id that says that there is none is none. */
export function idAt(element: XmlElement, path: string): string | undefined {
  const text = textAt(element, path);
  return text === undefined || /^(NOTPROVIDED|NOT PROVIDED|NONREF)$/i.test(text) ? undefined : text;
}

/** `Dbtr` or `Cdtr`; from version 8 on, what it is stands one level deeper. */
export function partyOf(element: XmlElement, role: 'Dbtr' | 'Cdtr'): Counterparty | undefined {
  const parties = `RltdPties/${role}`;
  const agent = `RltdAgts/${role}Agt/FinInstnId`;
  const name = textAt(
    element,
    `${parties}/Pty/Nm`,
    `${parties}/Nm`,
    `RltdPties/Ultmt${role}/Pty/Nm`,
    `RltdPties/Ultmt${role}/Nm`,
  );
  const account = textAt(element, `${parties}Acct/Id/IBAN`, `${parties}Acct/Id/Othr/Id`)?.replaceAll(/\s/g, '');
  const bic = textAt(element, `${agent}/BICFI`, `${agent}/BIC`);
  return name === undefined && account === undefined && bic === undefined ? undefined : { name, account, bic };
}

export function returnOf(element: XmlElement): ReportedReturn | undefined {
  const returned = find(element, 'RtrInf');
  if (!returned) return undefined;
  const texts = returned.children.filter(({ name }) => name === 'AddtlInf').map(({ text }) => text);
  const text = texts.filter((line) => line !== '').join(' ');
  return { code: textAt(returned, 'Rsn/Cd', 'Rsn/Prtry'), text: text === '' ? undefined : text };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
