/** Builds the room of the pages that senders follow their transfers on. */

import type { BeneficiaryService } from '../beneficiaries/service.js';
import type { InspectUpload } from '../documents/inspect.js';
import type { Route } from '../http/route.js';
import type { ComposeMail } from '../mail/senders/sender-mail.js';
import type { OrderService } from '../orders/api/service.js';
import type { OrderDocuments } from '../orders/documents/service.js';
import type { InformationService } from '../orders/information/service.js';
import type { ReceiptService } from '../orders/receipt/service.js';
import type { PayoutService } from '../payouts/service.js';
import type { Database } from '../postgres/database.js';
import type { UserService } from '../users/service.js';
import { sweepByMerchant } from '../worker/by-merchant.js';
import type { Job } from '../worker/worker.js';
import { invitationSweep } from './invitations/invitation-store.js';
import { invitationRoutes } from './invitations/routes.js';
import { InvitationService } from './invitations/service.js';
import { linkSweep } from './links/link-store.js';
import { transferLinkRoutes } from './links/routes.js';
import { LinkService } from './links/service.js';
import { TransferWatch } from './live/watch.js';
import { composeMail } from './mails/compose.js';
import { recipientRoutes } from './recipient-routes.js';
import { transferPageRoutes } from './routes.js';
import { SenderActs } from './sender-acts.js';
import { TransferService } from './service.js';

export interface TransferPageRoomOptions {
  readonly database: Database;
  readonly users: { readonly service: UserService };
  readonly orders: {
    readonly service: OrderService;
    readonly receipts: ReceiptService;
    readonly information: InformationService;
    readonly documents: OrderDocuments;
  };
  readonly beneficiaries: { readonly service: BeneficiaryService };
  readonly payouts: { readonly service: PayoutService };
  readonly documents: { readonly inspect: InspectUpload };
  readonly baseUrl: () => string;
  readonly mode: 'sandbox' | 'live';
}

export interface TransferPageRoom {
  /** Both for the room of users. */
  readonly links: LinkService;
  readonly invitations: InvitationService;
  /** For the room of mails. */
  readonly composeMail: ComposeMail;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

export function transferPageRoom({
  database,
  users,
  beneficiaries,
  orders,
  payouts,
  documents,
  baseUrl,
  mode,
}: TransferPageRoomOptions): TransferPageRoom {
  const links = new LinkService();
  const watch = new TransferWatch({ database, links });
  const transfers = new TransferService({ links, users: users.service, payouts: payouts.service });
  const acts = new SenderActs({
    users: users.service,
    orders: orders.service,
    information: orders.information,
    documents: orders.documents,
    payouts: payouts.service,
    inspect: documents.inspect,
  });
  const invitations = new InvitationService({ users: users.service, beneficiaries: beneficiaries.service });
  return {
    links,
    invitations,
    composeMail: (tx, news) => composeMail({ links, users: users.service, baseUrl }, tx, news),
    routes: [
      ...invitationRoutes({ invitations, baseUrl }),
      ...recipientRoutes(invitations),
      ...transferLinkRoutes({ links, baseUrl, isSandbox: mode === 'sandbox' }),
      ...transferPageRoutes({ transfers, receipts: orders.receipts, acts, watch }),
    ],
    jobs: [
      {
        name: 'transfer-pages.sweep-links',
        everySeconds: 3600,
        run: (signal) => sweepByMerchant(database, linkSweep(1000), signal),
      },
      {
        name: 'transfer-pages.sweep-invitations',
        everySeconds: 3600,
        run: (signal) => sweepByMerchant(database, invitationSweep(1000), signal),
      },
    ],
    close: async () => watch.stop(),
  };
}
