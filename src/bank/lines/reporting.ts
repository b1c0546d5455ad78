/** Books the entries of a statement as lines: each is one that we know, probably one that we know, or new. */
import { newPublicId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import type { BankAccount } from '../accounts/bank-account.js';
import { openClosedDays } from './closed-day-store.js';
import type { LineSealer } from './content.js';
import { detailsOf } from './details.js';
import { type Identified, identify, type KnownLine } from './identifying.js';
import { identityOfContents, identityOfReference } from './identity.js';
import type { LineId, LineSource } from './line.js';
import { addLine } from './line-store.js';
import type { ReportedLine } from './reported.js';
import * as store from './reported-store.js';
import { itemise } from './splitting.js';

export interface Reporting {
  readonly account: BankAccount;
  readonly statementId: string;
  readonly isStatement: boolean;
  /** The number of the statement, where the bank counts them. */
  readonly sequence: number | undefined;
  readonly source: LineSource;
  /** The lines that this statement has named. */
  readonly named: Set<LineId>;
}

/** Somebody has recorded one of the lines at this moment: do it again. */
export class LineTaken extends Error {
  override readonly name = 'LineTaken';
}

/** Returns how many lines are new. Throws `LineTaken`. */
export async function reportLines(
  tx: Transaction,
  sealer: LineSealer,
  reporting: Reporting,
  lines: readonly ReportedLine[],
): Promise<number> {
  const { accountId: bank, currency } = reporting.account;
  const days = lines.map(({ bookedOn }) => bookedOn).sort();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const knownBy = lines.flatMap((line) => line.knownBy);
  const amountsMinor = lines.map(({ amountMinor }) => amountMinor);
  const known = await store.listKnownLines(tx, { bank, currency }, { knownBy, amountsMinor, from, to });
  const { named, statementId, isStatement, sequence } = reporting;
  const open = known.filter(({ lineId }) => !named.has(lineId));
  const found = identify(lines, open, { isStatement, sequence });
  const changed = found
    .flatMap((identified, index) => changedDaysOf(identified, lines[index] as ReportedLine))
    .sort()[0];
  if (changed !== undefined) await openClosedDays(tx, bank, changed);
  let added = 0;
  for (const [index, identified] of found.entries()) {
    const line = lines[index] as ReportedLine;
    if (identified.kind === 'same') {
      const { lineId } = identified.line;
      named.add(lineId);
      const { bookedOn, bankReference } = line;
      await store.confirmLine(tx, { lineId, statementId, isStatement, bookedOn, bankReference, knownBy: line.knownBy });
      if (identified.line.isUnexplained) await itemise(tx, sealer, identified.line.lineId, line.payments);
      continue;
    }
    const twin = identified.kind === 'probably' ? identified.line : undefined;
    const prefix = prefixOf(line);
    const repetition = 1 + known.filter(({ identity }) => identity.startsWith(prefix)).length;
    const stored = await addReported(tx, sealer, reporting, { line, twin, identity: `${prefix}${repetition}` });
    known.push(stored);
    named.add(stored.lineId);
    added += 1;
  }
  return added;
}

/** The days whose lines are others than before. */
function changedDaysOf(identified: Identified, { bookedOn }: ReportedLine): string[] {
  if (identified.kind !== 'same') return [bookedOn];
  const { line } = identified;
  return line.isOnStatement && line.bookedOn === bookedOn ? [] : [line.bookedOn, bookedOn];
}

/** The identity without the number of its repetition. */
function prefixOf(line: ReportedLine): string {
  const identity =
    line.bankReference === undefined
      ? identityOfContents(line.contents, 0)
      : identityOfReference(line.bankReference, line.bookedOn, 0);
  return identity.slice(0, -1);
}

interface Added {
  readonly line: ReportedLine;
  readonly twin: KnownLine | undefined;
  readonly identity: string;
}

async function addReported(
  tx: Transaction,
  sealer: LineSealer,
  { account, statementId, isStatement, sequence, source }: Reporting,
  { line, twin, identity }: Added,
): Promise<KnownLine> {
  const lineId = newPublicId('bnl');
  const { accountId: bank, currency } = account;
  const { sign, amountMinor, bookedOn, knownBy } = line;
  const reason = reasonOf(line, twin);
  const isBatch = line.payments.length > 1;
  const details = await detailsOf(tx, { lineId, bank, currency, sign }, line.payments, {
    takesOver: isBatch,
    reasonOf: () => reason,
  });
  const { bankReference, valueOn, code } = line;
  const contents = line.payments.map(({ content }) => content);
  const isExplained = details.every(({ state }) => state === 'explained');
  const sealedContent = isExplained ? undefined : sealer.seal(lineId, contents);
  const stored = { lineId, bank, currency, sign, amountMinor, bookedOn, source, identity, statementId };
  const more = { bankReference, valueOn, code, knownBy, twinId: twin?.lineId, sealedContent };
  if (!(await addLine(tx, { ...stored, ...more }, details))) throw new LineTaken();
  const endToEndId = line.payments.length === 1 ? line.payments[0]?.endToEndId : undefined;
  const known = { lineId, sign, amountMinor, bookedOn, bankReference, endToEndId, knownBy, identity, source };
  return { ...known, isOnStatement: isStatement, sequence, isReplaced: false, isUnexplained: false };
}

/** What nobody but a person explains. */
function reasonOf(line: ReportedLine, twin: KnownLine | undefined): string | undefined {
  if (twin) return 'possible_duplicate';
  if (line.isReversal && line.payments.every(({ content }) => !content.isReturn)) return 'reversal';
  return undefined;
}
