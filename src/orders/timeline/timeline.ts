/**
 * What merchants and users may see of an order's timeline, and the moments that papers name. Pure.
 *
 * A freeze must look like a review. A review of a converted order reverses the conversion when it ends in a refund, but
 * a freeze reverses it at once. The journal is therefore shown where a review would have written it; that a payout is
 * withdrawn, which both write, at once. The ids of journals are not shown, because an id contains the millisecond in
 * which its journal was written.
 */
import { type Account, kindOf } from '../../ledger/account.js';
import type { JournalContent } from '../../ledger/journal.js';
import type { TimelineEntry } from '../order/history.js';
import { eventRules, type OrderEvent } from '../order/order-events.js';

export interface EntryWithJournals extends TimelineEntry {
  readonly journals: readonly JournalContent[];
}

/** The journals that only a freeze writes. */
const ofFreezes: readonly string[] = ['frozen', 'released'];
/** Events that write no journal in an ordinary review. */
const silent: readonly OrderEvent[] = ['release', 'approve'];
/** Events that convert again what a freeze has reversed. */
const restoring: readonly OrderEvent[] = ['approve', 'prove_payout'];

/** Takes and returns the oldest entry first. */
export function publicTimeline(entries: readonly EntryWithJournals[]): EntryWithJournals[] {
  const shown: EntryWithJournals[] = [];
  let delayed: readonly JournalContent[] = [];
  let frozenFrom: Account | undefined;
  for (const entry of entries) {
    const { event, journals } = entry;
    frozenFrom = sourceOfFreeze(journals) ?? frozenFrom;
    const own = journals.filter((journal) => !ofFreezes.includes(journal.event));
    if (isPublic(entry))
      shown.push({ ...entry, journals: shownOf(event, own.map(asIfNotFrozen(frozenFrom)), delayed) });
    if (event === 'freeze') delayed = own.filter((journal) => !isOfReview(journal));
    else if (restoring.includes(event) || reversesConversion(event)) delayed = [];
  }
  return shown;
}

/** `delayed`: what a freeze has written too early. */
function shownOf(
  event: OrderEvent,
  own: readonly JournalContent[],
  delayed: readonly JournalContent[],
): readonly JournalContent[] {
  if (event === 'freeze') return own.filter(isOfReview);
  if (silent.includes(event)) return [];
  if (restoring.includes(event) && delayed.length > 0) return own.filter((journal) => journal.event !== 'converted');
  return reversesConversion(event) ? [...delayed, ...own] : own;
}

/** The beginning of a review writes it too. */
function isOfReview({ event }: JournalContent): boolean {
  return eventRules.refer.postings?.some((name) => name === event) ?? false;
}

/** The account that a freeze took the money from. */
function sourceOfFreeze(journals: readonly JournalContent[]): Account | undefined {
  const freeze = journals.find(({ event }) => event === 'frozen');
  return freeze?.postings.find(({ minor }) => minor > 0n)?.account;
}

/** Money that leaves while it is frozen is shown as leaving the account that a review would have left it on. */
function asIfNotFrozen(source: Account | undefined): (journal: JournalContent) => JournalContent {
  return (journal) => ({
    ...journal,
    postings: journal.postings.map((posting) =>
      source && kindOf(posting.account) === 'frozen' ? { ...posting, account: source } : posting,
    ),
  });
}

export function isPublic({ publicVersion }: Pick<TimelineEntry, 'publicVersion'>): boolean {
  return publicVersion !== undefined;
}

function reversesConversion(event: OrderEvent): boolean {
  return eventRules[event].postings?.includes('conversion_reversed') ?? false;
}

/**
 * When the order passed the moments that a receipt and a report name; undefined for what has not happened, or was
 * undone.
 */
export interface Milestones {
  readonly paidAt: Date | undefined;
  readonly completedAt: Date | undefined;
  readonly refundedAt: Date | undefined;
}

/** Takes the oldest entry first. */
export function milestonesOf(entries: readonly TimelineEntry[]): Milestones {
  let milestones: Milestones = { paidAt: undefined, completedAt: undefined, refundedAt: undefined };
  let recordedAt: Date | undefined;
  for (const entry of entries) {
    const { event, to, occurredAt } = entry;
    if (event === 'record_payment') recordedAt = occurredAt;
    milestones = {
      paidAt: paidAtAfter(entry, milestones.paidAt, recordedAt),
      completedAt: to === 'COMPLETED' ? (milestones.completedAt ?? occurredAt) : undefined,
      refundedAt: to === 'REFUNDED' ? (milestones.refundedAt ?? occurredAt) : undefined,
    };
  }
  return milestones;
}

/** The last part of an order that is being reviewed makes it a paid one when the review is passed. */
function paidAtAfter(
  { event, to, occurredAt }: TimelineEntry,
  before: Date | undefined,
  recordedAt: Date | undefined,
): Date | undefined {
  if (event === 'complete_payment') return occurredAt;
  if (event === 'take_off_payment') return undefined;
  return to === 'PAYMENT_RECEIVED' ? (before ?? recordedAt ?? occurredAt) : before;
}
