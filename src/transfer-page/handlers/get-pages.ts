/** The GET pages of a transfer. They write nothing, so a prefetched link loses nothing. */
import type { PageAnswer, Visit } from '../../http/page.js';
import { receiptHeaders, receiptPage } from '../../orders/receipt/page/receipt-page.js';
import type { ReceiptService } from '../../orders/receipt/service.js';
import type { Queryable } from '../../postgres/statement.js';
import { addressOf, pageContextOf } from '../pages/page-context.js';
import { cancelPage, recipientPage } from '../pages/small-pages.js';
import { transferPage } from '../pages/transfer-page.js';
import type { SenderActs } from '../sender-acts.js';
import type { OpenTransfer, TransferService } from '../service.js';
import { allowsCorrection } from '../stage.js';
import { showClosed } from './show-closed.js';

export interface GetPagesOptions {
  readonly transfers: TransferService;
  readonly receipts: ReceiptService;
  readonly acts: SenderActs;
}

export class GetPages {
  readonly #options: GetPagesOptions;

  constructor(options: GetPagesOptions) {
    this.#options = options;
  }

  async transfer(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const transfer = await this.#options.transfers.open(database, token);
    if (transfer.kind !== 'open') return showClosed(visit, transfer);
    // The script asks whether the page that it shows is still the newest.
    if (visit.search.seen === String(transfer.view.version)) return { status: 204 };
    const details = await this.#options.transfers.details(database, transfer);
    const hasChanged = visit.search.changed === 'yes';
    return transferPage(pageContextOf(visit, transfer, token), { transfer, details, token, hasChanged });
  }

  /** Back to the transfer once it can no longer be cancelled. */
  async cancel(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const transfer = await this.#options.transfers.open(database, token);
    if (transfer.kind !== 'open') return showClosed(visit, transfer);
    const context = pageContextOf(visit, transfer, `${token}/cancel`);
    if (transfer.view.cancellable === 'no') return redirect(addressOf(context, token));
    return cancelPage(context, { transfer, token });
  }

  /** Back to the transfer once its recipient can no longer be changed. */
  async recipient(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const { transfers, acts } = this.#options;
    const transfer = await transfers.open(database, token);
    if (transfer.kind !== 'open') return showClosed(visit, transfer);
    const context = pageContextOf(visit, transfer, `${token}/recipient`);
    const recipient = allowsCorrection(transfer.view) ? await acts.recipient(database, transfer) : undefined;
    if (!recipient) return redirect(addressOf(context, token));
    const form = { ...recipient, entered: {}, faults: [], keepsEmpty: true };
    return recipientPage(context, { transfer, token, form });
  }

  /** Back to the transfer while it has no receipt. */
  async receipt(visit: Visit, database: Queryable, token: string): Promise<PageAnswer> {
    const { transfers, receipts } = this.#options;
    const transfer = await transfers.open(database, token);
    if (transfer.kind !== 'open') return showClosed(visit, transfer);
    const context = pageContextOf(visit, transfer, `${token}/receipt`);
    if (!(await this.#hasReceipt(database, transfer))) return redirect(addressOf(context, token));
    const receipt = await receipts.issue(database, transfer.scope, transfer.order.orderId);
    const { html, style } = receiptPage(receipt, context.texts.locale);
    return { html, headers: receiptHeaders(style) };
  }

  async #hasReceipt(database: Queryable, transfer: OpenTransfer): Promise<boolean> {
    return (await this.#options.transfers.details(database, transfer)).paidAt !== undefined;
  }
}

function redirect(location: string): PageAnswer {
  return { status: 303, headers: { location } };
}
