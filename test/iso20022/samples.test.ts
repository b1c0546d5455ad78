/** Messages that banks published, read to the cent against another parser. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { entriesOf, faultsOf, partsOf } from './parts.js';
import { isoSamples } from './published.js';

const samples = isoSamples(/camt.?05[234].*\.xml$/i);
/** What the samples lack, which their authors cut out or invented. */
const known: Readonly<Record<string, readonly string[]>> = {
  'gls_camt054.xml': ['7 //BkToCstmrDbtCdtNtfctn/Ntfctn[1]/Acct: The account is missing.'],
  'postfinance_camt053.xml': ['6 //BkToCstmrStmt/Stmt[1]/Acct: The account is missing.'],
  'postfinance_camt054.xml': [
    '9 //BkToCstmrDbtCdtNtfctn/Ntfctn[1]/Acct: The account is missing.',
    '45 //BkToCstmrDbtCdtNtfctn/Ntfctn[1]/Ntry[2]/CdtDbtInd: Whether it is a credit or a debit is missing.',
  ],
};

interface Element {
  readonly [name: string]: unknown;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  isArray: (name) => ['Ntry', 'NtryDtls', 'TxDtls'].includes(name),
});

/** Each entry as `sign amount currency details`, wherever it stands. */
function entriesByOther(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'Ntry'
      ? (inner as Element[]).filter(({ Amt }) => Amt !== undefined).map(summaryByOther)
      : entriesByOther(inner),
  );
}

function summaryByOther(entry: Element): string {
  const { '#text': amount, '@_Ccy': currency } = entry.Amt as Element;
  const details = ((entry.NtryDtls ?? []) as Element[]).flatMap((each) => (each.TxDtls ?? []) as Element[]);
  return `${entry.CdtDbtInd} ${amount} ${currency} ${details.length}`;
}

describe.skipIf(samples.length === 0)('the samples of banks', () => {
  it.each(samples.map((file) => [basename(file), file]))(
    '%s is read to the cent, its faults named',
    async (name, file) => {
      const content = readFileSync(file);
      const parts = await partsOf(content);
      const read = entriesOf(parts).map(({ sign, amount, details }) =>
        [sign === 'credit' ? 'CRDT' : 'DBIT', amount.amount, amount.currency, details.length].join(' '),
      );
      const isInvented = /^y2026/.test(name);
      const others = entriesByOther(parser.parse(content)).filter((entry) => !entry.startsWith('undefined'));
      if (!isInvented) expect(read).toEqual(others);
      if (!isInvented) expect(faultsOf(parts)).toEqual(known[name] ?? []);
      // Its status is `EXCd`, so that nobody knows whether it is booked.
      else expect(faultsOf(parts).join()).toMatch(/Ntry\[1\]/);
    },
  );

  it('the closing balance of a bank’s own example differs from its entries, and is told as it is', async () => {
    const [file = ''] = samples.filter((sample) => /postfinance\/camt053_P/.test(sample.replaceAll('\\', '/')));
    const entries = entriesOf(await partsOf(readFileSync(file)));
    const cents = (text: string) => BigInt(text.replace('.', ''));
    const sum = entries.reduce(
      (total, { sign, amount }) => total + (sign === 'credit' ? 1n : -1n) * cents(amount.amount),
      0n,
    );
    expect(sum).toBe(465602n);
    expect(cents('215112.21') - cents('211993.19')).toBe(sum - cents('1537.00'));
  });
});

describe.skipIf(samples.length === 0)('the status reports of banks', () => {
  const statuses = isoSamples(/pain002.*\.xml$/i);

  it('answer a message, a block or payments, with the reason', async () => {
    const told = await Promise.all(
      statuses.map(async (file) =>
        (await partsOf(readFileSync(file))).flatMap((part) => (part.part === 'payment_status' ? [part.status] : [])),
      ),
    );
    const summaries = told
      .flat()
      .map(({ scope, status, reasons }) => [scope, status, reasons[0]?.code].join(' ').trim());
    expect(summaries.sort()).toEqual(['block ACCP', 'block RJCT AC01', 'message ACTC', 'message RJCT AM10']);
  });
});
