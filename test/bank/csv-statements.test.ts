/** Files of banks that write no camt: CSV, by the columns that are declared for the account. */
import { describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { useRemesa } from '../harness/remesa.js';
import { newBankAccount } from '../ledger/bank-accounts.js';
import { loadingOf } from './loading.js';

const running = useRemesa({ settings: { FOUR_EYES: 'bank.line' } });
const { sql } = running;

const { load } = loadingOf(running);

const csvOf = (rows: readonly string[]) =>
  ['Kontoauszug;12345', '', 'Buchungstag;Valuta;Name;IBAN;Verwendungszweck;Soll;Haben', ...rows, ';;;;Summe;;'].join(
    '\r\n',
  );

describe('a CSV file of a bank without camt', () => {
  const semicolons = {
    ...{ delimiter: 'semicolon', encoding: 'windows-1252', dates: 'DD.MM.YYYY', decimalMark: ',' },
    ...{ bookedOn: 'Buchungstag', valueOn: 'Valuta', debit: 'Soll', credit: 'Haben' },
    ...{ name: 'Name', account: 'IBAN', text: 'Verwendungszweck' },
  };
  const lines = async (bank: string) => {
    const text = `SELECT sign, amount_minor::int AS minor, booked_on::text AS day FROM bank_lines WHERE bank = $1 ORDER BY booked_on, sign, amount_minor`;
    return (await sql.query(text, [bank])).rows.map(({ sign, minor, day }) => `${sign} ${minor} ${day}`);
  };

  it('books both directions by the columns that its account declares, also without references, and each once', async () => {
    const account = { accountId: 'sparkasse', currency: 'EUR', country: 'DE', csv: semicolons };
    done(await newBankAccount(running, { ...account, number: 'DE02120300000000202051' }));
    const first = [
      '16.11.2026;16.11.2026;Jürgen Groß;DE89370400440532013000;Miete;;1.234,50',
      '16.11.2026;17.11.2026;"Müller; Söhne";;Entgelt;7,50;',
      '16.11.2026;17.11.2026;"Müller; Söhne";;Entgelt;7,50;',
    ];
    const read = await load('sparkasse', Buffer.from(csvOf(first), 'latin1'));
    expect(read).toMatchObject({ format: 'csv', entries: 3, newLines: 3, faults: [] });
    expect(await lines('sparkasse')).toEqual([
      'credit 123450 2026-11-16',
      'debit 750 2026-11-16',
      'debit 750 2026-11-16',
    ]);
    const later = [
      ...first,
      '18.11.2026;;;;Lastschrift;-12,00;',
      '31.02.2026;;;;Falsch;1,00;',
      '18.11.2026;;;;Beides;1,00;2,00',
    ];
    const again = await load('sparkasse', Buffer.from(csvOf(later), 'latin1'));
    expect(again).toMatchObject({ entries: 4, newLines: 1, faultCount: 2 });
    expect(again.faults.map(({ message }: { message: string }) => message)).toEqual([
      '"31.02.2026" is not a day as DD.MM.YYYY.',
      'It is a debit and a credit at once.',
    ]);
    expect(again.faults[0].line).toBeGreaterThan(4);
  });

  it('reads signs, words for debits, and the references of a bank that has them', async () => {
    const commas = { delimiter: 'comma', encoding: 'utf-8', dates: 'MM/DD/YYYY', decimalMark: '.', bookedOn: 'Date' };
    const ofWords = {
      ...commas,
      amount: 'Amount',
      direction: 'Type',
      debitWord: 'DR',
      creditWord: 'CR',
      bankReference: 'Ref',
    };
    done(await newBankAccount(running, { accountId: 'signs', number: '10001', csv: { ...commas, amount: 'Amount' } }));
    done(await newBankAccount(running, { accountId: 'words', number: '10002', csv: ofWords }));
    const rows = [
      'Date,Amount,Type,Ref',
      '11/16/2026,"-1,250.00",DR,A1',
      '11/16/2026,20.5,CR,A2',
      '11/16/2026,20.5,CR,A3',
    ];
    const both = ['credit 2050 2026-11-16', 'credit 2050 2026-11-16', 'debit 125000 2026-11-16'];
    for (const bank of ['signs', 'words']) {
      expect((await load(bank, rows.join('\n'))).faults).toEqual([]);
      expect(await lines(bank)).toEqual(both);
    }
    const unread = ['11/16/2026,20.5,Storno,A5', '11/16/2026,"100,00",CR,A6'];
    expect((await load('words', [rows[0], ...unread].join('\n'))).faultCount).toBe(2);
    // The next file has one of the two alike, which only its reference tells apart.
    const next = await load('words', [rows[0], rows[3], '11/16/2026,20.5,CR,A4'].join('\n'));
    expect([next.newLines, (await lines('words')).length]).toEqual([1, 4]);
  });

  it('is a fault where its header has other columns, and a format that cannot be read is refused', async () => {
    const read = await load('sparkasse', 'a;b\n1;2');
    expect(read.faults[0].message).toContain(
      'No line has all the columns that are declared for the account: Buchungstag',
    );
    const { amount: _, ...none } = { ...semicolons, debit: undefined, amount: undefined };
    const refused = await newBankAccount(running, { accountId: 'wrong', csv: none });
    expect([refused.status, refused.json.errors[0].field]).toEqual([400, 'csv.amount']);
  });
});
