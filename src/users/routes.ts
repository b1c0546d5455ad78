/** Section 4.1 of the contract, and the export of a person's data. */
import Type from 'typebox';
import type { SelectedUser } from '../caller.js';
import { command, type Route, read, stream } from '../http/route.js';
import type { MerchantId } from '../ids.js';
import type { Queryable } from '../postgres/statement.js';
import { NewUserShape, PageQuery, ProfileShape, UserChangeShape, UserShape } from './schemas.js';
import type { UserService } from './service.js';
import { listUserPage } from './store.js';
import { profileFaults } from './user.js';

const described = { tag: 'Users' } as const;
const ofMerchant = { token: 'merchant', scope: 'users', user: 'none' } as const;
const ofUser = { token: 'either', scope: 'users', user: 'required' } as const;
/** Larger pages are hardly faster, and others wait longer behind them. */
const rowsAtOnce = 1000;

export function userRoutes(users: UserService): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/user',
      operationId: 'createUser',
      summary: 'Create a user',
      returns: 'The ids of the new user.',
      access: ofMerchant,
      body: NewUserShape,
      inspect: profileFaults,
      answer: UserShape,
      run: (call, tx) => users.create(tx, call.caller.merchantId, call.body),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/user',
      operationId: 'getUser',
      summary: 'Find a user',
      returns: 'The ids of the user.',
      access: ofUser,
      answer: UserShape,
      run: async (call) => call.user,
    }),
    command({
      ...described,
      method: 'PATCH',
      path: '/user',
      operationId: 'updateUser',
      summary: 'Update a user',
      description: 'Only the fields that you send change. An empty object changes nothing.',
      returns: 'The ids of the user.',
      access: ofUser,
      body: UserChangeShape,
      inspect: profileFaults,
      answer: UserShape,
      async run(call, tx): Promise<SelectedUser> {
        await users.update(tx, call.by, call.caller.merchantId, call.user, call.body);
        return call.user;
      },
    }),
    command({
      ...described,
      method: 'DELETE',
      path: '/user',
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description: 'The user’s data is erased at once, except what the law obliges the operator to keep.',
      returns: 'The user is deleted.',
      access: ofUser,
      refusals: ['user_has_open_orders'],
      async run(call, tx) {
        await users.erase(tx, call.by, call.caller.merchantId, call.user);
        return undefined;
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/user/details',
      operationId: 'getUserDetails',
      summary: 'Get a user’s profile',
      returns: 'Everything that was registered about the user.',
      access: ofUser,
      answer: ProfileShape,
      run: (call, database) => users.details(database, call.caller.merchantId, call.user),
    }),
    stream({
      ...described,
      method: 'GET',
      path: '/merchant/users',
      operationId: 'listUsers',
      summary: 'Find all users',
      description:
        'All users in the order of their ids, however many there are. With `limit` you get a page; the header `Link` names the next.',
      returns: 'The ids of the users.',
      access: ofMerchant,
      query: PageQuery,
      answer: Type.Array(UserShape),
      async run(call, database) {
        const { merchantId } = call.caller;
        const { limit, after = 0 } = call.query;
        return limit === undefined
          ? { chunks: everyUser(database, merchantId, after) }
          : onePage(database, merchantId, after, limit);
      },
    }),
  ];
}

/** Each page is a short statement of its own: a listing never holds a transaction open for as long as its reader takes. */
async function* everyUser(
  database: Queryable,
  merchantId: MerchantId,
  after: number,
): AsyncGenerator<string> {
  for (let last = after, opening = '['; ; opening = ',') {
    const page = await listUserPage(database, merchantId, last, rowsAtOnce);
    const isLast = page.last === undefined || page.count < rowsAtOnce;
    const items = page.items === '' && opening === ',' ? '' : opening + page.items;
    yield isLast ? `${items}]` : items;
    if (page.last === undefined || isLast) return;
    last = page.last;
  }
}

async function onePage(database: Queryable, merchantId: MerchantId, after: number, limit: number) {
  const page = await listUserPage(database, merchantId, after, limit);
  const isLast = page.last === undefined || page.count < limit;
  const headers: Record<string, string> = isLast
    ? {}
    : { link: `</merchant/users?limit=${limit}&after=${page.last}>; rel="next"` };
  const chunks = (async function* () {
    yield `[${page.items}]`;
  })();
  return { headers, chunks };
}
