/** Builds the room of the pages that senders follow their transfers on. */
import type { Route } from '../http/route.js';
import type { ReceiptService } from '../orders/receipt/service.js';
import type { Database } from '../postgres/database.js';
import type { UserService } from '../users/service.js';
import { sweepByMerchant } from '../worker/by-merchant.js';
import type { Job } from '../worker/worker.js';
import { linkSweep } from './links/link-store.js';
import { transferLinkRoutes } from './links/routes.js';
import { LinkService } from './links/service.js';
import { TransferWatch } from './live/watch.js';
import { transferPageRoutes } from './routes.js';
import { TransferService } from './service.js';

export interface TransferPageRoomOptions {
  readonly database: Database;
  readonly users: { readonly service: UserService };
  readonly orders: { readonly receipts: ReceiptService };
  readonly baseUrl: () => string;
  readonly mode: 'sandbox' | 'live';
}

export interface TransferPageRoom {
  /** For the room of users. */
  readonly links: LinkService;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

export function transferPageRoom({
  database,
  users,
  orders,
  baseUrl,
  mode,
}: TransferPageRoomOptions): TransferPageRoom {
  const links = new LinkService();
  const watch = new TransferWatch({ database, links });
  const transfers = new TransferService({ links, users: users.service });
  return {
    links,
    routes: [
      ...transferLinkRoutes({ links, baseUrl, isSandbox: mode === 'sandbox' }),
      ...transferPageRoutes({ transfers, receipts: orders.receipts, watch }),
    ],
    jobs: [
      {
        name: 'transfer-pages.sweep-links',
        everySeconds: 3600,
        run: (signal) => sweepByMerchant(database, linkSweep(1000), signal),
      },
    ],
    close: async () => watch.stop(),
  };
}
