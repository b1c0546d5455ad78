/** Makes the message to a rail from what was stored before the rail was asked. */
import type { Database } from '../../postgres/database.js';
import type { Attempt } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import type { Batch, Payment } from '../rail.js';
import { openContent } from '../sealed.js';
import { listContentsOfMessage } from '../store.js';

/** The message of these attempts, as it was when it was first sent. Undefined when the key of a user was destroyed. */
export async function batchOf(
  { database, keys }: { readonly database: Database; readonly keys: AttemptKeys },
  [first]: readonly Attempt[],
): Promise<Batch | undefined> {
  if (!first?.message) throw new Error('a message is sent without its id');
  const { messageId, createdAt } = first.message;
  const contents = await listContentsOfMessage(database, first.merchantId, messageId);
  const opened = await keys.list(
    database,
    contents.map(({ attempt }) => attempt),
  );
  const payments: Payment[] = [];
  for (const { attempt, sealedContent } of contents) {
    const key = opened.get(attempt.attemptId);
    if (!key) return undefined;
    payments.push({ reference: attempt.reference, content: openContent(key, attempt, sealedContent) });
  }
  return { messageId, createdAt, payments };
}
