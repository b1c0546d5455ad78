/** Runs rules over movements in the order in which money came. The job and the replay are the same scan. Pure. */
import { type Fired, firedAt, lookBackMs, type Movement, quietMs, subjectOf, type Terms } from './rule.js';

export interface Found extends Fired {
  readonly subject: string;
  readonly movement: Movement;
}

/**
 * The alerts of a rule at these movements. `history` holds them and what came before, the oldest first. `lastAlertAt`
 * says when the last alert about a subject was raised: alerts about one subject within the window of the rule are one.
 */
export function scan(
  terms: Terms,
  at: readonly Movement[],
  history: readonly Movement[],
  lastAlertAt: ReadonlyMap<string, Date> = new Map(),
): Found[] {
  const known = new Map(lastAlertAt);
  const byPerson = grouped(history, ({ person }) => person);
  const byAccount = grouped(history, ({ account }) => account ?? '');
  const found: Found[] = [];
  for (const movement of at) {
    const upTo = (all: readonly Movement[] = []) => all.filter((each) => isBefore(each, movement, lookBackMs(terms)));
    const subject = subjectOf(terms, movement);
    const last = known.get(subject);
    if (last && movement.paidAt.getTime() - last.getTime() < quietMs(terms)) continue;
    const fired = firedAt(terms, movement, {
      ofPerson: upTo(byPerson.get(movement.person)),
      toAccount: movement.account === undefined ? [] : upTo(byAccount.get(movement.account)),
    });
    if (!fired) continue;
    known.set(subject, movement.paidAt);
    found.push({ ...fired, subject, movement });
  }
  return found;
}

function isBefore({ paidAt }: Movement, until: Movement, lookBack: number): boolean {
  return paidAt <= until.paidAt && until.paidAt.getTime() - paidAt.getTime() <= lookBack;
}

function grouped(movements: readonly Movement[], keyOf: (movement: Movement) => string): Map<string, Movement[]> {
  const groups = new Map<string, Movement[]>();
  for (const movement of movements) {
    const key = keyOf(movement);
    const group = groups.get(key);
    if (group) group.push(movement);
    else groups.set(key, [movement]);
  }
  return groups;
}
