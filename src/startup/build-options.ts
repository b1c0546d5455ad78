/** What the rooms are built from, and what the edge gets of them. */
import type { Config } from '../config/config.js';
import type { CleanupStack } from './cleanup.js';
import type { EdgeOptions } from './edge.js';
import type { OpenedDatabase } from './open-database.js';
import type { ServiceOptions } from './service-options.js';

export interface BuildOptions {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly opened: OpenedDatabase;
  /** The public address of the service: BASE_URL, or the address that it listens on. */
  readonly baseUrl: () => string;
  readonly cleanup: CleanupStack;
}

export type BuiltRooms = Pick<EdgeOptions, 'rooms' | 'authenticator' | 'webhooks' | 'approvals'>;
