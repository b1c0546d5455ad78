/** What must not stand in the way when operators decide a review. */
import type { ExposureService } from '../../kyc/exposure/service.js';
import { type Hit, type HitId, isFreezing } from '../../kyc/hits/hit.js';
import type { HitService } from '../../kyc/hits/service.js';
import type { BlockService } from '../../persons/blocks/service.js';
import type { Transaction } from '../../postgres/statement.js';
import { findQuotes } from '../../rates/service.js';
import type { RequiredLevels } from '../limits/required-levels.js';
import type { Order } from '../order/order.js';
import { hasTermsOf } from '../requote/agreed-terms.js';
import { reviewBlocked, senderBlocked, senderNotAccepted, termsDiffer } from './refusals.js';

export interface ClearanceOptions {
  readonly hits: HitService;
  readonly exposures: Pick<ExposureService, 'listUnaccepted'>;
  readonly levels: Pick<RequiredLevels, 'missing'>;
  readonly blocks: Pick<BlockService, 'find'>;
}

/**
 * Returns the confirmed hits in spite of which the money goes back. Throws `order_terms_differ` and
 * `order_review_blocked`.
 */
export async function requireCleared(
  { hits, exposures, levels, blocks }: ClearanceOptions,
  tx: Transaction,
  order: Order,
  { isPaidOut }: { readonly isPaidOut: boolean },
): Promise<readonly HitId[]> {
  const { merchantId, userId, quoteCode } = order;
  const [blocking, missing, quotes, [blocked = []], unaccepted] = await Promise.all([
    hits.listBlocking(tx, merchantId, userId),
    isPaidOut ? levels.missing(tx, order) : undefined,
    findQuotes(tx, merchantId, [quoteCode]),
    blocks.find(tx, [{ users: [order], accounts: [] }]),
    exposures.listUnaccepted(tx, merchantId, [userId]),
  ]);
  if (isPaidOut && !hasTermsOf(order, quotes.get(quoteCode))) throw termsDiffer();
  const stops = (hit: Hit) => isPaidOut || (hit.state === 'open' && isFreezing(hit));
  const inTheWay = blocking.filter(stops).map(({ hitId }) => hitId);
  const certain = blocked.filter(({ isVerified }) => isVerified).map(({ blockId }) => blockId);
  if (certain.length > 0) throw senderBlocked(certain);
  if (inTheWay.length > 0 || missing !== undefined) throw reviewBlocked(inTheWay, missing, isPaidOut);
  if (isPaidOut && unaccepted.has(userId)) throw senderNotAccepted();
  return blocking.filter(isFreezing).map(({ hitId }) => hitId);
}
