/** Which token opens an operation, for programs and for people. */
import { type Scope, scopes } from '../caller.js';
import type { Components, JsonObject } from './openapi-components.js';
import type { Access } from './route.js';

const scopeDescriptions: Readonly<Record<Scope, string>> = {
  users: 'Users and beneficiaries',
  kyc: 'Verification of users',
  rates: 'Quotes',
  orders: 'Transfers',
  webhooks: 'Notifications',
};

const schemes = {
  merchantToken: {
    type: 'oauth2',
    description: 'A token of the merchant, or of one of its users.',
    flows: {
      clientCredentials: {
        tokenUrl: '/oauth/token',
        scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeDescriptions[scope]])),
      },
    },
  },
  operatorToken: { type: 'http', scheme: 'bearer', description: 'A token of an operator.' },
} as const;

export function securityOf(access: Access, components: Components): JsonObject[] {
  if (access.token === 'none') return [];
  const name = access.token === 'operator' ? 'operatorToken' : 'merchantToken';
  components.refer('securitySchemes', name, schemes[name]);
  return [{ [name]: access.token === 'operator' ? [] : [access.scope] }];
}

const tokenNames = {
  merchant: 'of the merchant',
  user: 'of one user',
  either: 'of the merchant or of one user',
} as const;

export function describeAccess(access: Access): string | undefined {
  if (access.token === 'none') return undefined;
  if (access.token === 'operator') return `**Token**: of an operator with the role \`${access.role}\`.`;
  return `**Token**: ${tokenNames[access.token]}, with the scope \`${access.scope}\`.`;
}
