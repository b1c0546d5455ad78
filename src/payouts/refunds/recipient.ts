/** Whose account a refund goes to, as its sealed instruction says. */
import type { RefundRecipient } from '../../orders/order/ports.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Attempt } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { Instruction } from '../rail.js';
import { openContent } from '../sealed.js';
import { findContent } from '../store.js';

/**
 * Undefined where no account is known, for the refund account of an order, which the order itself has, and after the
 * user's retained key was destroyed. Throws `BrokenSeal`.
 */
export async function recipientOf(
  database: Queryable,
  keys: Pick<AttemptKeys, 'of'>,
  attempt: Attempt,
): Promise<RefundRecipient | undefined> {
  const key = await keys.of(database, attempt);
  return key && accountIn(instructionIn(key, attempt, await findContent(database, attempt)));
}

/** Throws `BrokenSeal`. */
export function instructionIn(key: Buffer, attempt: Attempt, sealed: Buffer): Instruction {
  return JSON.parse(openContent(key, attempt, sealed).toString()) as Instruction;
}

export function accountIn({ recipient }: Pick<Instruction, 'recipient'>): RefundRecipient | undefined {
  if (!recipient || 'method' in recipient || recipient.account === null) return undefined;
  const { name, account } = recipient;
  return { name, account };
}
