/** The screens that show more than the plain fields of their record, each in a file of its own. */
import { ApprovalPage } from './approval.js';
import { HitPage } from './hit.js';
import { KycCasePage } from './kyc-case.js';
import { OrderPage } from './order.js';
import type { ShownPage } from './page.js';
import { RatesPage } from './rates.js';
import { WorkPage } from './work.js';

const pages: Readonly<Record<string, ShownPage>> = {
  listTasks: { Page: WorkPage, fields: [] },
  getOperatorOrder: { Page: OrderPage, fields: ['timeline'] },
  getKycCaseFile: { Page: KycCasePage, fields: ['documents', 'checks'] },
  getApproval: { Page: ApprovalPage, fields: ['request', 'changes', 'requestedBy', 'requestedAt', 'note', 'action'] },
  getScreeningHit: { Page: HitPage, fields: ['explanation'] },
  getRateBoard: { Page: RatesPage, fields: ['sources', 'held', 'heldCorridors'] },
};

export function pageOf(operationId: string): ShownPage | undefined {
  return pages[operationId];
}
