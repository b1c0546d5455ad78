/** The queue of operators: the cases of all merchants, page by page. */
import { getMerchant, listClientIdsOf } from '../../merchants/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { KycCase } from '../cases/case.js';
import { type CaseFilter, listQueue, type QueuePlace } from './queue-store.js';

export interface QueueRequest extends Omit<CaseFilter, 'merchantId'> {
  /** Only cases of the merchant with this client id. */
  readonly clientId: string | undefined;
  readonly after: QueuePlace | undefined;
  readonly limit: number;
}

export interface QueuedCase {
  readonly kycCase: KycCase;
  /** The client id of the merchant. */
  readonly clientId: string;
}

/** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
export async function listQueuedCases(
  database: Queryable,
  { clientId, after, limit, ...filter }: QueueRequest,
): Promise<{ cases: QueuedCase[]; next: QueuePlace | undefined }> {
  const merchantId = clientId === undefined ? undefined : (await getMerchant(database, clientId)).merchantId;
  const page = await listQueue(database, { ...filter, merchantId }, after, limit);
  const ids = [...new Set(page.cases.map((kycCase) => kycCase.merchantId))];
  const merchants = await listClientIdsOf(database, ids);
  const clientIds = new Map(merchants.map((merchant) => [merchant.merchantId, merchant.clientId]));
  const cases = page.cases.map((kycCase) => ({
    kycCase,
    clientId: clientIds.get(kycCase.merchantId) ?? '',
  }));
  return { cases, next: page.next };
}
