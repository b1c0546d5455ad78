/**
 * Owns mails to operators: it keeps them until they are sent, and sends each once. Does not own what they tell of: the
 * rooms write their mails in the transaction of what happened. Mails to senders are in `senders/`.
 */
export interface NewMail {
  /** Nothing personal, and no amounts. */
  readonly subject: string;
  readonly content: string;
}

export interface Mail extends NewMail {
  readonly mailId: string;
  readonly createdAt: Date;
  /** Absent: it is for the operators. */
  readonly toSender?: Addressed | undefined;
}

/** A mail to one person, in the name of a merchant. */
export interface Addressed {
  readonly to: string;
  readonly html: string;
  readonly fromName: string;
  readonly replyTo: string | undefined;
}

/** What carries mails away. Throws when a mail was not accepted. */
export interface MailTransport {
  readonly send: (mail: Mail) => Promise<void>;
  readonly close: () => void;
}

/** After these pauses it is tried again; after the last one it has failed. */
const pausesSeconds = [60, 300, 1800, 7200, 21_600, 43_200] as const;

/** Undefined when it is not tried again. `attempts` counts the one that failed. */
export function nextTrySeconds(attempts: number): number | undefined {
  return pausesSeconds[attempts - 1];
}

/** Why a mail was not accepted, without what the mail server has said: that may quote an address. */
export function reasonOf(error: unknown): string {
  const { code, responseCode, name } = error as { code?: string; responseCode?: number; name?: string };
  return [code ?? name, responseCode].filter(Boolean).join(' ').slice(0, 500);
}
