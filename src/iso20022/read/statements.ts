/** What camt.052, .053 and .054 say, from the records of the file. */
import type {
  ReportedAccount,
  ReportedBalance,
  ReportedStatement,
  StatementKind,
  StatementPart,
} from '../statement.js';
import { find, textAt, Unreadable, type XmlElement } from './element.js';
import { entryOf } from './entries.js';
import type { ScanPosition } from './scan.js';
import { booleanAt, checkedTime, countAt, dateAt, requiredAmount, requiredSign, unreadable } from './values.js';

export const statementMessages = {
  BkToCstmrStmt: { format: 'camt.053', kind: 'statement' },
  BkToCstmrAcctRpt: { format: 'camt.052', kind: 'report' },
  BkToCstmrDbtCdtNtfctn: { format: 'camt.054', kind: 'notification' },
} as const satisfies Readonly<Record<string, { format: string; kind: StatementKind }>>;

type Page = ReportedStatement['page'];

/** What stands before the entries. */
const headings = [
  'Id',
  'StmtPgntn',
  'RptPgntn',
  'NtfctnPgntn',
  'ElctrncSeqNb',
  'LglSeqNb',
  'CreDtTm',
  'FrToDt',
  'Acct',
];

export class StatementInterpreter {
  readonly #kind: StatementKind;
  #page: Page;
  /** Undefined once the statement was told. */
  #heading: XmlElement[] | undefined;
  #balances: ReportedBalance[] = [];
  #at: ScanPosition | undefined;

  constructor(kind: StatementKind) {
    this.#kind = kind;
  }

  opened(at: ScanPosition): StatementPart[] {
    this.#at = at;
    this.#heading = [];
    this.#balances = [];
    return [];
  }

  closed(): StatementPart[] {
    return [...this.#statement(), { part: 'end_of_statement' }];
  }

  /** A record of the message, or of a statement in it. Throws `Unreadable`. */
  record(record: XmlElement, at: ScanPosition): StatementPart[] {
    if (record.name === 'GrpHdr') this.#page = pageOf(find(record, 'MsgPgntn'));
    else if (record.name === 'Ntry') return [...this.#statement(), readEntry(record, at)];
    else if (record.name === 'Bal') this.#balance(record);
    else if (headings.includes(record.name)) this.#heading?.push(record);
    return [];
  }

  #balance(record: XmlElement): void {
    const balance = balanceOf(record);
    if (!this.#heading) throw unreadable(record, '', 'The balance stands behind the entries.');
    this.#balances.push(balance);
  }

  /** Tells the statement once, before its first entry. */
  #statement(): StatementPart[] {
    const children = this.#heading;
    if (!children) return [];
    this.#heading = undefined;
    const heading = { name: '', attributes: {}, text: '', children, taken: [], line: this.#at?.line ?? 0 };
    const faults: StatementPart[] = [];
    const tolerant = <Value>(read: () => Value): Value | undefined => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        faults.push(faultAt(error, this.#at));
        return undefined;
      }
    };
    const account = tolerant(() => accountOf(heading));
    const page = tolerant(() => pageOf(find(heading, pagination(heading)))) ?? this.#page;
    const statement: ReportedStatement = {
      kind: this.#kind,
      statementId: textAt(heading, 'Id'),
      sequence: tolerant(() => countAt(heading, 'ElctrncSeqNb') ?? countAt(heading, 'LglSeqNb')),
      page,
      createdAt: tolerant(() => timeAt(heading, 'CreDtTm')),
      from: tolerant(() => timeAt(heading, 'FrToDt/FrDtTm')),
      to: tolerant(() => timeAt(heading, 'FrToDt/ToDtTm')),
      account: account ?? { number: '', currency: undefined },
      balances: this.#balances,
    };
    return [...faults, { part: 'statement', statement }];
  }
}

/** An entry that cannot be read does not take the head of its statement with it. */
function readEntry(record: XmlElement, at: ScanPosition): StatementPart {
  try {
    return { part: 'entry', entry: entryOf(record, at) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return faultAt(error, at);
  }
}

export function faultAt(
  error: Unreadable,
  record: ScanPosition | undefined,
): Extract<StatementPart, { part: 'fault' }> {
  const path = [record?.path ?? '/', error.path].filter((step) => step !== '').join('/');
  return { part: 'fault', message: error.message, position: { line: error.line, path } };
}

function pagination(heading: XmlElement): string {
  return heading.children.find(({ name }) => name.endsWith('Pgntn'))?.name ?? 'StmtPgntn';
}

function pageOf(pagination: XmlElement | undefined): Page {
  const number = pagination && countAt(pagination, 'PgNb');
  return number === undefined
    ? undefined
    : { number, isLast: booleanAt(pagination as XmlElement, 'LastPgInd') ?? true };
}

function accountOf(heading: XmlElement): ReportedAccount {
  const number = textAt(heading, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id', 'Acct/Id/PrtryAcct/Id')?.replaceAll(/\s/g, '');
  if (number === undefined) throw unreadable(heading, 'Acct', 'The account is missing.');
  return { number, currency: textAt(heading, 'Acct/Ccy') };
}

function balanceOf(balance: XmlElement): ReportedBalance {
  const type = textAt(balance, 'Tp/CdOrPrtry/Cd', 'Tp/CdOrPrtry/Prtry');
  if (type === undefined) throw unreadable(balance, 'Tp', 'The type of the balance is missing.');
  return {
    type,
    amount: requiredAmount(balance, 'Amt'),
    sign: requiredSign(balance, 'CdtDbtInd'),
    on: dateAt(balance, 'Dt'),
  };
}

function timeAt(element: XmlElement, path: string): string | undefined {
  const text = textAt(element, path);
  return text === undefined ? undefined : checkedTime(element, path, text);
}
