/** A whole service inside the test's own process, on the test file's own database. */
import { afterAll, beforeAll } from 'vitest';
import { type ExtraRooms, type Service, type ServiceOptions, startService } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/log.js';
import type { Database } from '../../src/postgres/database.js';
import { Api } from './api.js';
import { closeConnections } from './connections.js';
import { testMasterKey } from './master-key.js';
import { newFolder } from './new-folder.js';
import { documentOf } from './openapi-document.js';
import type { TestDatabase } from './test-database.js';

export interface TestService {
  readonly service: Service;
  readonly api: Api;
  /** Every line that was logged so far, as text. */
  readonly logText: () => string;
}

export interface ServiceStart {
  readonly settings?: Record<string, string>;
  readonly rooms?: (database: Database) => ExtraRooms;
  readonly before?: () => Promise<unknown>;
  readonly chooseJobs?: ServiceOptions['chooseJobs'];
  /** False for a run so long that its log would fill the memory: only errors are kept. */
  readonly keepsLog?: boolean;
}

export function useService(testDatabase: TestDatabase, options: ServiceStart = {}): TestService {
  const running = new RunningService(testDatabase, options);
  beforeAll(() => running.start());
  afterAll(() => running.stop());
  return running;
}

export class RunningService implements TestService {
  readonly #lines: string[] = [];
  readonly #folder = newFolder();
  #started: { readonly service: Service; readonly api: Api } | undefined;

  constructor(
    /** Its url is read at the start: it may lead through a proxy that `before` opens. */
    readonly database: { readonly url: string },
    readonly options: ServiceStart,
  ) {}

  async start(): Promise<void> {
    const { settings, rooms, before, chooseJobs, keepsLog = true } = this.options;
    await before?.();
    const config = testConfig({ DATABASE_URL: this.database.url, DATA_DIR: this.#folder, ...settings });
    const { log } = createLog({
      level: keepsLog ? 'debug' : 'error',
      stream: { write: (line) => void this.#lines.push(line) },
    });
    const service = await startService(config, {
      eventLoopDelayMs: 60_000,
      log,
      say: () => {},
      ...(rooms ? { extraRooms: rooms } : {}),
      ...(chooseJobs ? { chooseJobs } : {}),
    });
    this.#started = { service, api: new Api(service.url, documentOf(service.routes)) };
  }

  async stop(): Promise<void> {
    closeConnections();
    await this.#started?.service.stop();
  }

  get service(): Service {
    return this.#now.service;
  }

  get api(): Api {
    return this.#now.api;
  }

  readonly logText = (): string => this.#lines.join('');

  get #now() {
    if (!this.#started) throw new Error('the service starts before the first test, not before');
    return this.#started;
  }
}

export function testConfig(settings: Record<string, string>): Config {
  const defaults = {
    PORT: '0',
    MASTER_KEY: testMasterKey,
    REQUESTS_PER_MINUTE: '1000000',
    // A service fills its pool when its jobs start, and each connection takes the server some 45 ms to get to know its
    // tables.
    DATABASE_POOL_SIZE: '4',
  };
  return readConfig({ ...defaults, ...settings });
}
