/** Builds the merchants room: tokens for merchants, and the routes with which operators manage merchants. */
import type { Database } from '../postgres/database.js';
import type { TokenAuthority } from '../tokens/authority.js';
import { oauthRoutes } from './oauth-routes.js';
import { merchantRoutes } from './routes.js';
import { ownSecretRoutes } from './secrets/own-secret-routes.js';
import { secretRoutes } from './secrets/secret-routes.js';
import { ensureDemoMerchant } from './service.js';
import { type FindUser, TokenEndpoint } from './token-endpoint.js';

export interface MerchantRoomOptions {
  readonly database: Database;
  readonly authority: TokenAuthority;
  readonly issuer: () => string;
  readonly findUser: FindUser;
  readonly tokensPerMinute: number;
  readonly mode: 'sandbox' | 'live';
}

/** Also creates the demo merchant of a sandbox. */
export async function merchantRoom(options: MerchantRoomOptions) {
  const { database, authority, issuer, findUser, tokensPerMinute, mode } = options;
  if (mode === 'sandbox') await database.transaction(ensureDemoMerchant);
  const endpoint = new TokenEndpoint({ database, authority, audience: issuer, findUser, tokensPerMinute });
  return {
    routes: [
      ...oauthRoutes({ endpoint, authority, issuer }),
      ...merchantRoutes(),
      ...secretRoutes(),
      ...ownSecretRoutes(),
    ],
    jobs: [],
  };
}
