/**
 * The renewal of an approval before it ends. The case stays as it is, and its renewal goes through the same table of
 * states beside it, from PENDING on. An approved renewal replaces the approval; any other result leaves it alone.
 */
import { type CaseState, type KycCase, type Renewal, type RenewalState, renewalStates } from './case.js';
import { type CaseTransition, stateAfter } from './transitions.js';

/** When merchants are told that an approval is about to end, the nearest first. */
export const noticeDays = [7, 30] as const;

/** A level can be renewed from the first notice on. */
const renewalDays = Math.max(...noticeDays);
const dayMs = 86_400_000;

export function renewableFrom({ expiresAt }: KycCase): Date | undefined {
  return expiresAt && new Date(expiresAt.getTime() - renewalDays * dayMs);
}

export function isRenewable(kycCase: KycCase, now: Date): boolean {
  const from = renewableFrom(kycCase);
  return kycCase.state === 'APPROVED' && from !== undefined && from <= now;
}

export function isExpired({ state, expiresAt }: KycCase, now: Date): boolean {
  return state === 'APPROVED' && expiresAt !== undefined && expiresAt <= now;
}

/** A rejected renewal is over, but is still shown. */
export function isUnderWay(renewal: Renewal | undefined): renewal is Renewal {
  return renewal !== undefined && renewal.state !== 'REJECTED';
}

export interface StatesAfter {
  readonly isRenewal: boolean;
  readonly state: CaseState;
  readonly renewal: RenewalState | undefined;
}

/** Returns undefined when the table does not allow the transition. */
export function statesAfter(
  kycCase: Pick<KycCase, 'state' | 'renewal'>,
  move: CaseTransition,
): StatesAfter | undefined {
  const { state, renewal } = kycCase;
  const isRenewal = concernsRenewal(kycCase, move);
  const to = stateAfter(isRenewal ? (renewal?.state ?? null) : state, move);
  if (to === undefined) return undefined;
  if (!isRenewal) return { isRenewal, state: to, renewal: move === 'expire' ? renewal?.state : undefined };
  return isRenewalState(to) ? { isRenewal, state, renewal: to } : { isRenewal, state: to, renewal: undefined };
}

/** While a renewal is under way, all transitions are its own except those that end the approval. */
function concernsRenewal({ state, renewal }: Pick<KycCase, 'state' | 'renewal'>, move: CaseTransition): boolean {
  if (isUnderWay(renewal)) return move !== 'expire' && move !== 'revoke' && move !== 'identity_changed';
  return state === 'APPROVED' && move === (renewal ? 'reopen' : 'open');
}

function isRenewalState(state: CaseState): state is RenewalState {
  return (renewalStates as readonly CaseState[]).includes(state);
}
