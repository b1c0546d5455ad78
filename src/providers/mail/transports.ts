/** Carries mails to a mail server, or, in a sandbox without one, into files that a mail program opens. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, MailTransport } from '../../mail/mail.js';

export interface MailSettings {
  /** smtp://user:password@host:587 (STARTTLS when the server offers it) or smtps://…:465. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly mailOperators: readonly string[];
  readonly mode: 'sandbox' | 'live';
  readonly dataDirectory: string;
}

/** Undefined when nobody is to be told by mail. */
export function mailTransportOf(settings: MailSettings): MailTransport | undefined {
  const { smtpUrl, mode } = settings;
  if (smtpUrl !== undefined) return smtpTransport(smtpUrl, settings);
  return mode === 'sandbox' ? fileTransport(settings) : undefined;
}

/** A sandbox without a mail server writes mails to operators into files, also when no operator is named. */
export function tellsOperators({ smtpUrl, mode, mailOperators }: MailSettings): boolean {
  return mailOperators.length > 0 ? smtpUrl !== undefined || mode === 'sandbox' : !smtpUrl && mode === 'sandbox';
}

function smtpTransport(url: string, settings: MailSettings): MailTransport {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
  const transport = createTransport({ url, ...timeouts });
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, settings));
    },
    close: () => transport.close(),
  };
}

function fileTransport(settings: MailSettings): MailTransport {
  const folder = join(settings.dataDirectory, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail, settings));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${mail.createdAt.toISOString().replaceAll(':', '-')}-${mail.mailId}.eml`);
      await writeFile(`${file}.new`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
    close: () => transport.close(),
  };
}

/** The id is that of the mail, so a mail program shows one that was sent twice only once. */
function messageOf({ mailId, subject, content, createdAt, toSender }: Mail, settings: MailSettings) {
  const from = settings.mailFrom || 'remesa@localhost';
  const operators = settings.mailOperators.length > 0 ? [...settings.mailOperators] : ['operators@localhost'];
  return {
    from: toSender ? { name: toSender.fromName, address: from } : from,
    to: toSender ? [toSender.to] : operators,
    ...(toSender && { html: toSender.html }),
    ...(toSender?.replyTo !== undefined && { replyTo: toSender.replyTo }),
    subject,
    text: content,
    date: createdAt,
    messageId: `<${mailId}@${from.replace(/^.*@/, '').replace(/>.*$/, '')}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    // A mail contains nothing but text of ours.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
