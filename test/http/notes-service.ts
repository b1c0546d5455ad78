/** The service with the notes room on the test file's own database. */
import type pg from 'pg';
import type { ExtraRooms } from '../../src/app.js';
import type { Database } from '../../src/postgres/database.js';
import { Api } from '../harness/api.js';
import { type TestService, useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { notesRooms, notesTable } from '../rooms/notes.js';

export interface NotesService extends TestService {
  readonly sql: pg.Pool;
  readonly database: Database;
  /** Does not compare the answers with the OpenAPI document, for requests that it does not describe. */
  readonly anywhere: Api;
}

export function useNotesService(
  options: {
    settings?: Record<string, string>;
    rooms?: (database: Database) => ExtraRooms;
    /** Creates the table of the notes. */
    before?: (sql: pg.Pool) => Promise<unknown>;
  } = {},
): NotesService {
  const testDatabase = useTestDatabase();
  const { sql, database } = testDatabase;
  const running = useService(testDatabase, {
    rooms: options.rooms ?? notesRooms,
    before: () => (options.before ? options.before(sql) : sql.query(notesTable)),
    // The notes need no jobs.
    settings: { ROLE: 'api', ...options.settings },
  });
  return {
    sql,
    database,
    get service() {
      return running.service;
    },
    get api() {
      return running.api;
    },
    get anywhere() {
      return new Api(running.service.url, undefined);
    },
    logText: running.logText,
  };
}
