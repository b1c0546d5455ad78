/** When a rail is asked what became of a payment. Pure data. */
import { isAsked, type Rail } from '../rail.js';
import type { AttemptState } from '../transitions.js';

/** Soon at first, because most payments are settled at once; then ever more rarely, for days. */
const whileOpen = [1, 2, 5, 15, 60, 300, 900, 3_600];
const day = 86_400;
/** Banks send money back within days. */
const afterPayment = [3_600, day, 3 * day, 10 * day];
const repeatAfterSeconds = 3_600;
/** A payout that must wait before it is sent. */
const sendAfterSeconds = 60;

/** A payment without an outcome becomes a task after so long. */
export const unknownIsTaskAfterSeconds = 900;
export const acceptedIsTaskAfterSeconds = 3 * day;

/** `asked` counts the questions in this state. Undefined: the rail is not asked. */
export function askInSeconds(rail: Pick<Rail, 'capabilities'>, state: AttemptState, asked: number): number | undefined {
  if (!isAsked(rail)) return undefined;
  if (isOpen(state)) return whileOpen[Math.min(asked, whileOpen.length - 1)];
  return state === 'PAID' && rail.capabilities.asksAfterPayment ? afterPayment[asked] : undefined;
}

/**
 * The question after one that was asked. After a payment there are few: one that was not answered, or whose answer
 * could not be applied, is asked again and does not count.
 */
export function nextQuestion(
  rail: Pick<Rail, 'capabilities'>,
  { state, asked }: { readonly state: AttemptState; readonly asked: number },
  isAnswered: boolean,
): { readonly asked: number; readonly inSeconds: number | undefined } {
  if (state === 'READY') return { asked, inSeconds: sendAfterSeconds };
  if (isAnswered || isOpen(state)) return { asked: asked + 1, inSeconds: askInSeconds(rail, state, asked + 1) };
  return { asked, inSeconds: repeatAfterSeconds };
}

/** For a rail that has said more than could be received. Undefined: the rail is not asked. */
export function askAgainInSeconds(rail: Pick<Rail, 'capabilities'>): number | undefined {
  return isAsked(rail) ? 0 : undefined;
}

function isOpen(state: AttemptState): boolean {
  return state === 'SENDING' || state === 'ACCEPTED' || state === 'UNKNOWN';
}
