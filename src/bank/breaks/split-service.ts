/** The verb that splits a break: people know that it is several movements, and what each of them is. */
import type { Static } from 'typebox';
import type { ApprovalSubject } from '../../approval.js';
import { type By, mayAct } from '../../caller.js';
import { invalidField, RemesaError } from '../../errors.js';
import { amountFromLiteral } from '../../money/literal.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { LineSealer } from '../lines/content.js';
import { matchJob, type StoredDetail } from '../lines/line.js';
import { listDetailsOf } from '../lines/line-store.js';
import { isUnexplained, type Part, partsFault } from '../lines/parts.js';
import { noContent } from '../lines/reported.js';
import { contentOf, replaceDetail } from '../lines/splitting.js';
import type { SplitShape } from './schemas.js';

export type Split = Static<typeof SplitShape>;

/** What is to be approved. Throws `bank_break_not_found` and `invalid_fields`. */
export async function reviewSplit(database: Queryable, lineId: string, asked: Split): Promise<ApprovalSubject> {
  const detail = await findBreak(database, lineId, asked);
  partsOf(detail, asked);
  return { subject: `bank_line:${lineId}`, version: `${detail.number}.${detail.version}` };
}

/**
 * Throws as `reviewSplit` does, and `role_missing` where an entry is to be booked and whoever decides may not book
 * treasury entries.
 */
export async function split(tx: Transaction, sealer: LineSealer, by: By, lineId: string, asked: Split): Promise<void> {
  const detail = await findBreak(tx, lineId, asked);
  const { note } = asked;
  requireTreasuryRole(by, asked);
  const { name, account } = await contentOf(tx, sealer, detail);
  const parts = partsOf(detail, asked).map((part) => ({ ...part, content: { ...part.content, name, account } }));
  if (!(await replaceDetail(tx, sealer, by, detail, { parts, note }))) throw breakNotFound();
  tx.wake(matchJob);
}

/** Whoever may not book a treasury entry may not book one as a part of a line. */
function requireTreasuryRole({ actor }: By, { parts }: Split): void {
  if (parts.every(({ entry }) => entry === undefined)) return;
  if (actor.kind === 'operator' && mayAct(actor, 'admin')) return;
  const message = 'A part that is booked as a treasury entry needs an operator with the role admin to decide.';
  throw new RemesaError('forbidden', 'role_missing', message, { members: { requiredRole: 'admin' } });
}

async function findBreak(database: Queryable, lineId: string, { number }: Split): Promise<StoredDetail> {
  const detail = (await listDetailsOf(database, lineId)).find((each) => each.number === number);
  if (!detail || !isUnexplained(detail) || detail.reason === 'possible_duplicate') throw breakNotFound();
  return detail;
}

function partsOf(detail: StoredDetail, { parts: asked }: Split): Part[] {
  const parts = asked.map((part, index) => partOf(detail, part, `parts[${index}]`));
  const fault = partsFault(detail.amountMinor, parts);
  if (fault !== undefined) throw invalidField('parts', 'wrong_sum', fault);
  return parts;
}

function partOf({ currency }: StoredDetail, part: Split['parts'][number], at: string): Part {
  const { amount: text, endToEndId, reference, entry } = part;
  const isNegative = text.startsWith('-');
  const read = amountFromLiteral(currency, isNegative ? text.slice(1) : text);
  if ('fault' in read) throw invalidField(`${at}.amount`, read.fault, read.message);
  if ([endToEndId, reference, entry].filter((said) => said !== undefined).length > 1)
    throw invalidField(at, 'too_many', 'must be one of a payment with our id, a payment to us, and an entry');
  const references = reference === undefined ? [] : [reference];
  return {
    amountMinor: isNegative ? -read.minor : read.minor,
    endToEndId,
    content: { ...noContent, references, saidToBe: entry ?? 'payment' },
    isLeft: endToEndId === undefined && reference === undefined && entry === undefined,
  };
}

function breakNotFound(): RemesaError {
  return new RemesaError('not_found', 'bank_break_not_found', 'No break of this line with this number waits.');
}
