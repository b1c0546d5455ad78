/** What somebody recorded against the lines that are stored: known by its reference, probably known, or new. Pure. */
import { daysBetween } from './identity.js';
import { type LineId, plainReference, type RecordedLine, type StoredDetail } from './line.js';

/** A bank does not use a reference again within this time, and nobody records a line later. */
const sameReferenceDays = 180;

export type RecordedAs =
  /** Its line was stored before, and nothing explains it yet. */
  | { readonly kind: 'reported'; readonly detail: StoredDetail }
  /** The line is explained. */
  | { readonly kind: 'used'; readonly record: string }
  /** The line is probably another one: two people decide that first. */
  | { readonly kind: 'compared'; readonly lineId: LineId }
  /** The line was stored with another amount, which somebody must look at. */
  | { readonly kind: 'differs' }
  | { readonly kind: 'new' };

/**
 * What somebody recorded, among the stored details whose line has its reference, or which have its end-to-end id.
 */
export function findRecorded(line: RecordedLine, stored: readonly StoredDetail[]): RecordedAs {
  const near = stored.filter(
    (detail) => detail.state !== 'replaced' && daysBetween(detail.bookedOn, line.bookedOn) <= sameReferenceDays,
  );
  const open = near.filter(({ state, reason }) => isOpen(state) && reason !== 'possible_duplicate');
  const reported = open.find((detail) => detail.amountMinor === line.amountMinor && isAboutSame(line, detail));
  if (reported) return { kind: 'reported', detail: reported };
  const ofReference = near.filter(
    ({ bankReference, lineId }) => lineId === line.reference || isSameReference(bankReference, line.reference),
  );
  const used = ofReference.find(({ state, record }) => state === 'explained' && record !== undefined);
  if (used?.record !== undefined) return { kind: 'used', record: used.record };
  const compared = near.find((detail) => detail.reason === 'possible_duplicate' && isAboutSame(line, detail));
  if (compared) return { kind: 'compared', lineId: compared.lineId };
  return ofReference.length > 0 ? { kind: 'differs' } : { kind: 'new' };
}

/** A line with the amount of the recorded one, on about its day, that was reported in another way. */
export interface AlikeLine {
  readonly lineId: LineId;
  readonly counterparty: readonly string[];
}

/**
 * The lines that the recorded one probably is, under another reference. Whoever compared it with one of them names that
 * one in `otherThan`.
 */
export function probablyRecorded({ counterparty, otherThan = [] }: RecordedLine, alike: readonly AlikeLine[]) {
  if (!counterparty) return [];
  return alike.filter(
    ({ lineId, counterparty: known }) =>
      !otherThan.includes(lineId) && (known.length === 0 || isSameParty(counterparty, known)),
  );
}

/** Whether both are for one order, or of one account; of one name, where an account is not known. */
function isSameParty(left: readonly string[], right: readonly string[]): boolean {
  const shared = (kind: string) => left.some((mark) => mark.startsWith(`${kind}.`) && right.includes(mark));
  const hasAccount = (marks: readonly string[]) => marks.some((mark) => mark.startsWith('account.'));
  if (shared('order') || shared('account')) return true;
  return shared('name') && !(hasAccount(left) && hasAccount(right));
}

function isOpen(state: StoredDetail['state']): boolean {
  return state === 'waiting' || state === 'break';
}

/** A payment of a batch is the one that it names. */
function isAboutSame({ endToEndId }: RecordedLine, detail: StoredDetail): boolean {
  return endToEndId === undefined || detail.endToEndId === undefined || endToEndId === detail.endToEndId;
}

function isSameReference(stored: string | undefined, reference: string): boolean {
  return stored !== undefined && plainReference(stored) === plainReference(reference);
}
