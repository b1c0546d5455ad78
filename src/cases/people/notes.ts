/** What operators note about a user. It may name people, so it is sealed under the retained key of the user. */
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { userNotFound } from '../../errors.js';
import { bindingOf, open, seal } from '../../keys/sealing.js';
import { loginsOf } from '../../operators/service.js';
import type { Account } from '../../persons/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { addUserNote, listUserNotes } from './note-store.js';

export interface UserNote {
  readonly note: string;
  /** The login of the operator. */
  readonly by: string;
  readonly at: Date;
}

type Users = Pick<UserService, 'lock' | 'retainedKey'>;

/** Throws `user_not_found`, also after nothing of the user is kept any more. */
export async function writeUserNote(
  tx: Transaction,
  by: By,
  users: Users,
  account: Account,
  note: string,
): Promise<void> {
  const { merchantId, userId } = account;
  await users.lock(tx, merchantId, userId);
  const key = await users.retainedKey(tx, merchantId, userId);
  if (!key) throw userNotFound();
  const number = ((await listUserNotes(tx, account)).at(-1)?.number ?? 0) + 1;
  const sealedNote = seal(key, Buffer.from(note), placeOf(account, number));
  await addUserNote(tx, account, { number, sealedNote, writtenBy: operatorOf(by) });
  await recordChange(tx, by, { merchantId, action: 'user.note_written', subject: `user:${userId}` });
}

/** The oldest first; none after nothing of the user is kept any more. Whoever reads them is audited. */
export async function readUserNotes(tx: Transaction, users: Users, account: Account): Promise<UserNote[]> {
  const key = await users.retainedKey(tx, account.merchantId, account.userId);
  if (!key) return [];
  const logins = await loginsOf(tx);
  return (await listUserNotes(tx, account)).map(({ number, sealedNote, writtenBy, writtenAt }) => ({
    note: open(key, sealedNote, placeOf(account, number)).toString(),
    by: logins.get(writtenBy) ?? String(writtenBy),
    at: writtenAt,
  }));
}

function placeOf({ merchantId, userId }: Account, number: number): string {
  return bindingOf('user_notes', 'sealed_note', merchantId, userId, number);
}
