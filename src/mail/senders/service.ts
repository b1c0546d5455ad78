/** The verbs of mails to senders: note what is to be told, and forget it with the user. */
import type { MerchantId, UserId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';
import type { NewsOfOrder } from './sender-mail.js';
import * as store from './sender-mail-store.js';

export const tellSendersJob = 'mail.tell-senders';

/** In the transaction of the change that it tells of. Nothing happens unless the merchant wants mails. */
export async function noteForSender(tx: Transaction, news: NewsOfOrder): Promise<void> {
  if (await store.addSenderMail(tx, news)) tx.wake(tellSendersJob);
}

/** When the user is erased. */
export function forgetMailsOf(tx: Transaction, merchantId: MerchantId, userId: UserId): Promise<void> {
  return store.deleteSenderMailsOf(tx, merchantId, userId);
}
