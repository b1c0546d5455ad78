/** Random statements, whole and damaged, against what was written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportedEntry } from '../../src/iso20022/statement.js';
import { rounds } from '../harness/rounds.js';
import { entriesOf, faultsOf, partsOf, statementsOf } from './parts.js';
import { piecesOf, type WrittenEntry, type WrittenFile, writtenFile } from './statement-files.js';

const statuses = { BOOK: 'booked', PDNG: 'pending', INFO: 'information' } as const;

function expectedOf(entry: WrittenEntry): object {
  return {
    amount: `${entry.amount} ${entry.currency}`,
    sign: entry.isCredit ? 'credit' : 'debit',
    isReversal: entry.isReversal,
    status: statuses[entry.status],
    bookedOn: entry.bookedOn,
    bankReference: entry.bankReference,
    text: entry.text,
    details: entry.details.map((detail) => ({
      amount: `${detail.amount} ${entry.currency}`,
      endToEndId: detail.endToEndId,
      counterparty: entry.isCredit ? detail.debtor : detail.creditor,
      remittance: detail.remittance,
    })),
  };
}

function summaryOf(entry: ReportedEntry): object {
  const { amount, sign, isReversal, status, bookedOn, bankReference, text, details } = entry;
  return {
    amount: `${amount.amount} ${amount.currency}`,
    sign,
    isReversal,
    status,
    bookedOn,
    bankReference,
    text,
    details: details.map((detail) => ({
      amount: `${detail.amount?.amount} ${detail.amount?.currency}`,
      endToEndId: detail.references.endToEndId,
      counterparty: detail.counterparty.name,
      remittance: detail.remittance.text,
    })),
  };
}

interface Damage {
  readonly entry: number;
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

/** What opens a comment or a raw section swallows what follows, so that it is a case of its own. */
const inserted = fc.constantFrom(
  '',
  '<',
  '>',
  '&',
  '"',
  "'",
  '</',
  '/',
  '<Ntry>',
  '</Ntry>',
  '<x>',
  '</Stmt',
  '\u0001',
  'é',
  '=',
  '&#0;',
);
const damage: fc.Arbitrary<Damage> = fc.record({
  entry: fc.nat(),
  at: fc.nat(),
  removed: fc.nat({ max: 40 }),
  inserted,
});

/** The file with the damages, and which entries have none. */
function damaged(file: WrittenFile, damages: readonly Damage[]): { text: string; whole: WrittenEntry[] } {
  const pieces = piecesOf(file);
  const hit = new Set<number>();
  for (const { entry, at, removed, inserted: text } of file.entries.length === 0 ? [] : damages) {
    const index = entry % file.entries.length;
    const piece = pieces[index + 1] ?? '';
    const start = at % (piece.length + 1);
    hit.add(index);
    pieces[index + 1] = piece.slice(0, start) + text + piece.slice(start + removed);
  }
  return { text: pieces.join(''), whole: file.entries.filter((_, index) => !hit.has(index)) };
}

describe('a statement', () => {
  it('is read as it was written, in every dialect, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(writtenFile, fc.integer({ min: 1, max: 500 }), async (file, chunkBytes) => {
        const parts = await partsOf(piecesOf(file).join(''), chunkBytes);
        expect(faultsOf(parts)).toEqual([]);
        expect(entriesOf(parts).map(summaryOf)).toEqual(file.entries.map(expectedOf));
        expect(statementsOf(parts)).toMatchObject([{ kind: file.kind, statementId: 'S1', sequence: 7 }]);
        expect(parts.at(-1)).toEqual({ part: 'end_of_statement' });
      }),
      { numRuns: rounds(100, 5000) },
    );
  });

  it('loses what is damaged and nothing else, and says what it lost', async () => {
    const damages = fc.array(damage, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(writtenFile, damages, async (file, some) => {
        const { text, whole } = damaged(file, some);
        const parts = await partsOf(text);
        const read = entriesOf(parts).map((entry) => JSON.stringify(summaryOf(entry)));
        for (const entry of whole) expect(read).toContain(JSON.stringify(expectedOf(entry)));
        // Damage within a text changes the text only; whatever else is lost has a fault.
        const lost = file.entries.length - read.length;
        if (lost > 0) expect(faultsOf(parts)).not.toEqual([]);
      }),
      { numRuns: rounds(200, 20_000) },
    );
  });

  it('never throws for bytes that are no statement at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        expect(faultsOf(await partsOf(bytes))).not.toEqual([]);
      }),
      { numRuns: rounds(50, 5000) },
    );
  });
});
