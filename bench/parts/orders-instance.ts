/** A service with users and quotes, and requests that create orders with them. */
import { type LoadOptions, type LoadResult, load, requestText } from './load.js';
import { addQuotes, approveUsers, type OrdersPlace } from './orders-fixture.js';
import { fillUsers, postUser, query, startUsersService, type UsersService } from './users.js';

/** A user has at most ten unpaid orders. */
const ordersPerUser = 8;
/** Users for statements without a service, which need no key. */
export const sqlUsers = 1000;

export interface OrdersInstance extends OrdersPlace {
  readonly service: UsersService;
  /** The next request that creates an order, with these fields besides. */
  readonly createRequest: (fields?: object) => string;
  /** A request that tries an order: it uses no quote. */
  readonly tryRequest: (fields?: object) => string;
}

const firstQuote = 10 ** 12;

/** A service with users and quotes for so many orders. */
export async function makeOrdersInstance(placeUrl: string, name: string, orders: number): Promise<OrdersInstance> {
  const service = await startUsersService(placeUrl, name);
  const { databaseUrl: url, merchant, token } = service;
  await createUsers(service, Math.ceil(orders / ordersPerUser));
  const rows = await query(url, 'SELECT user_id FROM users');
  const users = rows.map((row) => Number(row.user_id));
  await fillUsers(service, sqlUsers);
  await approveUsers({ url, merchant });
  await addQuotes({ url, merchant }, firstQuote, orders);
  let made = 0;
  const codeOf = (index: number) => `rt_${String(firstQuote + index).padStart(26, '0')}`;
  const createRequest = (fields: object = {}) => {
    if (made === orders) throw new Error(`the bench has quotes for ${orders} orders only`);
    const user = users[made % users.length] ?? 0;
    made += 1;
    return orderRequest(token, `/orders?userId=${user}`, { rateCode: codeOf(made - 1), ...fields });
  };
  const tryRequest = (fields: object = {}) =>
    orderRequest(token, `/orders/preflight?userId=${users.at(-1)}`, { rateCode: codeOf(orders - 1), ...fields });
  return { url, merchant, service, createRequest, tryRequest };
}

/** Real users, because the service opens what is sealed for them. */
async function createUsers({ child, token }: UsersService, count: number): Promise<void> {
  const request = postUser(token);
  for (let made = 0; made < count; ) {
    const { answers } = await load({ url: child.url, connections: 16, seconds: 0.5, request });
    made += answers.get(200)?.length ?? 0;
  }
}

function orderBody(fields: object): string {
  return JSON.stringify({
    beneficiary: {
      ...{ country: 'MX', currency: 'MXN', method: 'bank_account', type: 'person' },
      ...{ firstName: 'Guadalupe', lastName: 'Ortega Ruiz' },
      address: { town: 'Guadalajara', country: 'MX' },
      account: { clabe: '032180000118359719' },
    },
    purpose: 'family_support',
    ...fields,
  });
}

function orderRequest(token: string, path: string, fields: object): string {
  return requestText('POST', path, { authorization: `Bearer ${token}` }, orderBody(fields));
}

export function createFor(instance: OrdersInstance, connections: number, seconds: number): Promise<LoadResult> {
  return answeredFor(instance, { connections, seconds, request: () => instance.createRequest() });
}

/** Throws when an answer is not 200. */
export async function answeredFor(
  { service: { child } }: OrdersInstance,
  options: Omit<LoadOptions, 'url'>,
): Promise<LoadResult> {
  const result = await load({ url: child.url, ...options });
  const statuses = [...result.answers.keys()];
  if (statuses.join() !== '200' || result.lost > 0) throw new Error(`answers with ${statuses.join(', ')}`);
  return result;
}
