/** What senders do on the page of their transfer. Each act is the verb of the API, called as the user of the order. */
import { beneficiaryFaults } from '../../beneficiaries/validation.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import type { PageAnswer, Posted } from '../../http/page.js';
import { FixedWindows, rateLimited } from '../../http/traffic/fixed-windows.js';
import { requoteAnswers } from '../../orders/order/requirement.js';
import type { Transaction } from '../../postgres/statement.js';
import { addressOf, pageContextOf } from '../pages/page-context.js';
import { bodyOf, type Entered, type RecipientForm } from '../pages/recipient-fields.js';
import { codePage, recipientPage } from '../pages/small-pages.js';
import { transferPage } from '../pages/transfer-page.js';
import type { SenderActs } from '../sender-acts.js';
import type { OpenTransfer, TransferService } from '../service.js';
import { answersOf, receiveDocument } from './posted-answers.js';
import { showClosed } from './show-closed.js';

export interface PostPagesOptions {
  readonly transfers: TransferService;
  readonly acts: SenderActs;
}

/** The post of a page, with the id that the log of changes has of its request. */
export type PostedBySender = Posted & { readonly requestId: string };

/** People stay far below this. */
const postsOfOneLink = { name: 'transfer posts', requests: 30, windowSeconds: 60 } as const;

type Act = (transfer: OpenTransfer, by: By) => Promise<PageAnswer>;

export class PostPages {
  readonly #options: PostPagesOptions;
  readonly #posts = new FixedWindows(postsOfOneLink.requests, postsOfOneLink.windowSeconds);

  constructor(options: PostPagesOptions) {
    this.#options = options;
  }

  cancel(posted: PostedBySender, token: string): Promise<PageAnswer> {
    return this.#act(posted, token, async (transfer, by) => {
      await posted.readForm(async () => undefined);
      return this.#change(posted, token, transfer, (tx) => this.#options.acts.cancel(tx, by, transfer));
    });
  }

  /** The terms that were shown are accepted or refused, not those that may have replaced them. */
  requote(posted: PostedBySender, token: string): Promise<PageAnswer> {
    return this.#act(posted, token, async (transfer, by) => {
      const { fields } = await posted.readForm(async () => undefined);
      const answer = requoteAnswers.find((known) => known === fields.get('answer'));
      if (!answer) return this.#toPage(posted, token, transfer);
      const version = Number(fields.get('version'));
      return this.#change(posted, token, transfer, (tx) =>
        this.#options.acts.choose(tx, by, transfer, { answer, version }),
      );
    });
  }

  answers(posted: PostedBySender, token: string): Promise<PageAnswer> {
    return this.#act(posted, token, async (transfer, by) => {
      const { acts, transfers } = this.#options;
      const { requirements } = transfer.view;
      const { fields, files } = await posted.readForm((file) => receiveDocument(acts, transfer, file));
      const { answers, refused } = answersOf(requirements, fields, files);
      if (answers.length > 0) {
        const saved = await this.#change(posted, token, transfer, (tx) => acts.answer(tx, by, transfer, answers));
        if (Object.keys(refused.faults).length === 0) return saved;
      }
      const now = await transfers.open(posted.database, token);
      if (now.kind !== 'open') return showClosed(posted, now);
      const details = await transfers.details(posted.database, now);
      return transferPage(pageContextOf(posted, now, token), { transfer: now, details, token, refused });
    });
  }

  recipient(posted: PostedBySender, token: string): Promise<PageAnswer> {
    return this.#act(posted, token, async (transfer, by) => {
      const { acts, transfers } = this.#options;
      const { fields } = await posted.readForm(async () => undefined);
      const now = await transfers.open(posted.database, token);
      if (now.kind !== 'open') return showClosed(posted, now);
      const before = await acts.recipient(posted.database, transfer);
      if (!before) return this.#toPage(posted, token, transfer, 'changed');
      const entered: Entered = Object.fromEntries(fields);
      const beneficiary = bodyOf(before, { ...before.values, ...withoutEmpty(entered) });
      const faults = beneficiaryFaults(beneficiary);
      if (faults.length === 0)
        return this.#change(posted, token, transfer, (tx) => acts.correct(tx, by, transfer, beneficiary));
      const { destination, type } = before;
      const form: RecipientForm = { destination, type, entered, faults, keepsEmpty: true };
      return recipientPage(pageContextOf(posted, transfer, `${token}/recipient`), { transfer, token, form });
    });
  }

  /** Recorded, because whoever sees the code can collect the cash. */
  code(posted: PostedBySender, token: string): Promise<PageAnswer> {
    return this.#act(posted, token, async (transfer, by) => {
      await posted.readForm(async () => undefined);
      return this.#whileOpen(posted, token, async () => {
        const code = await this.#changeHeld(posted, transfer, (tx) => this.#options.acts.showCode(tx, by, transfer));
        return codePage(pageContextOf(posted, transfer, undefined), token, code);
      });
    });
  }

  /** Finds out before the body is read whether the link works. It is found out again in the transaction of the act. */
  async #act(posted: PostedBySender, token: string, act: Act): Promise<PageAnswer> {
    const transfer = await this.#options.transfers.open(posted.database, token);
    if (transfer.kind !== 'open') return showClosed(posted, transfer);
    const { merchantId, linkId, userId } = transfer.link;
    const { left, resetSeconds } = this.#posts.count(linkId);
    if (left < 0) throw rateLimited(postsOfOneLink, resetSeconds);
    const scopes = new Set(['orders'] as const);
    return act(transfer, { actor: { kind: 'user', merchantId, userId, scopes }, requestId: posted.requestId });
  }

  /** Leads to the page, which shows how the transfer stands now, also when the act is no longer possible. */
  #change(
    posted: PostedBySender,
    token: string,
    transfer: OpenTransfer,
    verb: (tx: Transaction) => Promise<unknown>,
  ): Promise<PageAnswer> {
    return this.#whileOpen(posted, token, async () => {
      try {
        await this.#changeHeld(posted, transfer, verb);
        return this.#toPage(posted, token, transfer);
      } catch (error) {
        if (error instanceof RemesaError && isTooLate(error)) return this.#toPage(posted, token, transfer, 'changed');
        throw error;
      }
    });
  }

  /** A body may take minutes to arrive, and the link may be withdrawn meanwhile: then nothing is done. */
  #changeHeld<Result>(
    posted: PostedBySender,
    transfer: OpenTransfer,
    verb: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return posted.change(async (tx) => {
      if (!(await this.#options.transfers.hold(tx, transfer))) throw new LinkEnded();
      return verb(tx);
    });
  }

  async #whileOpen(posted: PostedBySender, token: string, act: () => Promise<PageAnswer>): Promise<PageAnswer> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LinkEnded)) throw error;
      const now = await this.#options.transfers.open(posted.database, token);
      return now.kind === 'open' ? this.#toPage(posted, token, now, 'changed') : showClosed(posted, now);
    }
  }

  #toPage(posted: PostedBySender, token: string, transfer: OpenTransfer, note?: 'changed'): PageAnswer {
    const address = addressOf(pageContextOf(posted, transfer, undefined), token);
    const separator = address.includes('?') ? '&' : '?';
    return { status: 303, headers: { location: note ? `${address}${separator}${note}=yes` : address } };
  }
}

/** The link was withdrawn, or expired, while the form was being sent. */
class LinkEnded extends Error {}

function isTooLate({ kind }: RemesaError): boolean {
  return kind === 'conflict' || kind === 'impossible';
}

function withoutEmpty(entered: Entered): Entered {
  return Object.fromEntries(Object.entries(entered).filter(([, value]) => value.trim() !== ''));
}
