/** What every node knows by heart about merchants and operators, so that tokens are checked without the database. */
import { MerchantStatusCache } from '../merchants/status-cache.js';
import { OperatorStatusCache } from '../operators/status-cache.js';
import type { Database } from '../postgres/database.js';

export function statusCaches(database: Database, baseUrl: () => string, operatorAudience: () => string) {
  return [new MerchantStatusCache(database, baseUrl), new OperatorStatusCache(database, operatorAudience)] as const;
}
