/** Compares those who paid for an order with the screening lists. Pure. */
import type { Hit } from '../../kyc/hits/hit.js';
import type { ListsSnapshot } from '../../kyc/hits/service.js';
import type { Match, Subject } from '../../screening/screening.js';
import type { RuleFinding } from '../order/gate.js';
import type { NamedPayer } from '../order/ports.js';
import { unreadablePayer } from '../order/review.js';

/** The user for whom they paid. */
interface ScreenedSender {
  readonly subject: Subject;
  /** In whatever state: what was found of the user is decided as the user's hit. */
  readonly hits: readonly Hit[];
}

type Lists = Pick<ListsSnapshot, 'screen'>;

/** A payer with the user's name is the user: the birth date counts, and what is known of the user is left out. */
export function screenPayers(
  lists: Lists,
  payers: readonly NamedPayer[],
  sender: ScreenedSender | undefined,
): readonly Match[] {
  const names = new Map(payers.map(({ name, isAnother }) => [name, isAnother || sender === undefined]));
  return [...names].flatMap(([name, isAnother]) => {
    if (isAnother || !sender) return screenName(lists, name);
    const found = lists.screen({ ...sender.subject, names: [name] });
    return found.filter((match) => !sender.hits.some((hit) => isSame(hit, match)));
  });
}

/**
 * Why a person must compare names of payers. The name of the user needs nobody: it was compared when the user was
 * verified.
 */
export function unreadablePayers(
  lists: Pick<ListsSnapshot, 'hasUnreadableName'>,
  payers: readonly NamedPayer[],
  isUserKnown: boolean,
): readonly RuleFinding[] {
  const names = new Set(payers.filter(({ isAnother }) => isAnother || !isUserKnown).map(({ name }) => name));
  const explanation = "A payer's name cannot be compared well as it is written. Compare it with the lists yourself.";
  return [...names]
    .filter((name) => lists.hasUnreadableName({ kind: 'person', names: [name] }))
    .map((name) => ({ rule: unreadablePayer, key: name, explanation }));
}

/** For the block list, as far as they are known. */
export function accountsOf(payers: readonly Pick<NamedPayer, 'account'>[]): string[][] {
  return payers.flatMap(({ account }) => (account === undefined ? [] : [[account]]));
}

/** A bank does not say whether the holder of an account is a person. An entry is named once, as what it fits best. */
function screenName(lists: Lists, name: string): readonly Match[] {
  const found = (['person', 'organisation'] as const).flatMap((kind) => lists.screen({ kind, names: [name] }));
  const best = new Map<string, Match>();
  for (const match of found.toSorted((left, right) => left.score - right.score))
    best.set(`${match.list} ${match.entryId}`, match);
  return [...best.values()];
}

function isSame(hit: Hit, { list, entryId, entryHash }: Match): boolean {
  return hit.list === list && hit.entryId === entryId && hit.entryHash === entryHash;
}
