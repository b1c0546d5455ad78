/** Builds the room of countries. `app.ts` hands the policies to the rooms that obey them. */
import type { FindPending } from '../http/four-eyes.js';
import type { Database } from '../postgres/database.js';
import { countryRoutes } from './routes.js';
import { CountryPolicies, countriesChanged } from './service.js';

export interface CountryRoomOptions {
  readonly database: Database;
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
}

export async function countryRoom({ database, mode, findPending }: CountryRoomOptions) {
  const policies = new CountryPolicies(database, mode);
  await policies.start();
  return {
    policies,
    routes: countryRoutes(policies, findPending),
    jobs: [],
    onWake: { [countriesChanged]: () => void policies.refresh().catch(() => {}) },
    close: async () => policies.stop(),
  };
}
