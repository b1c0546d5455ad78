/** Builds the mail room. Without a transport nothing is written and nothing is sent. */
import Type from 'typebox';
import { type Route, read } from '../http/route.js';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { doEach } from '../worker/claim.js';
import type { Job } from '../worker/worker.js';
import { type MailTransport, nextTrySeconds, reasonOf } from './mail.js';
import { senderMailJobs } from './senders/jobs.js';
import type { ComposeMail } from './senders/sender-mail.js';
import { sendMailJob } from './service.js';
import * as store from './store.js';

/** Longer than a transport may take. */
const leaseSeconds = 120;
const atOnce = 8;
const shownAtMost = 100;

export interface MailRoomOptions {
  readonly database: Database;
  readonly log: Log;
  readonly transport: MailTransport | undefined;
  /** Whether nothing may leave this instance now. */
  readonly isSendingHeld: () => Promise<boolean>;
  /** Writes a mail to a sender when it is sent. */
  readonly composeForSender: ComposeMail;
}

export function mailRoom({ database, log, transport, isSendingHeld, composeForSender: compose }: MailRoomOptions) {
  const sweep: Job = {
    name: 'mail.sweep',
    everySeconds: 3600,
    run: () => database.transaction((tx) => store.deleteOldMails(tx)),
  };
  const send: Job[] = transport
    ? [
        {
          name: sendMailJob,
          everySeconds: 30,
          oldestDueSeconds: () => store.oldestDueSeconds(database),
          run: async () => ((await isSendingHeld()) ? 0 : sendDue({ database, log, transport })),
        },
      ]
    : [];
  const tell = senderMailJobs({ database, log, transport, isSendingHeld, compose });
  return { routes: [listRoute()], jobs: [...send, sweep, ...tell], close: async () => transport?.close() };
}

interface Sending {
  readonly database: Database;
  readonly log: Log;
  readonly transport: MailTransport;
}

async function sendDue({ database, log, transport }: Sending): Promise<number> {
  const mails = await database.transaction((tx) => store.claimMails(tx, atOnce, leaseSeconds));
  const done = await doEach(mails, (mail) => transport.send(mail));
  for (const { row: mail, ...outcome } of done) {
    const error = 'error' in outcome ? outcome.error : undefined;
    if (error === undefined) {
      await database.transaction((tx) => store.noteSent(tx, mail));
      continue;
    }
    const again = nextTrySeconds(mail.attempts);
    log.warn({ mailId: mail.mailId, attempts: mail.attempts, err: error }, 'a mail was not sent');
    await database.transaction((tx) => store.noteFailure(tx, mail, reasonOf(error), again));
  }
  return mails.length;
}

const MailShape = Type.Object(
  {
    mailId: Type.String({ description: 'The id of the mail.' }),
    subject: Type.String({ description: 'Its subject.' }),
    content: Type.String({ description: 'Its text.' }),
    state: Type.Enum(['pending', 'sent', 'failed'], { description: '`failed`: it was not accepted for a day.' }),
    attempts: Type.Integer({ description: 'How often it was tried.' }),
    lastError: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
    createdAt: Type.String({ format: 'date-time', description: 'When it was written.' }),
    sentAt: Type.Optional(Type.String({ format: 'date-time', description: 'When the mail server accepted it.' })),
  },
  {
    title: 'Mail',
    examples: [
      {
        mailId: '7d9f2a34-54f5-4a0e-9f2c-3b1d5a8c9e10',
        subject: 'Remesa: 2 tasks wait for you',
        content: 'approval: an operator asks for corridor.save',
        state: 'sent',
        attempts: 1,
        createdAt: '2026-11-15T09:30:00.000Z',
        sentAt: '2026-11-15T09:30:02.000Z',
      },
    ],
  },
);

function listRoute(): Route {
  return read({
    method: 'GET',
    path: '/operator/mails',
    operationId: 'listMails',
    summary: 'List the mails that operators were sent',
    description: 'The newest hundred of the last 30 days. Nothing in them is personal.',
    tag: 'Tasks for operators',
    access: { token: 'operator', role: 'viewer' },
    returns: 'The mails, the newest first.',
    answer: Type.Array(MailShape),
    async run(_call, database) {
      const mails = await store.listMails(database, shownAtMost);
      return mails.map(({ createdAt, sentAt, lastError, state, ...mail }) => ({
        ...mail,
        state: state as 'pending',
        createdAt: createdAt.toISOString(),
        ...(lastError !== undefined && { lastError }),
        ...(sentAt && { sentAt: sentAt.toISOString() }),
      }));
    },
  });
}
