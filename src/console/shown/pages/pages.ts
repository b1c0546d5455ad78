/** The screens that show more than the plain fields of their record, each in a file of its own. */
import { ApprovalPage } from './approval.js';
import { HitPage } from './hit.js';
import { KycCasePage, kycFacts } from './kyc-case.js';
import { MerchantPage, merchantFields } from './merchant.js';
import { OrderPage, orderFields } from './order.js';
import type { ShownPage } from './page.js';
import { PayoutPage, payoutFields } from './payout.js';
import { PayoutsPage } from './payouts.js';
import { PersonPage, personFields } from './person.js';
import { RatesPage } from './rates.js';
import { SandboxPage, sandboxFields } from './sandbox.js';
import { WorkPage } from './work.js';

const pages: Readonly<Record<string, ShownPage>> = {
  listTasks: { Page: WorkPage, fields: [] },
  getOperatorOrder: { Page: OrderPage, fields: orderFields },
  getPerson: { Page: PersonPage, fields: personFields, placesActions: true },
  getKycCaseFile: {
    Page: KycCasePage,
    fields: ['documents', 'checks', 'answers', 'comparison', 'hits', 'decisions', 'parts', 'history', ...kycFacts],
    placesActions: true,
  },
  getApproval: { Page: ApprovalPage, fields: ['request', 'changes', 'requestedBy', 'requestedAt', 'note', 'action'] },
  getScreeningHit: { Page: HitPage, fields: ['explanation', 'score', 'state'] },
  listPayouts: { Page: PayoutsPage, fields: [] },
  getPayout: { Page: PayoutPage, fields: payoutFields, placesActions: true },
  getMerchant: { Page: MerchantPage, fields: merchantFields },
  getSandboxTools: { Page: SandboxPage, fields: sandboxFields, placesActions: true },
  getRateBoard: { Page: RatesPage, fields: ['sources', 'held', 'heldCorridors'] },
};

export function pageOf(operationId: string): ShownPage | undefined {
  return pages[operationId];
}
