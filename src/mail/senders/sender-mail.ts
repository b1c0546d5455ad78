/**
 * Owns the mails to senders, for merchants who want them: what there is to tell of an order, and whether it was told.
 * Does not own their text, nor the address: both are made when a mail is sent, and neither is stored.
 */
import type { MerchantId, UserId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';

export const senderNews = ['paid', 'answer', 'sent', 'collect', 'arrived', 'refunded'] as const;
export type SenderNews = (typeof senderNews)[number];

export interface NewsOfOrder {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
  readonly orderId: string;
  readonly news: SenderNews;
  /** Which time something is asked. Everything else is told once, so it is 0. */
  readonly asked: number;
}

/** What a sender gets. Its subject says nothing personal. */
export interface ComposedMail {
  readonly to: string;
  readonly locale: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly fromName: string;
  readonly replyTo: string | undefined;
}

/** Makes the mail of the moment. Undefined: nothing is to be told any more, or nobody is there to be told. */
export type ComposeMail = (tx: Transaction, news: NewsOfOrder) => Promise<ComposedMail | undefined>;
