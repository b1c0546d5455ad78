import { describe, expect, it } from 'vitest';
import { entriesOf, faultsOf, partsOf, statementsOf } from './parts.js';

const head = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-03-01T18:00:00</CreDtTm></GrpHdr>';
const account = '<Acct><Id><IBAN>CH93 0076 2011 6238 5295 7</IBAN></Id><Ccy>CHF</Ccy></Acct>';
const statement = (content: string, inHead = '') =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${head}
<Stmt><Id>S1</Id>${inHead}${account}${content}</Stmt></BkToCstmrStmt></Document>`;
const entry = (content: string, amount = '<Amt Ccy="CHF">10.00</Amt>') =>
  `<Ntry>${amount}<CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>${content}</Ntry>`;
const detail = (content: string) => entry(`<NtryDtls><TxDtls>${content}</TxDtls></NtryDtls>`);

describe('an entry of a statement', () => {
  it('keeps what banks say of a batch, its charges and its codes', async () => {
    const parts = await partsOf(
      statement(
        entry(`<BookgDt><DtTm>2026-03-01T10:00:00+01:00</DtTm></BookgDt><ValDt><Dt>2026-03-02+01:00</Dt></ValDt>
          <NtryRef>R7</NtryRef><AcctSvcrRef>NONREF</AcctSvcrRef>
          <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd>
          <Chrgs><Rcrd><Amt Ccy="CHF">0.30</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>
          <NtryDtls><Btch><MsgId>MSG1</MsgId><PmtInfId>P1</PmtInfId><NbOfTxs>2</NbOfTxs><TtlAmt Ccy="CHF">10.30</TtlAmt></Btch>
          <TxDtls/><TxDtls/></NtryDtls>`),
      ),
    );
    expect(faultsOf(parts)).toEqual([]);
    expect(entriesOf(parts)).toMatchObject([
      {
        bookedOn: '2026-03-01T10:00:00+01:00',
        valueOn: '2026-03-02',
        entryReference: 'R7',
        bankReference: undefined,
        code: { iso: 'PMNT-RCDT-ESCT', proprietary: 'NTRF' },
        charges: [{ amount: { currency: 'CHF', amount: '0.30' }, sign: 'debit', isIncluded: true }],
        batch: { messageId: 'MSG1', paymentInformationId: 'P1', count: 2, total: '10.30' },
        details: [{}, {}],
        position: { line: 2, path: '//BkToCstmrStmt/Stmt[1]/Ntry[1]' },
      },
    ]);
  });

  it('reads charges, agents and status as version 2 writes them', async () => {
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>${head}<Stmt><Id>S1</Id>${account}
      <Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><Chrgs><Amt Ccy="EUR">1.5</Amt></Chrgs><NtryDtls><TxDtls>
      <AmtDtls><TxAmt><Amt Ccy="EUR">5</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>Ann</Nm></Cdtr>
      <CdtrAcct><Id><Othr><Id>12 34</Id></Othr></Id></CdtrAcct></RltdPties>
      <RltdAgts><CdtrAgt><FinInstnId><BIC>DEUTDEFF</BIC></FinInstnId></CdtrAgt></RltdAgts></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
    expect(entriesOf(await partsOf(text))).toMatchObject([
      {
        status: 'booked',
        charges: [{ amount: { amount: '1.5' }, sign: 'debit', isIncluded: false }],
        details: [{ amount: { amount: '5' }, counterparty: { name: 'Ann', account: '1234', bic: 'DEUTDEFF' } }],
      },
    ]);
  });

  it('tells the reason of a return, and names whoever was to be paid as the other side', async () => {
    const returned = detail(`<Refs><EndToEndId>ORD1</EndToEndId><UETR>AAAAAAAA-0000-4000-8000-000000000000</UETR></Refs>
      <RltdPties><Dbtr><Pty><Nm>Us</Nm></Pty></Dbtr><Cdtr><Pty><Nm>Ann</Nm></Pty></Cdtr></RltdPties>
      <RtrInf><Rsn><Cd>AC01</Cd></Rsn><AddtlInf>wrong</AddtlInf><AddtlInf>number</AddtlInf></RtrInf>`);
    expect(entriesOf(await partsOf(statement(returned)))[0]?.details).toMatchObject([
      {
        references: { endToEndId: 'ORD1', uetr: 'aaaaaaaa-0000-4000-8000-000000000000' },
        returned: { code: 'AC01', text: 'wrong number' },
        counterparty: { name: 'Ann' },
      },
    ]);
  });

  it('keeps structured and unstructured remittance apart', async () => {
    const written =
      detail(`<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf><Ustrd>Rent</Ustrd><Ustrd>March</Ustrd>
      <Strd><CdtrRefInf><Ref>RF18 5390 0754 7034</Ref></CdtrRefInf></Strd><Strd><CdtrRefInf><Ref>RF45G72UUR</Ref></CdtrRefInf></Strd></RmtInf>`);
    expect(entriesOf(await partsOf(statement(written)))[0]?.details).toMatchObject([
      {
        references: { endToEndId: undefined },
        remittance: { text: 'Rent March', references: ['RF18539007547034', 'RF45G72UUR'] },
      },
    ]);
  });

  it.each([
    [
      'a negative amount',
      '<Amt Ccy="CHF">-1.00</Amt>',
      '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt: "-1.00" is not an amount.',
    ],
    [
      'an amount with a comma',
      '<Amt Ccy="CHF">1,00</Amt>',
      '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt: "1,00" is not an amount.',
    ],
    ['an amount without currency', '<Amt>1</Amt>', '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt: "" is not a currency.'],
    ['no amount', '', '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/Amt: The amount is missing.'],
  ])('is left out with %s, and the next one is read', async (_case, amount, fault) => {
    const parts = await partsOf(statement(entry('', amount) + entry('')));
    expect(faultsOf(parts)).toEqual([fault]);
    expect(entriesOf(parts)).toHaveLength(1);
  });

  it('is left out when a detail of it cannot be read', async () => {
    const parts = await partsOf(statement(detail('<Amt Ccy="CHF">x</Amt>')));
    expect(faultsOf(parts)).toEqual([
      '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/NtryDtls/TxDtls[1]/Amt: "x" is not an amount.',
    ]);
    expect(entriesOf(parts)).toEqual([]);
  });

  it('is left out when its day is none', async () => {
    const parts = await partsOf(statement(entry('<BookgDt><Dt>2026-02-30</Dt></BookgDt>')));
    expect(faultsOf(parts)).toEqual(['2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/BookgDt/Dt: "2026-02-30" is not a day.']);
  });
});

describe('a statement', () => {
  it('has its balances, number, page and days', async () => {
    const balance =
      '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">7.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>';
    const inHead = '<StmtPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><ElctrncSeqNb>61</ElctrncSeqNb>';
    expect(statementsOf(await partsOf(statement(balance, inHead)))).toEqual([
      {
        kind: 'statement',
        statementId: 'S1',
        sequence: 61,
        page: { number: 2, isLast: false },
        createdAt: undefined,
        from: undefined,
        to: undefined,
        account: { number: 'CH9300762011623852957', currency: 'CHF' },
        balances: [{ type: 'CLBD', amount: { currency: 'CHF', amount: '7.00' }, sign: 'debit', on: '2026-03-01' }],
      },
    ]);
  });

  it('is told without its account, with a fault and an empty number, so that its entries are not lost', async () => {
    const parts = await partsOf(statement(entry('')).replace(/<Acct>.*<\/Acct>/, ''));
    expect(parts.map(({ part }) => part)).toEqual(['message', 'fault', 'statement', 'entry', 'end_of_statement']);
  });

  it('has no end when the file is cut', async () => {
    const parts = await partsOf(statement(entry('') + entry('')).slice(0, -100));
    expect(parts.map(({ part }) => part)).toEqual(['message', 'statement', 'entry', 'fault']);
    expect(faultsOf(parts)).toEqual(['2 //BkToCstmrStmt/Stmt[1]/Ntry[2]/Amt: The file ends before its elements do.']);
  });

  it('is found in an envelope with a header of its own', async () => {
    const inner = statement(entry(''));
    const header = '<AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"><Fr/></AppHdr>';
    const parts = await partsOf(`<Envelope>${header}${inner}</Envelope>`);
    expect(parts[0]).toEqual({ part: 'message', format: 'camt.053.001.08', messageId: 'M1' });
    expect(entriesOf(parts)).toHaveLength(1);
  });

  it('reads a bare ampersand as what it is, and CDATA as text', async () => {
    const text = '<AddtlNtryInf>Smith & Sons &amp; Co <![CDATA[R&D <b>]]></AddtlNtryInf>';
    const parts = await partsOf(statement(entry(text) + entry('')), 7);
    expect(entriesOf(parts).map((each) => each.text)).toEqual(['Smith & Sons & Co R&D <b>', undefined]);
  });
});

describe('a file from a bank', () => {
  it('is read in the encoding that it declares', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?>${statement(entry('<AddtlNtryInf>Müller</AddtlNtryInf>'))}`;
    expect(entriesOf(await partsOf(Buffer.from(text, 'latin1')))[0]?.text).toBe('Müller');
    const wide = Buffer.from(`\ufeff${statement(entry('<AddtlNtryInf>Müller</AddtlNtryInf>'))}`, 'utf16le');
    expect(entriesOf(await partsOf(wide, 333))[0]?.text).toBe('Müller');
  });

  it('keeps an entry whose text is in another encoding than declared, and says so once', async () => {
    const text = statement(entry('<AddtlNtryInf>Müller</AddtlNtryInf>') + entry('<AddtlNtryInf>Jäger</AddtlNtryInf>'));
    const parts = await partsOf(Buffer.from(text, 'latin1'));
    expect(entriesOf(parts).map((each) => each.text)).toEqual(['M\ufffdller', 'J\ufffdger']);
    expect(faultsOf(parts)).toEqual([
      '2 //BkToCstmrStmt/Stmt[1]/Ntry[1]/AddtlNtryInf: The file has bytes that its encoding does not know. They were read as \ufffd.',
    ]);
  });

  it.each([
    [
      'in an encoding that nobody knows',
      `<?xml version="1.0" encoding="EBCDIC-7"?><Document/>`,
      'declared to be in the encoding EBCDIC-7',
    ],
    ['with a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${statement(entry(''))}`, 'declares a document type'],
    ['of another kind', '<Document><CstmrCdtTrfInitn/></Document>', 'none of camt.052'],
    [
      'with a text without end',
      statement(entry(`<AddtlNtryInf>${'x'.repeat(200_000)}</AddtlNtryInf>`)),
      'longer than 65536 characters',
    ],
    ['with an endless comment', statement(`<!--${'x'.repeat(200_000)}`), 'longer than 65536 characters'],
    ['of elements within each other', statement('<a>'.repeat(5000)), 'stand within each other'],
    ['that opens tags in tags', '<'.repeat(100_000), 'not XML'],
  ])('%s is refused with the reason', async (_case, text, reason) => {
    const parts = await partsOf(text);
    expect(faultsOf(parts).join()).toContain(reason);
    expect(entriesOf(parts)).toEqual([]);
  });

  it('never expands an entity', async () => {
    const parts = await partsOf(statement(entry('<AddtlNtryInf>&lol; &#65;</AddtlNtryInf>')));
    expect(entriesOf(parts)[0]?.text).toBe('&lol; A');
  });
});
