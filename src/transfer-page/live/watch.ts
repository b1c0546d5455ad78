/**
 * Watches the orders whose pages are open, and tells each page the new version of its order. The version is the one
 * that merchants see: what they are not shown is not told either, not even that something happened. All pages of a
 * merchant are watched by two short statements, however many there are; no page asks by itself.
 */
import type { LiveFeed, LiveListener } from '../../http/traffic/live-answers.js';
import type { MerchantId } from '../../ids.js';
import { publicVersionsOf } from '../../orders/order/finding.js';
import type { Queryable } from '../../postgres/statement.js';
import type { LinkService } from '../links/service.js';
import type { OpenTransfer } from '../service.js';

export interface WatchOptions {
  readonly database: Queryable;
  readonly links: Pick<LinkService, 'open'>;
}

interface Page {
  readonly linkId: string;
  readonly orderId: string;
  readonly listener: LiveListener;
  /** The version that the page was told last. */
  version: number;
}

const lookEveryMs = 2_000;

export class TransferWatch {
  readonly #options: WatchOptions;
  readonly #pages = new Map<MerchantId, Set<Page>>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Tells at once when the browser has last seen another version, or none. */
  feedOf({ link, view }: OpenTransfer, lastEventId: string | undefined): LiveFeed {
    const { merchantId, linkId, orderId } = link;
    return {
      name: linkId,
      follow: (listener) => {
        const page = { linkId, orderId, listener, version: view.version };
        if (lastEventId !== String(view.version)) tell(page);
        this.#add(merchantId, page);
        return () => this.#remove(merchantId, page);
      },
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #add(merchantId: MerchantId, page: Page): void {
    const pages = this.#pages.get(merchantId) ?? new Set();
    this.#pages.set(merchantId, pages.add(page));
    this.#timer ??= setInterval(() => void this.#look(), lookEveryMs).unref();
  }

  #remove(merchantId: MerchantId, page: Page): void {
    const pages = this.#pages.get(merchantId);
    pages?.delete(page);
    if (pages?.size === 0) this.#pages.delete(merchantId);
    if (this.#pages.size === 0) this.stop();
  }

  /** One merchant after the other, and never twice at a time: under load the pages learn later. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // What cannot be read now is read the next time.
    for (const [merchantId, pages] of [...this.#pages]) await this.#lookAt(merchantId, [...pages]).catch(() => {});
    this.#isLooking = false;
  }

  async #lookAt(merchantId: MerchantId, pages: readonly Page[]): Promise<void> {
    const { database, links } = this.#options;
    const orderIds = [...new Set(pages.map((page) => page.orderId))];
    const linkIds = [...new Set(pages.map((page) => page.linkId))];
    const [versions, open] = await Promise.all([
      publicVersionsOf(database, merchantId, orderIds),
      links.open(database, merchantId, linkIds),
    ]);
    for (const page of pages) {
      const version = versions.get(page.orderId);
      if (version === undefined || !open.has(page.linkId)) page.listener.end();
      else if (version !== page.version) tell(Object.assign(page, { version }));
    }
  }
}

function tell({ listener, version }: Page): void {
  listener.tell({ id: String(version), data: String(version) });
}
