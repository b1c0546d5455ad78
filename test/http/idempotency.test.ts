import { describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useNotesService } from './notes-service.js';

const notes = useNotesService();
const body = { text: 'once' };
const token = 'merchant-1';

async function countOf(text: string): Promise<number> {
  const { rows } = await notes.sql.query('SELECT count(*)::int AS count FROM notes WHERE text = $1', [text]);
  return rows[0].count;
}

describe('a repeated key', () => {
  it('with the same body gets the first answer, byte for byte, and has one effect', async () => {
    const first = await notes.api.post('/notes', { token, key: 'k-1', body });
    const again = await notes.api.post('/notes', { token, key: 'k-1', body });
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await countOf('once')).toBe(1);
  });

  it('has one row and one entry in the audit log', async () => {
    await notes.api.post('/notes', { token, key: 'k-rows', body: { text: 'rows' } });
    await notes.api.post('/notes', { token, key: 'k-rows', body: { text: 'rows' } });
    const { rows } = await notes.sql.query(
      `SELECT (SELECT count(*)::int FROM idempotency_keys WHERE answer LIKE '%"rows"%') AS keys,
              (SELECT count(*)::int FROM changes WHERE subject =
                (SELECT 'note:' || id FROM notes WHERE text = 'rows')) AS entries`,
    );
    expect(rows).toEqual([{ keys: 1, entries: 1 }]);
  });

  it('with another body is refused, and changes nothing', async () => {
    const first = await notes.api.post('/notes', { token, key: 'k-2', body: { text: 'this' } });
    const other = await notes.api.post('/notes', { token, key: 'k-2', body: { text: 'that' } });
    expect(other.json).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(await countOf('that')).toBe(0);
    const again = await notes.api.post('/notes', { token, key: 'k-2', body: { text: 'this' } });
    expect(again.text).toBe(first.text);
  });

  it('is the same with and without double quotes', async () => {
    const first = await notes.api.post('/notes', { token, key: 'k-quoted', body: { text: 'quoted' } });
    const again = await notes.api.post('/notes', { token, key: '"k-quoted"', body: { text: 'quoted' } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('with another token of the same merchant gets the first answer', async () => {
    const first = await notes.api.post('/notes', { token, key: 'k-token', body: { text: 'token' } });
    const again = await notes.api.post('/notes', {
      token: 'merchant-1-users',
      key: 'k-token',
      body: { text: 'token' },
    });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('with a token of the user, or the user named by the merchant, is about the same user', async () => {
    const ask = { key: 'k-user', body: { text: 'user' } };
    const first = await notes.api.post('/notes?userId=107', { ...ask, token });
    const again = await notes.api.post('/notes?userId=107', { ...ask, token: 'user-1-107' });
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('needs a valid token each time', async () => {
    await notes.api.post('/notes', { token, key: 'k-auth', body });
    expect((await notes.api.post('/notes', { key: 'k-auth', body })).status).toBe(401);
    expect((await notes.api.post('/notes', { token: 'merchant-1-rates', key: 'k-auth', body })).status).toBe(403);
  });

  it('is compared only after the fields were checked', async () => {
    await notes.api.post('/notes', { token, key: 'k-fields', body });
    expect((await notes.api.post('/notes', { token, key: 'k-fields', body: {} })).status).toBe(400);
  });

  it('in many requests at once has one effect, and each answer is that or "still running"', async () => {
    const ask = () => notes.api.post('/notes', { token, key: 'k-many', body: { text: 'many' } });
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.json).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    }
    expect(await countOf('many')).toBe(1);
  });
});

describe('the same key', () => {
  it.each([
    ['another merchant', '/notes', 'merchant-2'],
    ['another user', '/notes?userId=107', 'merchant-1'],
    ['another query', '/notes?x=1', 'merchant-1'],
    ['another path', '/notes/slowly?ms=0', 'merchant-1'],
  ])('is separate for %s', async (what, path, other) => {
    const text = `scope ${what}`;
    const first = await notes.api.post('/notes', { token, key: 'k-scope', body: { text: 'scope' } });
    const elsewhere = await notes.api.post(path, { token: other, key: 'k-scope', body: { text } });
    expect(elsewhere.json.text).toBe(text);
    expect(elsewhere.headers.get('idempotent-replayed')).toBeNull();
    expect(elsewhere.text).not.toBe(first.text);
  });

  it('is separate for each user, also when only the token selects the user', async () => {
    const ask = { key: 'k-own', body: { text: 'own' } };
    const first = await notes.api.post('/notes', { ...ask, token: 'user-1-107' });
    const other = await notes.api.post('/notes', { ...ask, token: 'user-1-108' });
    expect(other.headers.get('idempotent-replayed')).toBeNull();
    expect(other.json.id).not.toBe(first.json.id);
  });

  it('is refused at once while the first request is running', async () => {
    const ask = { token, key: 'k-slow', body: { text: 'slow' } };
    let firstDone = false;
    const first = notes.api.post('/notes/slowly?ms=2000', ask).finally(() => {
      firstDone = true;
    });
    await untilRunning();
    const second = await notes.api.post('/notes/slowly?ms=2000', ask);
    expect(firstDone).toBe(false);
    expect(second.json).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(second.headers.get('retry-after')).toBe('1');

    const answer = await first;
    const later = await notes.api.post('/notes/slowly?ms=2000', ask);
    expect([later.text, later.headers.get('idempotent-replayed')]).toEqual([answer.text, 'true']);
    expect(await countOf('slow')).toBe(1);
  });

  it('does nothing on a read', async () => {
    const first = await notes.api.get('/notes', { token, key: 'k-read' });
    await notes.api.post('/notes', { token, body: { text: 'between' } });
    const again = await notes.api.get('/notes', { token, key: 'k-read' });
    expect(again.json.length).toBe(first.json.length + 1);
  });
});

function untilRunning(): Promise<boolean> {
  return eventually(async () => {
    const { rows } = await notes.sql.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'
        AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    return rows.length > 0;
  });
}

describe('a key', () => {
  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['too long', 'x'.repeat(256)],
    ['quoted and empty', '""'],
    ['quoted and too long', `"${'x'.repeat(256)}"`],
    ['half quoted', '"abc'],
    ['with a quote inside its quotes', '"a"b"'],
    ['not ASCII', 'schlüssel'],
  ])('is refused: %s', async (_, key) => {
    const answer = await notes.api.post('/notes', { token, headers: { 'idempotency-key': key }, body });
    expect(answer.json).toMatchObject({ status: 400, code: 'idempotency_key_invalid' });
  });

  it('is refused when two are sent', async () => {
    const answer = await notes.api.post('/notes', { token, headers: { 'idempotency-key': 'a, b' }, body });
    expect(answer.json.code).toBe('idempotency_key_invalid');
  });

  it.each(['x', 'x'.repeat(255), `"${'y'.repeat(255)}"`, '!#$%&()*+,-./:;<=>?@[]^_`{|}~'])('may be %s', async (key) => {
    expect((await notes.api.post('/notes', { token, key, body: { text: 'form' } })).status).toBe(200);
  });
});
