/** The row of a key decides, also where the advisory lock excludes nobody. */
import Type from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import { RemesaError } from '../../src/errors.js';
import { claim } from '../../src/http/commands/idempotency.js';
import { command } from '../../src/http/route.js';
import type { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import { makeTryLockIneffective } from '../harness/ineffective-lock.js';
import { notesRooms, notesTable } from '../rooms/notes.js';
import { insertRow, newKey, valuesOf } from './key-rows.js';
import { useNotesService } from './notes-service.js';

const insertOnce = statement(
  'test.insert-once',
  `INSERT INTO notes (merchant_id, text) VALUES ($merchantId, $text) ON CONFLICT (text) DO NOTHING RETURNING id`,
).rows<{ id: bigint }>();
/** Refuses a text that exists, as an order refuses a quote that was used. */
const once = command({
  method: 'POST',
  path: '/notes/once',
  operationId: 'createNoteOnce',
  tag: 'Notes',
  summary: 'Keep a note whose text is new',
  refusals: ['user_not_found'],
  access: { token: 'merchant', scope: 'users', user: 'none' },
  body: Type.Object({ text: Type.String() }),
  answer: Type.Object({ id: Type.Integer() }, { title: 'OnlyNote', examples: [{ id: 1 }] }),
  async run({ caller, body }, tx) {
    const [row] = await tx.query(insertOnce, { merchantId: caller.merchantId, text: body.text });
    if (!row) throw new RemesaError('not_found', 'user_not_found', 'The text exists.');
    return { id: Number(row.id) };
  },
});
const rooms = (database: Database): ExtraRooms => {
  const room = notesRooms(database);
  return { ...room, routes: [...room.routes, once] };
};
const notes = useNotesService({
  rooms,
  async before(sql) {
    await sql.query(`${notesTable}; CREATE UNIQUE INDEX notes_text ON notes (text)`);
    await makeTryLockIneffective(sql);
  },
});
const token = 'merchant-1';

beforeEach(() => notes.sql.query('DELETE FROM notes; DELETE FROM idempotency_keys'));

describe('equal requests at once, with a lock that excludes nobody', () => {
  it('all get the answer of the one that took effect, and never the refusal of a second effect', async () => {
    for (const text of ['first', 'second', 'third']) {
      const ask = () => notes.api.post('/notes/once', { token, key: text, body: { text } });
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
      expect(answers[0]?.status).toBe(200);
      expect(answers.filter(({ headers }) => !headers.get('idempotent-replayed'))).toHaveLength(1);
      const { rowCount } = await notes.sql.query('SELECT 1 FROM notes WHERE text = $1', [text]);
      expect(rowCount).toBe(1);
    }
  });

  it('all get the new answer when the key has expired', async () => {
    const ask = () => notes.api.post('/notes', { token, key: 'k', body: { text: 'again' } });
    await ask();
    await notes.sql.query(
      `UPDATE idempotency_keys SET expires_at = statement_timestamp() - interval '1 second'; DELETE FROM notes`,
    );
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    const { rowCount } = await notes.sql.query('SELECT 1 FROM notes');
    expect(rowCount).toBe(1);
  });

  it('get 409 when the first one runs longer than the time limit of a lock', async () => {
    const key = newKey();
    const running = await notes.sql.connect();
    try {
      await running.query('BEGIN');
      await running.query(insertRow, valuesOf(key));
      const claimed = notes.database.transaction((tx) => claim(tx, key));
      await expect(claimed).rejects.toMatchObject({ kind: 'conflict', code: 'idempotency_in_progress' });
    } finally {
      await running.query('ROLLBACK');
      running.release();
    }
  });
});
