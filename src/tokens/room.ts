/** Builds the tokens room. The rooms that have callers provide the `statusCaches`: which callers may still act. */
import type { Clock } from '../clock.js';
import { deriveKey } from '../keys/derive.js';
import type { Database } from '../postgres/database.js';
import { type StatusCache, TokenAuthority } from './authority.js';
import { signingKeyRoutes } from './routes.js';
import { callerStatusChanged, ensureSigningKey, tokenUpkeepJob } from './service.js';

export interface TokenRoomOptions {
  readonly database: Database;
  readonly rootKey: Buffer;
  readonly clock: Clock;
  readonly issuer: () => string;
  readonly statusCaches: readonly StatusCache[];
}

/** Also makes the first signing key of a new instance. */
export async function tokenRoom(options: TokenRoomOptions) {
  const { database, rootKey, clock, issuer, statusCaches } = options;
  const sealingKey = deriveKey(rootKey, 'signing keys');
  await database.transaction((tx) => ensureSigningKey(tx, sealingKey));
  const authority = new TokenAuthority({ database, sealingKey, clock, issuer, statusCaches });
  await authority.start();
  return {
    authority,
    routes: signingKeyRoutes(sealingKey),
    jobs: [tokenUpkeepJob(database, sealingKey)],
    onWake: { [callerStatusChanged]: () => authority.refresh().catch(() => {}) },
    close: async () => authority.stop(),
  };
}
