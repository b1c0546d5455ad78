import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import type { ExtraRooms } from '../../src/app.js';
import { checkerOf } from '../../src/http/body/field-faults.js';
import { readQueryValues } from '../../src/http/body/query-values.js';
import { read } from '../../src/http/route.js';
import type { Database } from '../../src/postgres/database.js';
import { notesRooms } from '../rooms/notes.js';
import { useNotesService } from './notes-service.js';

const parameters = read({
  method: 'GET',
  path: '/notes/by/{page}',
  operationId: 'getNotePage',
  tag: 'Notes',
  summary: 'Parameters as they arrive',
  access: { token: 'merchant', scope: 'users', user: 'none' },
  params: Type.Object({ page: Type.Integer({ minimum: 1, maximum: 99 }) }),
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    word: Type.String(),
  }),
  answer: Type.Object(
    { page: Type.Integer(), limit: Type.Optional(Type.Integer()), word: Type.String() },
    { title: 'NotePage', examples: [{ page: 1, word: 'a' }] },
  ),
  run: async ({ params, query }) => ({ ...params, ...query }),
});
const rooms = (database: Database): ExtraRooms => {
  const room = notesRooms(database);
  return { ...room, routes: [...room.routes, parameters] };
};
const notes = useNotesService({ rooms });
const token = 'merchant-1';
const faults = async (body: unknown) => (await notes.api.post('/notes', { token, body })).json.errors;

it('an integer in an address is read with up to 16 digits, as user ids have, and only while it is exact', () => {
  const schema = Type.Object({ after: Type.Integer() });
  const read = (after: string) => readQueryValues(schema, { after }).after;
  expect([read('9007199254740991'), read('-9007199254740991')]).toEqual([9007199254740991, -9007199254740991]);
  expect([read('9007199254740993'), read('10000000000000000')]).toEqual(['9007199254740993', '10000000000000000']);
});

describe('the fields of a body', () => {
  it('are all reported at once, each with its limits', async () => {
    const body = { text: 'x'.repeat(201), amount: 'much', color: 'green', extra: 1, 'other.one': 2 };
    const answer = await notes.api.post('/notes', { token, body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: 'invalid_fields', detail: '5 fields are invalid.' });
    const byName = answer.json.errors.sort((a: { field: string }, b: { field: string }) =>
      a.field < b.field ? -1 : 1,
    );
    expect(byName).toEqual([
      { field: 'amount', code: 'wrong_type', message: 'must be a number', expected: 'number' },
      { field: 'color', code: 'not_allowed', message: 'must be one of red, blue', allowed: ['red', 'blue'] },
      { field: 'extra', code: 'unknown_field', message: 'is not a field of this request' },
      { field: 'other.one', code: 'unknown_field', message: 'is not a field of this request' },
      { field: 'text', code: 'too_long', message: 'must have at most 200 characters', max: 200 },
    ]);
  });

  it('are reported when they are required and missing', async () => {
    const answer = await notes.api.post('/notes', { token, body: {} });
    expect(answer.json.detail).toBe('text: is required');
    expect(answer.json.errors).toEqual([{ field: 'text', code: 'required', message: 'is required' }]);
  });

  it('have a minimum length', async () => {
    expect(await faults({ text: '' })).toEqual([
      { field: 'text', code: 'too_short', message: 'must have at least 1 characters', min: 1 },
    ]);
  });

  it.each([[[]], ['text'], [7], [null]])('stand in an object, and %j is none', async (body) => {
    const answer = await notes.api.post('/notes', { token, body });
    expect(answer.json).toMatchObject({ code: 'invalid_fields', detail: 'The body must be an object.' });
  });

  it('are reported as missing when there is no body', async () => {
    const answer = await notes.api.post('/notes', { token });
    expect(answer.json).toMatchObject({ code: 'invalid_fields', detail: 'The body must be an object.' });
  });

  it.each(['100.50', '1e2', '0.10', '12345678901234567890'])('keep a number as it was written: %s', async (literal) => {
    const answer = await notes.api.post('/notes', { token, text: `{"text":"a","amount":${literal}}` });
    expect(answer.json.text).toBe(literal);
  });

  it('are refused when a number is too large for a double', async () => {
    const answer = await notes.api.post('/notes', { token, text: '{"text":"a","amount":1e999}' });
    expect(answer.json.errors).toMatchObject([{ field: 'amount', code: 'wrong_type' }]);
  });

  it('are named by their path when they are nested, and reported however many there are', () => {
    const schema = Type.Object({ list: Type.Array(Type.Object({ 'a/b': Type.Integer({ minimum: 1 }) })) });
    const found = checkerOf(schema)({ list: Array.from({ length: 50 }, () => ({ 'a/b': 0 })) });
    expect(found).toHaveLength(50);
    expect(found[49]).toEqual({
      field: 'list.49.a/b',
      code: 'too_small',
      message: 'must be at least 1',
      min: 1,
    });
  });
});

describe('the parameters of an address', () => {
  it('become numbers only where integers are declared', async () => {
    const answer = await notes.api.get('/notes/by/7?limit=10&word=10', { token });
    expect(answer.json).toEqual({ page: 7, limit: 10, word: '10' });
  });

  it('are reported together, those of the path and those of the query', async () => {
    const answer = await notes.api.get('/notes/by/100?limit=0', { token });
    expect(answer.json.errors).toEqual([
      { field: 'page', code: 'too_large', message: 'must be at most 99', max: 99 },
      { field: 'word', code: 'required', message: 'is required' },
      { field: 'limit', code: 'too_small', message: 'must be at least 1', min: 1 },
    ]);
  });

  it.each(['1.0', '1e1', '+1', '0x1', '%201', '1;2', '', '9999999999999999'])('are no number: %j', async (text) => {
    const answer = await notes.api.get(`/notes/by/1?word=a&limit=${text}`, { token });
    expect(answer.json.errors).toMatchObject([{ field: 'limit', code: 'wrong_type', expected: 'integer' }]);
  });

  it('are refused when one is given twice', async () => {
    const answer = await notes.api.get('/notes/by/1?word=a&word=b', { token });
    expect(answer.json.errors).toMatchObject([{ field: 'word', code: 'wrong_type', expected: 'string' }]);
  });

  it('are refused when they contain a NUL, which PostgreSQL cannot store', async () => {
    const answer = await notes.api.get('/notes/by/1?word=a%00b', { token });
    expect(answer.json.errors).toEqual([
      { field: 'word', code: 'wrong_format', message: 'must not contain a NUL character' },
    ]);
  });

  it('are not confused with properties that every object inherits', async () => {
    const answer = await notes.api.get('/notes/by/1?word=a&__proto__=1&__proto__=2&constructor=3', { token });
    expect(answer.json).toEqual({ page: 1, word: 'a' });
  });
});
