/** A whole service inside the test's own process, on the test file's own database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ExtraRooms, type Service, type ServiceOptions, startService } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { Api } from './api.js';
import { closeConnections } from './connections.js';
import { testMasterKey } from './master-key.js';
import { documentOf } from './openapi-document.js';
import type { TestDatabase } from './test-database.js';

export interface TestService {
  readonly service: Service;
  readonly api: Api;
  /** Every line that was logged so far, as text. */
  readonly logText: () => string;
}

export function useService(
  testDatabase: TestDatabase,
  options: {
    settings?: Record<string, string>;
    rooms?: (database: Database) => ExtraRooms;
    before?: () => Promise<unknown>;
    chooseJobs?: ServiceOptions['chooseJobs'];
    /** False for a run so long that its log would fill the memory: only errors are kept. */
    keepsLog?: boolean;
  } = {},
): TestService {
  const lines: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'remesa-service-'));
  let service: Service | undefined;
  let api: Api | undefined;

  beforeAll(async () => {
    await options.before?.();
    const config = testConfig({ DATABASE_URL: testDatabase.url, DATA_DIR: folder, ...options.settings });
    const level = options.keepsLog === false ? 'error' : 'debug';
    const { log } = createLog({ level, stream: { write: (line) => void lines.push(line) } });
    service = await startService(config, {
      eventLoopDelayMs: 60_000,
      log,
      say: () => {},
      ...(options.rooms ? { extraRooms: options.rooms } : {}),
      ...(options.chooseJobs ? { chooseJobs: options.chooseJobs } : {}),
    });
    api = new Api(service.url, documentOf(service.routes));
  });
  afterAll(async () => {
    closeConnections();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get service() {
      return service as Service;
    },
    get api() {
      return api as Api;
    },
    logText: () => lines.join(''),
  };
}

export function testConfig(settings: Record<string, string>): Config {
  const defaults = {
    PORT: '0',
    MASTER_KEY: testMasterKey,
    REQUESTS_PER_MINUTE: '1000000',
    // A service fills its pool when its jobs start, and each connection takes the server some 45 ms to get to know its tables.
    DATABASE_POOL_SIZE: '4',
  };
  return readConfig({ ...defaults, ...settings });
}
