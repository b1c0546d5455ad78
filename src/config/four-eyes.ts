/** Reads the setting FOUR_EYES: `all`, `off`, or the names of actions. */
import { type ApprovalAction, approvalActions } from '../approval.js';

export interface FourEyes {
  readonly actions: ReadonlySet<ApprovalAction>;
  /** What the mode has when nothing is set: nothing in a sandbox, which one person tries out; everything in live. */
  readonly usual: ReadonlySet<ApprovalAction>;
}

const everything: ReadonlySet<ApprovalAction> = new Set(approvalActions);
const nothing: ReadonlySet<ApprovalAction> = new Set();

export function readFourEyes(text: string, mode: 'sandbox' | 'live'): FourEyes & { faults: string[] } {
  const usual = mode === 'live' ? everything : nothing;
  const written = text.trim();
  if (written === '') return { actions: usual, usual, faults: [] };
  if (written === 'all') return { actions: everything, usual, faults: [] };
  if (written === 'off') return { actions: nothing, usual, faults: [] };
  const names = written.split(',').map((name) => name.trim());
  const actions = new Set(approvalActions.filter((action) => names.includes(action)));
  const unknown = names.filter((name) => !approvalActions.some((action) => action === name));
  const choices = `all, off, or a list of ${approvalActions.join(', ')}`;
  return { actions, usual, faults: unknown.map((name) => `must be ${choices}, not ${JSON.stringify(name)}`) };
}
