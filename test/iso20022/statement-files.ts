/** Writes statements for tests, with what a reader must find in them. Knows nothing of the reader. */
import fc from 'fast-check';

export interface WrittenEntry {
  readonly amount: string;
  readonly currency: string;
  readonly isCredit: boolean;
  readonly isReversal: boolean;
  readonly status: 'BOOK' | 'PDNG' | 'INFO';
  readonly bookedOn: string;
  readonly bankReference: string;
  readonly text: string;
  readonly details: readonly WrittenDetail[];
}

export interface WrittenDetail {
  readonly amount: string;
  readonly endToEndId: string;
  readonly debtor: string;
  readonly creditor: string;
  readonly remittance: string;
}

export interface Dialect {
  readonly version: '02' | '04' | '08';
  /** Of the namespace, with its colon; or empty. */
  readonly prefix: string;
  readonly lineEnd: '\n' | '\r\n' | '';
}

const kinds = { statement: '053', report: '052', notification: '054' } as const;
const roots = {
  statement: 'BkToCstmrStmt',
  report: 'BkToCstmrAcctRpt',
  notification: 'BkToCstmrDbtCdtNtfctn',
} as const;
const holders = { statement: 'Stmt', report: 'Rpt', notification: 'Ntfctn' } as const;

export interface WrittenFile {
  readonly kind: keyof typeof kinds;
  readonly dialect: Dialect;
  readonly account: string;
  readonly entries: readonly WrittenEntry[];
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What stands before the entries, each entry, and what stands behind them. */
export function piecesOf({ kind, dialect, account, entries }: WrittenFile): string[] {
  const { version, prefix, lineEnd } = dialect;
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${kinds[kind]}.001.${version}`;
  const declared = prefix === '' ? `xmlns="${namespace}"` : `xmlns:${prefix.slice(0, -1)}="${namespace}"`;
  const tags = (xml: string) =>
    xml.replaceAll(/<(\/?)(?=[A-Z])/g, `<$1${prefix}`).replaceAll(/>\s*</g, `>${lineEnd}<`) + lineEnd;
  const head = `<Document ${declared}><${roots[kind]}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-01T18:00:00</CreDtTm></GrpHdr>
    <${holders[kind]}><Id>S1</Id><ElctrncSeqNb>7</ElctrncSeqNb><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>EUR</Ccy></Acct>`;
  const tail = `</${holders[kind]}></${roots[kind]}></Document>`;
  const declaration = `<?xml version="1.0" encoding="UTF-8"?>${lineEnd}`;
  return [declaration + tags(head), ...entries.map((entry) => tags(entryXml(entry, dialect))), tags(tail)];
}

function entryXml(entry: WrittenEntry, dialect: Dialect): string {
  const status = dialect.version === '08' ? `<Cd>${entry.status}</Cd>` : entry.status;
  const details = entry.details.map((detail) => detailXml(detail, entry, dialect)).join('');
  return `<Ntry><Amt Ccy="${entry.currency}">${entry.amount}</Amt><CdtDbtInd>${direction(entry)}</CdtDbtInd>
    ${entry.isReversal ? '<RvslInd>true</RvslInd>' : ''}<Sts>${status}</Sts><BookgDt><Dt>${entry.bookedOn}</Dt></BookgDt>
    <AcctSvcrRef>${entry.bankReference}</AcctSvcrRef><BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>
    ${details === '' ? '' : `<NtryDtls>${details}</NtryDtls>`}<AddtlNtryInf>${escaped(entry.text)}</AddtlNtryInf></Ntry>`;
}

const direction = ({ isCredit }: WrittenEntry) => (isCredit ? 'CRDT' : 'DBIT');

function detailXml(detail: WrittenDetail, entry: WrittenEntry, { version }: Dialect): string {
  const amount = `<Amt Ccy="${entry.currency}">${detail.amount}</Amt>`;
  const amounts =
    version === '02'
      ? `<AmtDtls><TxAmt>${amount}</TxAmt></AmtDtls>`
      : `${amount}<CdtDbtInd>${direction(entry)}</CdtDbtInd>`;
  const party = (name: string) =>
    version === '08' ? `<Pty><Nm>${escaped(name)}</Nm></Pty>` : `<Nm>${escaped(name)}</Nm>`;
  return `<TxDtls><Refs><EndToEndId>${detail.endToEndId}</EndToEndId></Refs>${amounts}
    <RltdPties><Dbtr>${party(detail.debtor)}</Dbtr><Cdtr>${party(detail.creditor)}</Cdtr></RltdPties>
    <RmtInf><Ustrd>${escaped(detail.remittance)}</Ustrd></RmtInf></TxDtls>`;
}

const amount = fc
  .tuple(fc.nat({ max: 10 ** 9 }), fc.nat({ max: 99 }))
  .map(([units, cents]) => `${units}.${`${cents}`.padStart(2, '0')}`);
const word = fc.stringMatching(/^[A-Za-z0-9]{1,20}$/);
const name = fc.oneof(word, fc.constantFrom('Müller & Söhne', '张伟', 'محمد علي', 'Nguyễn <Anh>', 'O\'Brien "Bob"'));
const day = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })).map((parts) => {
  const [month, date] = parts.map((part) => `${part}`.padStart(2, '0'));
  return `2026-${month}-${date}`;
});

const detail: fc.Arbitrary<WrittenDetail> = fc.record({
  amount,
  endToEndId: word,
  debtor: name,
  creditor: name,
  remittance: name,
});

const writtenEntry: fc.Arbitrary<WrittenEntry> = fc.record({
  amount,
  currency: fc.constantFrom('EUR', 'CHF', 'JPY'),
  isCredit: fc.boolean(),
  isReversal: fc.boolean(),
  status: fc.constantFrom('BOOK' as const, 'PDNG' as const, 'INFO' as const),
  bookedOn: day,
  bankReference: word,
  text: name,
  details: fc.array(detail, { maxLength: 3 }),
});

export const writtenFile: fc.Arbitrary<WrittenFile> = fc.record({
  kind: fc.constantFrom('statement' as const, 'report' as const, 'notification' as const),
  dialect: fc.record({
    version: fc.constantFrom('02' as const, '04' as const, '08' as const),
    prefix: fc.constantFrom('', 'ns2:'),
    lineEnd: fc.constantFrom('\n' as const, '\r\n' as const, '' as const),
  }),
  account: fc.constant('DE89370400440532013000'),
  entries: fc.array(writtenEntry, { maxLength: 12 }),
});
