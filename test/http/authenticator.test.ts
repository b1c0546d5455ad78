import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import { read } from '../../src/http/route.js';
import type { Database } from '../../src/postgres/database.js';
import { notesRooms } from '../rooms/notes.js';
import { useNotesService } from './notes-service.js';

const forUsersOnly = read({
  method: 'GET',
  path: '/notes/own',
  operationId: 'getOwnNote',
  tag: 'Notes',
  summary: 'For a token of one user',
  access: { token: 'user', scope: 'users', user: 'required' },
  answer: Type.Object({ userId: Type.Integer() }, { title: 'OwnNote', examples: [{ userId: 1 }] }),
  run: async (call) => ({ userId: call.user.id }),
});
const rooms = (database: Database): ExtraRooms => {
  const room = notesRooms(database);
  return { ...room, routes: [...room.routes, forUsersOnly] };
};
const notes = useNotesService({ rooms });

describe('a caller without a valid token', () => {
  const authorizations: [string, string | undefined][] = [
    ['no token', undefined],
    ['an empty one', ''],
    ['another scheme', 'Basic bWVyY2hhbnQtMTpzZWNyZXQ='],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['a token without its scheme', 'merchant-1'],
    ['a token that opens nothing', 'Bearer garbage'],
    ['a token with white space in it', 'Bearer merchant-1 merchant-2'],
    ['two schemes', 'Bearer Bearer merchant-1'],
    ['the token of an operator', 'Bearer operator-admin'],
    ['a token in another alphabet', 'Bearer mérchant-1'],
  ];

  it.each(authorizations)('gets the same 401: %s', async (_, authorization) => {
    const headers = { 'x-request-id': 'r-1', ...(authorization === undefined ? {} : { authorization }) };
    const answer = await notes.api.get('/notes', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.text).toBe(
      `{"type":"${notes.service.url}/docs/errors#unauthorized",` +
        '"title":"Unauthorized","status":401,' +
        '"detail":"A valid access token is required.","code":"unauthorized","requestId":"r-1"}',
    );
  });

  it.each(['merchant-1', 'user-1-107', 'garbage'])('is %s on a route for operators', async (token) => {
    const answer = await notes.api.get('/notes/operated', { token, headers: { 'x-request-id': 'r-1' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.json).toMatchObject({ code: 'unauthorized', detail: 'A valid access token is required.' });
  });

  it('gets no RateLimit fields', async () => {
    const answer = await notes.api.get('/notes', { token: 'garbage' });
    expect(answer.headers.get('ratelimit')).toBeNull();
  });
});

describe('a caller with a valid token', () => {
  it.each(['Bearer merchant-1', 'bearer merchant-1', 'BEARER  merchant-1'])('may write %s', async (authorization) => {
    expect((await notes.api.get('/notes/empty', { headers: { authorization } })).status).toBe(200);
  });

  it('is refused without the scope, which the answer names', async () => {
    const answer = await notes.api.get('/notes', { token: 'merchant-1-rates' });
    expect(answer.json).toMatchObject({
      status: 403,
      code: 'scope_missing',
      detail: 'The token lacks the scope users.',
      requiredScope: 'users',
    });
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  it('is refused with a user token on a route for merchants', async () => {
    const answer = await notes.api.get('/notes', { token: 'user-1-107' });
    expect(answer.json).toMatchObject({ status: 403, code: 'merchant_token_required' });
  });

  it('is refused with a merchant token on a route for users', async () => {
    const answer = await notes.api.get('/notes/own?userId=107', { token: 'merchant-1' });
    expect(answer.json).toMatchObject({ status: 403, code: 'user_token_required' });
    expect((await notes.api.get('/notes/own', { token: 'user-1-107' })).json).toEqual({ userId: 107 });
  });

  it('is accepted as an operator with the declared role or a higher one', async () => {
    const viewer = await notes.api.get('/notes/operated', { token: 'operator-viewer' });
    expect(viewer.json).toMatchObject({ status: 403, code: 'role_missing', requiredRole: 'reviewer' });
    for (const token of ['operator-reviewer', 'operator-admin']) {
      expect((await notes.api.get('/notes/operated', { token })).json.text).toBe('operated');
    }
  });

  it('sees nothing of another merchant', async () => {
    await notes.api.post('/notes', { token: 'merchant-1', body: { text: 'of the first' } });
    expect((await notes.api.get('/notes', { token: 'merchant-2' })).json).toEqual([]);
    expect((await notes.api.get('/notes', { token: 'merchant-1' })).json).toMatchObject([{ text: 'of the first' }]);
  });
});
