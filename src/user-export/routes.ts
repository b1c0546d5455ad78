/** The route for merchants and their users that answers what is known of a user. */
import { includesScope } from '../caller.js';
import { scopeMissing } from '../http/authenticator.js';
import { type Route, stream } from '../http/route.js';
import { UserExportShape } from './schemas.js';
import type { UserExport } from './service.js';

export function userExportRoute(userExport: UserExport): Route {
  return stream({
    tag: 'Users',
    method: 'GET',
    path: '/user/export',
    operationId: 'exportUser',
    summary: 'Export everything about a user',
    description:
      'For a user who asks what is known (GDPR art. 15): the profile, levels, identity checks and answers of the form, beneficiaries, and every order with its history. The answers of the form need a token of the user. The token also needs the scopes `kyc` and `orders`.',
    returns: 'The data of the user.',
    access: { token: 'either', scope: 'users', user: 'required' },
    answer: UserExportShape,
    async run(call, database) {
      const { merchantId, kind, scopes } = call.caller;
      const missing = (['kyc', 'orders'] as const).find((scope) => !includesScope(scopes, `${scope}.read`));
      if (missing) throw scopeMissing(missing);
      const exported = { merchantId, userId: call.user.id, isUser: kind === 'user' };
      return { chunks: await userExport.chunks(database, exported) };
    },
  });
}
