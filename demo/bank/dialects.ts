/** How the simulated bank writes its answers and statements, by the profile that is agreed with it. */

export const profiles = ['sepa', 'swiss', 'plain', 'cbpr+'] as const;
export type Profile = (typeof profiles)[number];

export const misbehaviours = {
  late: 'Tells nothing before it has looked for files three times.',
  partial: 'Rejects every second payment of a file.',
  rejected: 'Rejects every file.',
  duplicate: 'Sends each statement twice, under two ids.',
  'reused-ids': 'Numbers the entries of each statement from 1.',
  'missing-ids': 'Gives entries no reference of its own.',
  'wrong-sign': 'Tells the first debit of a statement as a credit.',
  'late-return': 'Sends the first payment of each file back, a month later.',
  collective: 'Books the payments of a file as one debit, by the id of the file.',
  'itemised-later': 'Books them as one debit that names nothing, and lists them in a camt.054 afterwards.',
  encoding: 'Writes Latin-1 and says that it is UTF-8.',
  dialect: 'Writes camt.053.001.02 with codes of its own.',
} as const;
export type Misbehaviour = keyof typeof misbehaviours;

export interface Entry {
  readonly minor: bigint;
  readonly isCredit: boolean;
  readonly day: string;
  /** Of the bank. */
  readonly reference: string;
  readonly endToEndId: string | undefined;
  readonly name: string;
  readonly account: string;
  readonly text: string;
  /** Such as `AC04`, for money that comes back. */
  readonly returned: string | undefined;
  /** What it booked as one. */
  readonly batch?: Batch;
}

export interface Batch {
  readonly messageId: string;
  readonly payments: readonly { readonly endToEndId: string; readonly minor: bigint }[];
}

export interface Statement {
  readonly id: string;
  readonly sequence: number;
  readonly account: string;
  readonly currency: string;
  readonly day: string;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly entries: readonly Entry[];
}

export interface Manner {
  readonly profile: Profile;
  readonly does: (misbehaviour: Misbehaviour) => boolean;
}

/** The answer to a file: to all of it, to its block, or to single payments, as banks of the profile do. */
export function statusReport(
  { profile }: Manner,
  { messageId, blockId }: { readonly messageId: string; readonly blockId: string },
  { status, reason, refused }: { status: 'ACTC' | 'RJCT'; reason?: string; refused: readonly string[] },
): string {
  const because = (code: string | undefined) => (code ? `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>` : '');
  const name = profile === 'swiss' ? 'pain.001.001.09.ch.03' : 'pain.001.001.09';
  const isPart = refused.length > 0;
  const isOfBlock = profile === 'swiss' && !isPart;
  const group = isOfBlock ? '' : `<GrpSts>${isPart ? 'PART' : status}</GrpSts>${isPart ? '' : because(reason)}`;
  const payments = refused.map(
    (id) => `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>RJCT</TxSts>${because('AC01')}</TxInfAndSts>`,
  );
  const ofBlock = isOfBlock ? `<PmtInfSts>${status}</PmtInfSts>${because(reason)}` : '';
  const block =
    isPart || isOfBlock
      ? `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${blockId}</OrgnlPmtInfId>${ofBlock}${payments.join('')}</OrgnlPmtInfAndSts>`
      : '';
  return document(
    'pain.002.001.10',
    `<CstmrPmtStsRpt><GrpHdr><MsgId>ST${messageId.slice(0, 30)}</MsgId><CreDtTm>${new Date().toISOString()}</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>${name}</OrgnlMsgNmId>${group}</OrgnlGrpInfAndSts>${block}</CstmrPmtStsRpt>`,
  );
}

export function recallAnswer(caseId: string, isGivenBack: boolean): string {
  const [code, reason] = isGivenBack ? ['CNCL', ''] : ['RJCR', '<CxlStsRsnInf><Rsn><Cd>ARDT</Cd></Rsn></CxlStsRsnInf>'];
  return document(
    'camt.029.001.09',
    `<RsltnOfInvstgtn><Assgnmt><Id>A${caseId.slice(0, 30)}</Id><CreDtTm>${new Date().toISOString()}</CreDtTm></Assgnmt>
<RslvdCase><Id>${caseId}</Id></RslvdCase><Sts><Conf>${code}</Conf></Sts>
<CxlDtls><TxInfAndSts><TxCxlSts>${code}</TxCxlSts>${reason}</TxInfAndSts></CxlDtls></RsltnOfInvstgtn>`,
  );
}

/** What is in the debits of a statement that lists no payments. */
export function writeNotification(manner: Manner, { id, account, currency, day, entries }: Statement): Buffer {
  const written = entries.map((entry, index) =>
    entryXml(manner, entry, { currency, version: '08', index, lists: true }),
  );
  return Buffer.from(
    document(
      'camt.054.001.08',
      `<BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>N${id}</MsgId><CreDtTm>${day}T21:00:00</CreDtTm></GrpHdr>
<Ntfctn><Id>N${id}</Id><CreDtTm>${day}T21:00:00</CreDtTm><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${written.join('\n')}</Ntfctn></BkToCstmrDbtCdtNtfctn>`,
    ),
  );
}

export function writeStatement(manner: Manner, statement: Statement): Buffer {
  const version = manner.does('dialect') ? '02' : '08';
  const { id, sequence, account, currency, day, opening, closing, entries } = statement;
  const number = /^[A-Z]{2}\d{2}/.test(account) ? `<IBAN>${account}</IBAN>` : `<Othr><Id>${account}</Id></Othr>`;
  const balance = (type: string, minor: bigint) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amount(minor < 0n ? -minor : minor, currency)}
<CdtDbtInd>${directionOf(minor >= 0n)}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const written = entries.map((entry, index) => entryXml(manner, entry, { currency, version, index }));
  const text = document(
    `camt.053.001.${version}`,
    `<BkToCstmrStmt><GrpHdr><MsgId>M${id}</MsgId><CreDtTm>${day}T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>${id}</Id><ElctrncSeqNb>${sequence}</ElctrncSeqNb><CreDtTm>${day}T20:00:00</CreDtTm>
<Acct><Id>${number}</Id><Ccy>${currency}</Ccy></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}
${written.join('\n')}</Stmt></BkToCstmrStmt>`,
  );
  return Buffer.from(text, manner.does('encoding') ? 'latin1' : 'utf8');
}

interface EntryPlace {
  readonly currency: string;
  readonly version: '02' | '08';
  readonly index: number;
  /** Whether the payments of a batch are listed. */
  readonly lists?: boolean;
}

function entryXml(manner: Manner, entry: Entry, { currency, version, index, lists = false }: EntryPlace): string {
  const { does } = manner;
  const isWrong = does('wrong-sign') && index === 0 && !entry.isCredit;
  const direction = directionOf(entry.isCredit || isWrong);
  const given = does('reused-ids') ? `${index + 1}` : entry.reference;
  const reference = does('missing-ids') ? '' : `<AcctSvcrRef>${given}</AcctSvcrRef>`;
  const code = does('dialect') ? '<BkTxCd><Prtry><Cd>NTRF+117</Cd><Issr>DK</Issr></Prtry></BkTxCd>' : codeOf(entry);
  const status = version === '02' ? 'BOOK' : '<Cd>BOOK</Cd>';
  const named = version === '02' ? `<Nm>${escaped(entry.name)}</Nm>` : `<Pty><Nm>${escaped(entry.name)}</Nm></Pty>`;
  const side = entry.isCredit ? 'Dbtr' : 'Cdtr';
  const returned = entry.returned === undefined ? '' : `<RtrInf><Rsn><Cd>${entry.returned}</Cd></Rsn></RtrInf>`;
  return `<Ntry>${amount(entry.minor, currency)}<CdtDbtInd>${direction}</CdtDbtInd>${returned && '<RvslInd>true</RvslInd>'}
<Sts>${status}</Sts><BookgDt><Dt>${entry.day}</Dt></BookgDt><ValDt><Dt>${entry.day}</Dt></ValDt>${reference}${code}
${
  entry.batch
    ? batchXml(manner, entry.batch, lists ? currency : undefined)
    : `<NtryDtls><TxDtls><Refs><EndToEndId>${entry.endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>
<RltdPties><${side}>${named}</${side}><${side}Acct><Id><IBAN>${entry.account}</IBAN></Id></${side}Acct></RltdPties>
<RmtInf><Ustrd>${escaped(entry.text)}</Ustrd></RmtInf>${returned}</TxDtls></NtryDtls>`
}</Ntry>`;
}

/** `currency`: the payments are listed. */
function batchXml({ does }: Manner, { messageId, payments }: Batch, currency: string | undefined): string {
  const listed = currency === undefined ? [] : payments;
  const details = listed.map(
    ({ endToEndId, minor }) =>
      `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>${amount(minor, currency ?? '')}<CdtDbtInd>DBIT</CdtDbtInd></TxDtls>`,
  );
  const id = does('collective') ? `<MsgId>${messageId}</MsgId>` : '';
  return `<NtryDtls><Btch>${id}<NbOfTxs>${payments.length}</NbOfTxs></Btch>${details.join('')}</NtryDtls>`;
}

function directionOf(isCredit: boolean): string {
  return isCredit ? 'CRDT' : 'DBIT';
}

function codeOf({ isCredit, returned }: Entry): string {
  const family = isCredit && returned === undefined ? 'RCDT' : 'ICDT';
  const sub = returned === undefined ? 'ESCT' : 'RRTN';
  return `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
}

function amount(minor: bigint, currency: string): string {
  return `<Amt Ccy="${currency}">${minor / 100n}.${`${minor % 100n}`.padStart(2, '0')}</Amt>`;
}

function document(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${name}">${content}</Document>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
