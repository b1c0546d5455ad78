import { describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import { userId } from '../../src/ids.js';
import type { Database } from '../../src/postgres/database.js';
import { notesRooms, plainTokens } from '../rooms/notes.js';
import { useNotesService } from './notes-service.js';

/** The users of merchant 1 are 107 and 108, that of merchant 2 is 207; deleted ones are not found. */
const users = [
  { id: 107, merchant: 1, externalClientId: 'ada' },
  { id: 108, merchant: 1, externalClientId: 'bob' },
  { id: 207, merchant: 2, externalClientId: 'ada' },
];
const rooms = (database: Database): ExtraRooms => ({
  ...notesRooms(database),
  authenticator: {
    ...plainTokens,
    async findUser(merchant, selector) {
      const found = users.find(
        (user) =>
          user.merchant === merchant &&
          ('userId' in selector ? user.id === selector.userId : user.externalClientId === selector.externalClientId),
      );
      return found && { id: userId(found.id), externalClientId: found.externalClientId };
    },
  },
});
const notes = useNotesService({ rooms });
const ask = (query: string, token = 'merchant-1') =>
  notes.api.get(`/notes/user${query}`, { token, headers: { 'x-request-id': 'r-1' } });

describe('the user that a call is about', () => {
  it.each([
    ['named by number', '?userId=107', 'merchant-1', 107],
    ['named by the merchant’s own name', '?externalClientId=bob', 'merchant-1', 108],
    ['the one of that merchant, of two with the same name', '?externalClientId=ada', 'merchant-2', 207],
    ['named in both ways', '?userId=107&externalClientId=ada', 'merchant-1', 107],
    ['the one of a user token', '', 'user-1-108', 108],
    ['the one of a user token, named once more by number', '?userId=108', 'user-1-108', 108],
    ['the one of a user token, named once more', '?externalClientId=bob', 'user-1-108', 108],
  ])('is %s', async (_, query, token, expected) => {
    const answer = await ask(query, token);
    expect([answer.status, answer.json]).toEqual([200, { userId: expected }]);
  });

  it('must be named: without one the call is refused', async () => {
    const answer = await ask('');
    expect(answer.json).toMatchObject({ status: 400, code: 'user_not_selected' });
    expect((await ask('?user=107&userid=107')).json.code).toBe('user_not_selected');
  });

  it.each([
    ['the number and the name', '?userId=107&externalClientId=bob', 'merchant-1'],
    ['the token and the number', '?userId=107', 'user-1-108'],
    ['the token and the name', '?externalClientId=ada', 'user-1-108'],
    ['all three', '?userId=108&externalClientId=ada', 'user-1-108'],
  ])('is refused when two disagree: %s', async (_, query, token) => {
    expect((await ask(query, token)).json).toMatchObject({ status: 400, code: 'user_selector_conflict' });
  });

  it.each(['abc', '', '0', '-107', '107.0', '1e2', '+107', '%20107', '0107', '0x6b', '9007199254740993', '107,108'])(
    'is refused when its number is malformed: %j',
    async (text) => {
      const answer = await ask(`?userId=${text}`);
      expect(answer.json).toMatchObject({
        status: 400,
        code: 'invalid_fields',
        errors: [{ field: 'userId', code: 'wrong_format', message: 'must be one positive integer' }],
      });
    },
  );

  it.each(['', '%00', 'ada%00'])('is refused when its name is malformed: %j', async (text) => {
    const answer = await ask(`?externalClientId=${text}`);
    expect(answer.json).toMatchObject({
      status: 400,
      code: 'invalid_fields',
      errors: [{ field: 'externalClientId', code: 'wrong_format', message: 'must be one identifier' }],
    });
  });

  it.each(['?userId=107&userId=107', '?userId=107&userId=108', '?externalClientId=ada&externalClientId=ada'])(
    'is refused when it is named twice: %s',
    async (query) => {
      expect((await ask(query)).json).toMatchObject({ status: 400, code: 'invalid_fields' });
    },
  );

  it.each(['?userId=107&userId=108', '?userId=x'])('is refused with a user token too: %s', async (query) => {
    expect((await ask(query, 'user-1-107')).json).toMatchObject({ status: 400, code: 'invalid_fields' });
  });

  it('gets the same 404 whether it does not exist or belongs to another merchant', async () => {
    const bodies = await Promise.all(
      ['?userId=999', '?userId=207', '?externalClientId=nobody', '?userId=207&externalClientId=ada'].map((query) =>
        ask(query),
      ),
    );
    for (const answer of bodies) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(
        `{"type":"${notes.service.url}/docs/errors#user_not_found",` +
          '"title":"No such user","status":404,' +
          '"detail":"There is no such user.","code":"user_not_found","requestId":"r-1"}',
      );
    }
  });

  it('gets 404 and not a conflict when a user token names the user of another merchant', async () => {
    expect((await ask('?userId=207', 'user-1-107')).json.code).toBe('user_not_found');
  });
});

describe('a call that may be about a user', () => {
  const keep = (query: string, token = 'merchant-1') =>
    notes.api.post(`/notes${query}`, { token, body: { text: `of ${query}` } });

  it('has no user when it names none, and the named user otherwise', async () => {
    await keep('');
    await keep('?userId=107');
    await keep('', 'user-1-108');
    const { rows } = await notes.sql.query('SELECT user_id::int FROM notes ORDER BY id');
    expect(rows.map((row) => row.user_id)).toEqual([null, 107, 108]);
  });

  it('is refused for an unknown user, and writes nothing', async () => {
    expect((await keep('?userId=207')).json.code).toBe('user_not_found');
    const { rows } = await notes.sql.query("SELECT 1 FROM notes WHERE text LIKE '%207'");
    expect(rows).toEqual([]);
  });
});

describe('a call that is about no user', () => {
  it('ignores user selectors', async () => {
    expect((await notes.api.get('/notes/empty?userId=x&userId=y', { token: 'merchant-1' })).status).toBe(200);
  });
});
