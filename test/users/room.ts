/**
 * The verbs of the users room on the database of the test file, without HTTP. The test chooses what other rooms answer.
 */
import type pg from 'pg';
import { beforeAll } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { KeyVault, type MasterKeys } from '../../src/keys/vault.js';
import type { Database } from '../../src/postgres/database.js';
import { confirmInstance } from '../../src/postgres/instance.js';
import { UserService, type UsersOptions } from '../../src/users/service.js';
import type { Dependents } from '../../src/users/user.js';
import { type Client, newMerchant } from '../harness/access.js';
import { testMasterKey } from '../harness/master-key.js';
import { useTestDatabase } from '../harness/test-database.js';

export interface UsersRoom {
  readonly database: Database;
  readonly sql: pg.Pool;
  readonly vault: KeyVault;
  readonly acme: Client;
  readonly rival: Client;
  service(answers?: Partial<Dependents>, options?: Partial<UsersOptions>): UserService;
}

export async function openVault(database: Database, masters: MasterKeys): Promise<KeyVault> {
  await confirmInstance(database, 'sandbox');
  return KeyVault.open(database, masters);
}

export function useUsersRoom(): UsersRoom {
  const { database, sql } = useTestDatabase();
  let vault: KeyVault | undefined;
  const merchants: Client[] = [];
  beforeAll(async () => {
    vault = await openVault(database, { current: Buffer.from(testMasterKey, 'base64'), previous: undefined });
    for (const name of ['acme', 'rival']) merchants.push(await newMerchant(database, name));
  });
  const room: UsersRoom = {
    database,
    sql,
    get vault() {
      return vault as KeyVault;
    },
    get acme() {
      return merchants[0] as Client;
    },
    get rival() {
      return merchants[1] as Client;
    },
    service(answers: Partial<Dependents> = {}, options: Partial<UsersOptions> = {}) {
      const users = new UserService({ vault: room.vault, clock: systemClock, retentionYears: 5, ...options });
      users.register({
        erase: async () => ({ hasOpenOrders: false, mustRetain: false }),
        identityChanged: async () => {},
        retentionEnded: async () => {},
        ...answers,
      });
      return users;
    },
  };
  return room;
}
