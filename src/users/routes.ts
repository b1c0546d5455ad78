/** Routes for merchants: users (section 4.1 of the contract). */
import Type from 'typebox';
import type { SelectedUser } from '../caller.js';
import type { FieldFault } from '../errors.js';
import { command, type Inspect, type Route, read, stream } from '../http/route.js';
import { listUsers } from './listing.js';
import { NewUserShape, PageQuery, ProfileShape, UserChangeShape, UserShape } from './schemas.js';
import type { UserService } from './service.js';
import { countryOf, profileFaults } from './user.js';

const described = { tag: 'Users' } as const;
const ofMerchant = { token: 'merchant', scope: 'users', user: 'none' } as const;
const ofUser = { token: 'either', scope: 'users', user: 'required' } as const;

/** The operator's policies of countries. */
export interface ResidencePolicy {
  faultsOf(field: string, country: unknown, use: 'residence'): FieldFault[];
}

export function userRoutes(users: UserService, countries: ResidencePolicy): Route[] {
  const inspect: Inspect = (body) => {
    const code = (body as { countryCode?: unknown } | null | undefined)?.countryCode;
    const country = typeof code === 'string' ? countryOf(code) : undefined;
    return [...profileFaults(body), ...countries.faultsOf('countryCode', country, 'residence')];
  };
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
      inspect,
      answer: UserShape,
      run: (call, tx) => users.create(tx, call.by, call.caller.merchantId, call.body),
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
      inspect,
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
      run: (call, tx) => users.erase(tx, call.by, call.caller.merchantId, call.user),
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
        'All users in the order of their ids. With `limit` you get one page; the header `Link` has the address of the next.',
      returns: 'The ids of the users.',
      access: ofMerchant,
      query: PageQuery,
      answer: Type.Array(UserShape),
      async run(call, database) {
        const { chunks, next } = await listUsers(database, call.caller.merchantId, call.query);
        if (next === undefined) return { chunks };
        const link = `</merchant/users?limit=${call.query.limit}&after=${next}>; rel="next"`;
        return { headers: { link }, chunks };
      },
    }),
  ];
}
