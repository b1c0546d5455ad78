/** SQL on attempts that leave in a file with others. */
import { statement, type Transaction } from '../../postgres/statement.js';
import type { AttemptRef, SentMessage } from '../attempt.js';

/** The version is the one that was checked: what was withdrawn since has another. */
const startSending = statement(
  'batched-store.start-sending',
  `UPDATE payout_attempts
      SET state = 'SENDING', version = version + 1, asked = 0, due_at = NULL, leased_until = NULL, lease_holder = NULL,
          changed_at = date_trunc('milliseconds', statement_timestamp()), message_id = $messageId, message_at = $messageAt
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND version = $version AND state = 'READY'
   RETURNING attempt_id`,
).rows<{ attempt_id: string }>();
const findMessage = statement(
  'batched-store.find-message',
  'SELECT message_id FROM payout_attempts WHERE merchant_id = $merchantId AND attempt_id = $attemptId',
).rows<{ message_id: string | null }>();
const lookAgain = statement(
  'batched-store.look-again',
  `UPDATE payout_attempts SET leased_until = NULL, lease_holder = NULL,
          due_at = statement_timestamp() + make_interval(secs => $inSeconds::float8)
    WHERE merchant_id = $merchantId AND attempt_id = $attemptId AND state = 'READY'`,
);

export interface CheckedAttempt extends AttemptRef {
  readonly version: number;
}

/**
 * The attempt leaves in this message. Returns false when it was changed since it was checked, unless it leaves in this
 * message already.
 */
export async function sendInMessage(
  tx: Transaction,
  { merchantId, attemptId, version }: CheckedAttempt,
  { messageId, createdAt: messageAt }: SentMessage,
): Promise<boolean> {
  const values = { merchantId, attemptId, version, messageId, messageAt };
  if ((await tx.query(startSending, values)).length > 0) return true;
  const [row] = await tx.query(findMessage, { merchantId, attemptId });
  return row?.message_id === messageId;
}

/** When a payment that has not left is looked at again. */
export async function lookAgainIn(tx: Transaction, ref: AttemptRef, inSeconds: number): Promise<void> {
  await tx.query(lookAgain, { merchantId: ref.merchantId, attemptId: ref.attemptId, inSeconds });
}
