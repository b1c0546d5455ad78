/** Runs a rule over movements in the order in which money came. The job and the replay are the same scan. Pure. */
import { type Fired, firedAt, type Movement, quietMs, subjectOf, type Terms } from './rule.js';
import { MovementWindow } from './window.js';

export interface Found extends Fired {
  readonly subject: string;
  readonly movement: Movement;
}

/** After so many movements a scan lets others have their turn. */
const movementsAtOnce = 1000;

/**
 * The alerts of a rule at these movements. `history` holds them and what came before, the oldest first. `lastAlertAt`
 * says when the last alert about a subject was raised: alerts about one subject within the window of the rule are one.
 * Yields nothing from time to time, so that whoever runs it can do something else.
 */
export function* scan(
  terms: Terms,
  isAsked: (movement: Movement) => boolean,
  history: readonly Movement[],
  lastAlertAt: ReadonlyMap<string, Date> = new Map(),
): Generator<Found | undefined> {
  const known = new Map(lastAlertAt);
  const windows = new Map<string, MovementWindow>();
  for (let at = 0; at < history.length; ) {
    const together = ofOneMoment(history, at);
    for (const movement of together) windowOf(windows, terms, movement).add(movement);
    for (const movement of together) {
      const found = isAsked(movement) && judged(windowOf(windows, terms, movement), terms, movement, known);
      if (!found) continue;
      known.set(found.subject, movement.paidAt);
      yield found;
    }
    const next = at + together.length;
    if (Math.floor(next / movementsAtOnce) > Math.floor(at / movementsAtOnce)) yield undefined;
    at = next;
  }
}

function judged(
  seen: MovementWindow,
  terms: Terms,
  movement: Movement,
  known: ReadonlyMap<string, Date>,
): Found | undefined {
  seen.moveTo(movement.paidAt);
  const subject = subjectOf(terms, movement);
  const last = known.get(subject);
  if (last && movement.paidAt.getTime() - last.getTime() < quietMs(terms)) return undefined;
  const fired = firedAt(terms, movement, seen);
  return fired && { ...fired, subject, movement };
}

function windowOf(windows: Map<string, MovementWindow>, terms: Terms, movement: Movement): MovementWindow {
  const subject = subjectOf(terms, movement);
  const seen = windows.get(subject) ?? new MovementWindow(terms);
  windows.set(subject, seen);
  return seen;
}

/** Payments of one moment count for one another, in whichever order they are listed. */
function ofOneMoment(history: readonly Movement[], first: number): readonly Movement[] {
  const moment = history[first]?.paidAt.getTime();
  let end = first + 1;
  while (history[end]?.paidAt.getTime() === moment) end += 1;
  return history.slice(first, end);
}
