import Type from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import { recordChange } from '../../src/changes/service.js';
import { RemesaError } from '../../src/errors.js';
import { expiredKeysSweep } from '../../src/http/commands/idempotency.js';
import { command } from '../../src/http/route.js';
import type { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import { sweepByMerchant } from '../../src/worker/by-merchant.js';
import { eventually } from '../harness/eventually.js';
import { notesRooms } from '../rooms/notes.js';
import { useNotesService } from './notes-service.js';

const keep = statement('test.keep', `INSERT INTO notes (merchant_id, text) VALUES ($merchantId, 'half-done')`);
/** Does its work, then fails in the way that the test has chosen. */
let nextFailure: () => unknown = () => undefined;
const failing = command({
  method: 'POST',
  path: '/notes/failing',
  operationId: 'failToKeepNote',
  tag: 'Notes',
  summary: 'Fails after its work',
  refusals: ['not_found', 'user_selector_conflict'],
  access: { token: 'merchant', scope: 'users', user: 'none' },
  body: Type.Object({}),
  answer: Type.Object({ done: Type.Boolean() }, { title: 'Done', examples: [{ done: true }] }),
  async run({ caller }, tx) {
    await tx.query(keep, caller);
    await recordChange(
      tx,
      { actor: caller },
      { merchantId: caller.merchantId, action: 'note.failed', subject: 'note:0' },
    );
    const failure = nextFailure();
    if (failure !== undefined) throw failure;
    return { done: true };
  },
});
const rooms = (database: Database): ExtraRooms => {
  const room = notesRooms(database);
  return { ...room, routes: [...room.routes, failing] };
};
const notes = useNotesService({ rooms });
const token = 'merchant-1';

beforeEach(async () => {
  nextFailure = () => undefined;
  await notes.sql.query('DELETE FROM notes; DELETE FROM idempotency_keys');
});

async function rowsLeft(): Promise<unknown> {
  const { rows } = await notes.sql.query(
    `SELECT (SELECT count(*)::int FROM notes) AS notes, (SELECT count(*)::int FROM idempotency_keys) AS keys,
            (SELECT count(*)::int FROM changes WHERE action = 'note.failed') AS entries`,
  );
  return rows[0];
}

describe('a command that fails', () => {
  it.each([
    ['unexpected', new Error('boom'), 500],
    ['refused', new RemesaError('not_found', 'not_found', 'No.'), 404],
    ['refused as impossible now', new RemesaError('invalid', 'user_selector_conflict', 'No.'), 400],
    ['unavailable', new RemesaError('unavailable', 'database_unavailable', 'Not now.'), 503],
  ])('leaves neither its effect nor its key, so that the same key can then succeed: %s', async (_, error, status) => {
    nextFailure = () => error;
    const before = await rowsLeft();
    const first = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    expect(first.status).toBe(status);
    expect(await rowsLeft()).toEqual({ ...(before as object), notes: 0, keys: 0 });

    nextFailure = () => undefined;
    const again = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await rowsLeft()).toMatchObject({ notes: 1, keys: 1 });
  });

  it('stores nothing for an invalid body', async () => {
    expect((await notes.api.post('/notes', { token, key: 'k', body: {} })).status).toBe(400);
    expect(await rowsLeft()).toMatchObject({ keys: 0 });
    expect((await notes.api.post('/notes', { token, key: 'k', body: { text: 'right' } })).status).toBe(200);
  });

  it('is retried automatically after a deadlock or a serialisation failure, and has one effect', async () => {
    const before = (await rowsLeft()) as { entries: number };
    let tries = 0;
    nextFailure = () => {
      tries += 1;
      return tries < 3 ? Object.assign(new Error('deadlock detected'), { code: '40P01' }) : undefined;
    };
    const answer = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    expect([answer.status, tries]).toEqual([200, 3]);
    expect(await rowsLeft()).toEqual({ notes: 1, keys: 1, entries: before.entries + 1 });
  });
});

describe('a stored answer', () => {
  const ask = { token, key: 'k', body: { text: 'kept' } };

  it('is stored for a day', async () => {
    await notes.api.post('/notes', ask);
    const { rows } = await notes.sql.query(
      `SELECT round(extract(epoch FROM expires_at - clock_timestamp()) / 3600)::int AS hours FROM idempotency_keys`,
    );
    expect(rows).toEqual([{ hours: 24 }]);
  });

  it('is ignored after it has expired: the request is executed again, and its new answer is stored', async () => {
    const first = await notes.api.post('/notes', ask);
    await notes.sql.query("UPDATE idempotency_keys SET expires_at = statement_timestamp() - interval '1 second'");
    const second = await notes.api.post('/notes', ask);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.json.id).not.toBe(first.json.id);
    const third = await notes.api.post('/notes', ask);
    expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([second.text, 'true']);
    expect(await rowsLeft()).toMatchObject({ notes: 2, keys: 1 });
  });

  it('is not compared with another body after it has expired', async () => {
    await notes.api.post('/notes', ask);
    await notes.sql.query("UPDATE idempotency_keys SET expires_at = statement_timestamp() - interval '1 second'");
    expect((await notes.api.post('/notes', { ...ask, body: { text: 'other' } })).status).toBe(200);
  });

  it('is deleted in batches after it has expired, of every merchant, and no other is', async () => {
    for (const token of ['merchant-1', 'merchant-2', 'merchant-3'])
      for (const key of ['a', 'b']) await notes.api.post('/notes', { ...ask, token, key });
    await notes.sql.query(
      `UPDATE idempotency_keys SET expires_at = statement_timestamp() - interval '1 second'
        WHERE merchant_id < 3
           OR scope_hash = (SELECT scope_hash FROM idempotency_keys WHERE merchant_id = 3 ORDER BY 1 LIMIT 1)`,
    );
    const sweep = () => sweepByMerchant(notes.database, expiredKeysSweep(1), new AbortController().signal);
    const swept = [];
    do swept.push(await sweep());
    while (swept.at(-1) !== 0);
    expect(swept).toEqual([1, 1, 1, 1, 1, 0]);
    const { rows } = await notes.sql.query('SELECT merchant_id::int AS merchant FROM idempotency_keys');
    expect(rows).toEqual([{ merchant: 3 }]);
  });

  it('that expired is replaced once by many equal requests at once', async () => {
    await notes.api.post('/notes', ask);
    await notes.sql.query("UPDATE idempotency_keys SET expires_at = statement_timestamp() - interval '1 second'");
    const answers = await Promise.all(Array.from({ length: 20 }, () => notes.api.post('/notes', ask)));
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(texts.size).toBe(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await rowsLeft()).toMatchObject({ notes: 2, keys: 1 });
  });

  it('has a fingerprint that is not a plain digest of the body', async () => {
    await notes.api.post('/notes', ask);
    const { rows } = await notes.sql.query('SELECT fingerprint = sha256($1) AS plain FROM idempotency_keys', [
      Buffer.from(JSON.stringify(ask.body)),
    ]);
    expect(rows).toEqual([{ plain: false }]);
  });
});

describe('a repeated key', () => {
  /** New connections are read-only, as on a primary that was replaced and serves as a standby for a moment. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    const { rows } = await notes.sql.query('SELECT current_database() AS name');
    await notes.sql.query(
      `ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    );
    await notes.sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'remesa%'`,
    );
  }

  it('gets 503 from a read-only server, because the answer found there may be lost, and its answer afterwards', async () => {
    const first = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    await setReadOnly(true);
    const onStandby = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    await setReadOnly(false);
    expect([onStandby.status, onStandby.json.code]).toEqual([503, 'database_unavailable']);
    const again = await eventually(async () => {
      const answer = await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
      return answer.status === 200 ? answer : undefined;
    });
    expect(again.text).toBe(first.text);
  });

  it('waits for the standby like a first request: its transaction writes to the log of the server', async () => {
    await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    const before = await notes.sql.query(`SELECT xmax::text FROM idempotency_keys`);
    await notes.api.post('/notes/failing', { token, key: 'k', body: {} });
    const after = await notes.sql.query(`SELECT xmax::text FROM idempotency_keys`);
    expect([before.rows[0].xmax, after.rows[0].xmax === '0']).toEqual(['0', false]);
  });
});
