/** Makes the message to a rail from what was stored before the rail was asked. */
import type { Database } from '../../postgres/database.js';
import type { UserService } from '../../users/service.js';
import type { Attempt } from '../attempt.js';
import type { Batch, Payment } from '../rail.js';
import { openContent } from '../sealed.js';
import { listContentsOfMessage } from '../store.js';

/** The message of these attempts, as it was when it was first sent. Undefined when the key of a user was destroyed. */
export async function batchOf(
  { database, users }: { readonly database: Database; readonly users: UserService },
  [first]: readonly Attempt[],
): Promise<Batch | undefined> {
  if (!first?.message) throw new Error('a message is sent without its id');
  const { messageId, createdAt } = first.message;
  const contents = await listContentsOfMessage(database, first.merchantId, messageId);
  const userIds = [...new Set(contents.map(({ attempt }) => attempt.userId))];
  const sealedUsers = await users.list(database, first.merchantId, userIds);
  const payments: Payment[] = [];
  for (const { attempt, sealedContent } of contents) {
    const sealedUser = sealedUsers.get(attempt.userId);
    const retainedKey = sealedUser && users.openKey(sealedUser);
    if (!retainedKey) return undefined;
    payments.push({
      reference: attempt.reference,
      content: openContent(retainedKey, attempt, sealedContent),
    });
  }
  return { messageId, createdAt, payments };
}
