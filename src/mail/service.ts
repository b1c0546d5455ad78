/** The verb of the mail room: write a mail. */
import type { Transaction } from '../postgres/statement.js';
import type { NewMail } from './mail.js';
import { addMail } from './store.js';

export const sendMailJob = 'mail.send';

/** Writes it in the transaction of what it tells of, so that neither exists without the other. */
export async function writeMail(tx: Transaction, mail: NewMail): Promise<void> {
  await addMail(tx, mail);
  tx.wake(sendMailJob);
}
