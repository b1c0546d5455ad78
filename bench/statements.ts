/**
 * Messages of banks: a camt.053 of 100,000 entries as a stream, in entries a second, growth of memory, and the longest
 * time that it keeps the event loop; the same for a pain.001 of 10,000 payments with its validation. `--short` takes a
 * tenth.
 */
import type { PaymentMessage } from '../src/iso20022/payment-message.js';
import { readMessages } from '../src/iso20022/read/messages.js';
import { writePaymentMessage } from '../src/iso20022/write/payment-messages.js';
import { judge, printTable, spread } from './parts/figures.js';

const share = process.argv.includes('--short') ? 0.1 : 1;
const rounds = 3;
const entries = 100_000 * share;
const payments = 10_000 * share;

interface Measured {
  readonly perSecond: number;
  readonly longestBlockMs: number;
  readonly megabytes: number;
}

/**
 * Memory is what the heap grows by at most, seen ten times a second, garbage included. A block is processor time
 * between two turns of the event loop: what other processes take does not count.
 */
async function measured(count: number, work: () => Promise<void>): Promise<Measured> {
  const before = process.memoryUsage().heapUsed;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed);
  }, 100);
  let longest = 0;
  let last = processorTime();
  let isOver = false;
  const turn = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const start = last;
  await work();
  isOver = true;
  clearInterval(watch);
  const seconds = (processorTime() - start) / 1e6;
  return { perSecond: count / seconds, longestBlockMs: longest / 1000, megabytes: (most - before) / 2 ** 20 };
}

/** In microseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const head = `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>`;
const tail = '</Stmt></BkToCstmrStmt></Document>';

/** As long as those of real banks: 1.4 kB. */
function entry(number: number): string {
  const code = '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>';
  const party = (name: string, iban: string) =>
    `<${name}><Pty><Nm>Ann Müller ${number}</Nm><PstlAdr><TwnNm>Bonn</TwnNm><Ctry>DE</Ctry></PstlAdr></Pty></${name}>
    <${name}Acct><Id><IBAN>${iban}</IBAN></Id></${name}Acct>`;
  return `
  <Ntry><NtryRef>${number}</NtryRef><Amt Ccy="EUR">${number}.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><RvslInd>false</RvslInd><Sts><Cd>BOOK</Cd></Sts>
    <BookgDt><Dt>2026-11-19</Dt></BookgDt><ValDt><Dt>2026-11-19</Dt></ValDt><AcctSvcrRef>REF${number}</AcctSvcrRef>${code}
    <NtryDtls><TxDtls><Refs><AcctSvcrRef>REF${number}</AcctSvcrRef><EndToEndId>ORD${number}</EndToEndId></Refs><Amt Ccy="EUR">${number}.99</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd>${code}<RltdPties>${party('Dbtr', 'DE89370400440532013000')}${party('Cdtr', 'AT611904300234573201')}</RltdPties>
    <RltdAgts><DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt></RltdAgts>
    <RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>
    <AddtlNtryInf>SEPA credit transfer of a customer</AddtlNtryInf></Ntry>`;
}

/** In chunks as a file is read. */
function* statement(): Generator<Uint8Array> {
  let text = head;
  for (let number = 1; number <= entries; number += 1) {
    text += entry(number);
    if (text.length < 64 * 1024) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text + tail);
}

async function readStatement(): Promise<void> {
  let count = 0;
  for await (const part of readMessages(statement())) {
    if (part.part === 'fault') throw new Error(part.message);
    if (part.part === 'entry') count += 1;
  }
  if (count !== entries) throw new Error(`${count} of ${entries} entries were read`);
}

const address = {
  street: 'Hauptstraße',
  building: '1',
  postalCode: '53111',
  town: 'Bonn',
  subdivision: undefined,
  country: 'DE',
};
const message: PaymentMessage = {
  messageId: 'MSG1',
  createdAt: '2026-11-19T10:00:00Z',
  paymentInformationId: 'MSG1-1',
  executionDay: '2026-11-20',
  initiator: 'Remesa Example Ltd',
  debtor: { name: 'Remesa Example Ltd', address },
  debtorAccount: { iban: 'AT611904300234573201' },
  debtorBank: { bic: 'BKAUATWW', clearing: undefined, name: undefined },
  payments: Array.from({ length: payments }, (_, index) => ({
    endToEndId: `ORD${index}`,
    uetr: undefined,
    currency: 'EUR',
    amount: `${index + 1}.50`,
    chargeBearer: undefined,
    ultimateDebtor: { name: `Jürgen Sender ${index}`, address: undefined },
    creditor: { name: `Nguyễn Thị Hồng ${index}`, address },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorBank: { bic: 'DEUTDEFF', clearing: undefined, name: undefined },
    purpose: 'FAMI',
    remittance: { text: `For the family ${index}` },
  })),
};

async function repeated(count: number, work: () => Promise<void>): Promise<Measured[]> {
  const results: Measured[] = [];
  await work();
  for (let round = 0; round < rounds; round += 1) results.push(await measured(count, work));
  return results;
}

// Loads libxml2 and compiles the schema, which the service does once.
await writePaymentMessage('sepa', { ...message, payments: message.payments.slice(0, 500) });
const read = await repeated(entries, readStatement);
const sent = await repeated(payments, async () => {
  await writePaymentMessage('sepa', message);
});
const row = (name: string, results: readonly Measured[]) => [
  name,
  spread(
    results.map(({ perSecond }) => perSecond),
    0,
  ),
  spread(
    results.map(({ longestBlockMs }) => longestBlockMs),
    0,
  ),
  spread(
    results.map(({ megabytes }) => megabytes),
    0,
  ),
];
printTable(
  ['', 'a second of one processor', 'longest block, ms', 'memory, MB'],
  [row(`camt.053 of ${entries} entries`, read), row(`pain.001 of ${payments} payments`, sent)],
);
const longest = (results: readonly Measured[]) => Math.max(...results.map(({ longestBlockMs }) => longestBlockMs));
judge('a statement never blocks the event loop for more than 50 ms', longest(read) <= 50);
judge('writing payments never blocks the event loop for more than 50 ms', longest(sent) <= 50);
judge(
  'a statement of any length is read with less than 100 MB',
  Math.max(...read.map(({ megabytes }) => megabytes)) < 100,
);
