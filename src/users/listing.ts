/** Lists the users of a merchant as a stream of JSON, however many there are. */
import type { MerchantId, UserId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import { listUserPage } from './store.js';

/** Larger pages are hardly faster and delay other requests. */
const rowsAtOnce = 1000;

export interface UserList {
  /** One JSON array, in pieces. */
  readonly chunks: AsyncGenerator<string>;
  /** The id of the last user of a page. Undefined when there are no more users. */
  readonly next: UserId | undefined;
}

/** All users with a larger id than `after`, or the first `limit` of them. */
export async function listUsers(
  database: Queryable,
  merchantId: MerchantId,
  { limit, after = 0 }: { limit?: number; after?: number },
): Promise<UserList> {
  if (limit === undefined) return { chunks: allUsers(database, merchantId, after), next: undefined };
  const { items, last, count } = await listUserPage(database, merchantId, after, limit);
  return { chunks: once(`[${items}]`), next: count < limit ? undefined : last };
}

/** Each page is a short statement of its own: a slow reader never keeps a transaction open. */
async function* allUsers(database: Queryable, merchantId: MerchantId, after: number): AsyncGenerator<string> {
  for (let last = after, opening = '['; ; opening = ',') {
    const page = await listUserPage(database, merchantId, last, rowsAtOnce);
    const isLast = page.last === undefined || page.count < rowsAtOnce;
    const items = page.items === '' && opening === ',' ? '' : opening + page.items;
    yield isLast ? `${items}]` : items;
    if (page.last === undefined || isLast) return;
    last = page.last;
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
