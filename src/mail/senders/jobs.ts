/** Sends what senders are to be told. A mail that was sent twice after a crash has the same id, so it is shown once. */
import type { MerchantId } from '../../ids.js';
import type { Log } from '../../log.js';
import type { Database } from '../../postgres/database.js';
import { sweepByMerchant } from '../../worker/by-merchant.js';
import { doEach } from '../../worker/claim.js';
import type { Job } from '../../worker/worker.js';
import { type MailTransport, nextTrySeconds, reasonOf } from '../mail.js';
import type { ComposeMail } from './sender-mail.js';
import * as store from './sender-mail-store.js';
import { tellSendersJob } from './service.js';

/** Longer than a transport may take. */
const leaseSeconds = 120;
const atOnce = 8;
const merchantsAtOnce = 50;

export interface SenderMailJobOptions {
  readonly database: Database;
  readonly log: Log;
  readonly transport: MailTransport | undefined;
  readonly isSendingHeld: () => Promise<boolean>;
  readonly compose: ComposeMail;
}

export function senderMailJobs(options: SenderMailJobOptions): Job[] {
  const { database, transport, isSendingHeld } = options;
  const sweep: Job = {
    name: 'mail.sweep-senders',
    everySeconds: 3600,
    run: (signal) => sweepByMerchant(database, store.senderMailSweep(1000), signal),
  };
  if (!transport) return [sweep];
  const tell: Job = {
    name: tellSendersJob,
    everySeconds: 30,
    oldestDueSeconds: () => store.oldestSenderMailSeconds(database),
    run: async (signal) => ((await isSendingHeld()) ? 0 : tellAll({ ...options, transport }, signal)),
  };
  return [tell, sweep];
}

type Telling = SenderMailJobOptions & { readonly transport: MailTransport };

/** A few of each merchant in turn, so that many mails of one keep no other waiting. */
async function tellAll(telling: Telling, signal: AbortSignal): Promise<number> {
  let told = 0;
  for (const merchant of await store.listMerchantsWithDueMails(telling.database, merchantsAtOnce)) {
    if (signal.aborted) return told;
    told += await tellSendersOf(telling, merchant);
  }
  return told;
}

async function tellSendersOf(telling: Telling, merchant: MerchantId): Promise<number> {
  const { database, log } = telling;
  const limits = { limit: atOnce, leaseSeconds };
  const mails = await database.transaction((tx) => store.claimSenderMails(tx, merchant, limits));
  const done = await doEach(mails, (mail) => tell(telling, mail));
  for (const { row: mail, ...outcome } of done) {
    if ('result' in outcome) {
      await database.transaction((tx) => store.noteTold(tx, mail, outcome.result));
      continue;
    }
    // What the mail server answers may contain the address.
    const reason = reasonOf(outcome.error);
    log.warn({ mailId: mail.mailId, attempts: mail.attempts, reason }, 'a mail to a sender was not sent');
    await database.transaction((tx) => store.noteNotTold(tx, mail, reason, nextTrySeconds(mail.attempts)));
  }
  return mails.length;
}

/** Returns the language of the mail; undefined when there was nothing to tell any more. */
async function tell({ database, transport, compose }: Telling, mail: store.ClaimedSenderMail) {
  const composed = await database.transaction((tx) => compose(tx, mail));
  if (!composed) return undefined;
  const { mailId, createdAt } = mail;
  const { subject, text, ...toSender } = composed;
  await transport.send({ mailId, createdAt, subject, content: text, toSender });
  return composed.locale;
}
