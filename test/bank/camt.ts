/** Files of banks, as tests need them. */

export interface CamtEntry {
  readonly amount: string;
  readonly sign: 'CRDT' | 'DBIT';
  readonly on?: string;
  readonly reference?: string;
  readonly code?: string;
  readonly isReversal?: boolean;
  readonly details?: readonly CamtDetail[];
  /** That the bank booked many payments as one. */
  readonly batch?: { readonly messageId?: string; readonly count?: number };
}

export interface CamtDetail {
  readonly endToEndId?: string;
  readonly amount?: string;
  /** A structured reference. */
  readonly rf?: string;
  readonly text?: string;
  readonly payer?: string;
  readonly iban?: string;
  readonly returned?: string;
}

export interface CamtStatement {
  readonly kind?: '052' | '053' | '054';
  readonly id?: string;
  readonly number?: string;
  readonly currency: string;
  /** Opening and closing balance, as signed decimals. */
  readonly balances?: readonly [opening: string, closing: string];
  readonly sequence?: number;
  readonly on?: string;
  readonly entries: readonly CamtEntry[];
}

const frames = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const;

export function camt(statement: CamtStatement): string {
  const { kind = '053', id = 'S-1', number = '123456789', currency, sequence, on = '2026-11-16', entries } = statement;
  const [message, body] = frames[kind];
  const balances = (statement.balances ?? []).map((text, index) => {
    const sign = text.startsWith('-') ? 'DBIT' : 'CRDT';
    const type = index === 0 ? 'OPBD' : 'CLBD';
    return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${text.replace('-', '')}</Amt>
      <CdtDbtInd>${sign}</CdtDbtInd><Dt><Dt>${on}</Dt></Dt></Bal>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.08"><${message}>
<GrpHdr><MsgId>M-${id}</MsgId><CreDtTm>${on}T20:00:00</CreDtTm></GrpHdr>
<${body}><Id>${id}</Id>${sequence === undefined ? '' : `<ElctrncSeqNb>${sequence}</ElctrncSeqNb>`}
<Acct><Id><Othr><Id>${number}</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>
${balances.join('\n')}
${entries.map((entry) => entryXml(entry, currency, on)).join('\n')}
</${body}></${message}></Document>`;
}

function entryXml(
  { amount, sign, reference, code, isReversal, details = [], batch, ...rest }: CamtEntry,
  currency: string,
  day: string,
): string {
  const [domain = 'PMNT', family = 'RCDT', sub = 'ESCT'] = (code ?? '').split('-').filter((part) => part !== '');
  return `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${isReversal ? '<RvslInd>true</RvslInd>' : ''}
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${rest.on ?? day}</Dt></BookgDt>${reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ''}
<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${sub}</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls>${batch ? batchXml(batch) : ''}${details.map((detail) => detailXml(detail, sign, currency)).join('')}</NtryDtls></Ntry>`;
}

function batchXml({ messageId, count }: NonNullable<CamtEntry['batch']>): string {
  const id = messageId === undefined ? '' : `<MsgId>${messageId}</MsgId>`;
  return `<Btch>${id}${count === undefined ? '' : `<NbOfTxs>${count}</NbOfTxs>`}</Btch>`;
}

function detailXml(detail: CamtDetail, sign: CamtEntry['sign'], currency: string): string {
  const { endToEndId, amount, rf, text, payer, iban, returned } = detail;
  const remittance = rf
    ? `<RmtInf><Strd><CdtrRefInf><Ref>${rf}</Ref></CdtrRefInf></Strd></RmtInf>`
    : text
      ? `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`
      : '';
  const party = payer
    ? `<RltdPties><Dbtr><Pty><Nm>${payer}</Nm></Pty></Dbtr>${iban ? `<DbtrAcct><Id><Othr><Id>${iban}</Id></Othr></Id></DbtrAcct>` : ''}</RltdPties>`
    : '';
  return `<TxDtls><Refs><EndToEndId>${endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>
${amount ? `<Amt Ccy="${currency}">${amount}</Amt>` : ''}<CdtDbtInd>${sign}</CdtDbtInd>${party}${remittance}
${returned ? `<RtrInf><Rsn><Cd>${returned}</Cd></Rsn></RtrInf>` : ''}</TxDtls>`;
}
