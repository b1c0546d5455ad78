/** Builds the room of the licensee. Also enters a simulated one in a new sandbox. */
import type { FindPending } from '../http/four-eyes.js';
import type { Database } from '../postgres/database.js';
import { licenseeRoutes } from './routes.js';
import { addSimulatedLicensee, LicenseeWatch, licenseeChanged } from './service.js';

export interface LicenseeRoomOptions {
  readonly database: Database;
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
}

export async function licenseeRoom({ database, mode, findPending }: LicenseeRoomOptions) {
  if (mode === 'sandbox') await database.transaction(addSimulatedLicensee);
  const watch = new LicenseeWatch(database);
  await watch.start();
  return {
    /** For orders, which need it. */
    watch,
    routes: licenseeRoutes({ findPending, refresh: () => watch.refresh() }),
    jobs: [],
    warnings: () => (watch.current ? [] : ['licensee_missing']),
    onWake: { [licenseeChanged]: () => void watch.refresh().catch(() => {}) },
    close: async () => watch.stop(),
  };
}
