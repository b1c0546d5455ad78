/** Describes the token that an operation needs, for programs and for people. */
import { type GrantedScope, grantableScopes, type Scope } from '../../caller.js';
import type { Access } from '../access.js';
import { needsOnlyReading } from '../authenticator.js';
import type { Route } from '../route.js';
import type { Components, JsonObject } from './components.js';

const scopeDescriptions: Readonly<Record<Scope, string>> = {
  users: 'Users',
  kyc: 'Identity checks of users',
  rates: 'Quotes',
  orders: 'Beneficiaries and transfers',
  webhooks: 'Notifications and events',
};

function descriptionOf(granted: GrantedScope): string {
  const [scope, isRead] = granted.split('.') as [Scope, string?];
  return isRead ? `${scopeDescriptions[scope]}: only to read` : scopeDescriptions[scope];
}

const merchantToken = (baseUrl: string) => ({
  type: 'oauth2',
  description: 'An access token of the merchant, or of one of its users.',
  flows: {
    clientCredentials: {
      tokenUrl: `${baseUrl}/oauth/token`,
      scopes: Object.fromEntries(grantableScopes.map((scope) => [scope, descriptionOf(scope)])),
    },
  },
});
const operatorToken = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token of an operator, from `POST /operator/login`.',
};

export function securityOf(access: Access, components: Components): JsonObject[] {
  if (access.token === 'none') return [];
  if (access.token === 'operator') {
    components.refer('securitySchemes', 'operatorToken', operatorToken);
    return [{ operatorToken: [] }];
  }
  components.refer('securitySchemes', 'merchantToken', merchantToken(components.baseUrl));
  return [{ merchantToken: [access.scope] }];
}

const tokenNames = {
  merchant: 'of the merchant',
  user: 'of one user',
  either: 'of the merchant or of one user',
} as const;

export function describeAccess(route: Route): string | undefined {
  const { access } = route;
  if (access.token === 'none') return undefined;
  if (access.token === 'operator') return `**Token**: of an operator with the role \`${access.role}\`.`;
  const enough = needsOnlyReading(route) ? ` or \`${access.scope}.read\`` : '';
  return `**Token**: ${tokenNames[access.token]}, with the scope \`${access.scope}\`${enough}.`;
}
