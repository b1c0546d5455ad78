/**
 * A room that exists only in tests of the edge, the command runner and the worker: a merchant keeps notes, a job
 * stamps them. It does what every real room does, and nothing more.
 */
import Type from 'typebox';
import type { ExtraRooms } from '../../src/app.js';
import { type Caller, scopes } from '../../src/caller.js';
import { recordChange } from '../../src/changes/service.js';
import type { Authenticator } from '../../src/http/authenticator.js';
import { command, type Route, read } from '../../src/http/route.js';
import { merchantId, operatorId, userId } from '../../src/ids.js';
import type { Database } from '../../src/postgres/database.js';
import { statement } from '../../src/postgres/statement.js';
import type { Job } from '../../src/worker/worker.js';

export const notesTable = `
  CREATE TABLE notes (
    id bigint GENERATED ALWAYS AS IDENTITY, merchant_id bigint NOT NULL, user_id bigint, text text NOT NULL,
    stamped_by text, leased_until timestamptz, attempts integer NOT NULL DEFAULT 0, PRIMARY KEY (merchant_id, id));
  CREATE INDEX notes_unstamped ON notes (id) WHERE stamped_by IS NULL`;

const insertNote = statement(
  'notes.insert',
  'INSERT INTO notes (merchant_id, user_id, text) VALUES ($merchantId, $userId, $text) RETURNING id',
).rows<{ id: bigint }>();
const listNotes = statement(
  'notes.list',
  'SELECT id, text FROM notes WHERE merchant_id = $merchantId ORDER BY id',
).rows<{ id: bigint; text: string }>();
const wait = statement('notes.wait', 'SELECT pg_sleep($seconds)');
const claimNotes = statement(
  'notes.claim',
  `UPDATE notes SET leased_until = clock_timestamp() + make_interval(secs => $leaseSeconds), attempts = attempts + 1
    WHERE id IN (SELECT id FROM notes
                  WHERE stamped_by IS NULL AND coalesce(leased_until, '-infinity') < clock_timestamp()
                  ORDER BY id LIMIT $limit FOR UPDATE SKIP LOCKED)
   RETURNING id, attempts`,
).rows<{ id: bigint; attempts: number }>();
const stampNotes = statement(
  'notes.stamp',
  `UPDATE notes AS note SET stamped_by = $worker FROM unnest($ids::bigint[], $attempts::int[]) AS done (id, attempts)
    WHERE note.id = done.id AND note.attempts = done.attempts AND stamped_by IS NULL`,
);

const Note = Type.Object(
  { id: Type.Integer(), text: Type.String() },
  { title: 'Note', examples: [{ id: 1, text: 'hello' }] },
);
const NewNote = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 200 }),
    amount: Type.Optional(Type.Number()),
    color: Type.Optional(Type.Union([Type.Literal('red'), Type.Literal('blue')])),
  },
  { title: 'NewNote', additionalProperties: false, examples: [{ text: 'hello' }] },
);

export function notesRoutes(): Route[] {
  const described = { tag: 'Notes' } as const;
  return [
    command({
      ...described,
      method: 'POST',
      path: '/notes',
      operationId: 'createNote',
      summary: 'Keep a note',
      access: { token: 'either', scope: 'users', user: 'optional' },
      body: NewNote,
      literals: ['/amount'],
      answer: Note,
      async run(call, tx) {
        const [row] = await tx.query(insertNote, {
          merchantId: call.caller.merchantId,
          userId: call.user?.id ?? null,
          text: call.body.text,
        });
        const subject = `note:${row?.id}`;
        await recordChange(
          tx,
          { actor: call.caller },
          { merchantId: call.caller.merchantId, action: 'note.kept', subject },
        );
        tx.wake('notes.stamp');
        return { id: Number(row?.id), text: call.literal('/amount') ?? call.body.text };
      },
    }),
    command({
      ...described,
      method: 'POST',
      path: '/notes/slowly',
      operationId: 'createNoteSlowly',
      summary: 'Keep a note and take some time for it',
      access: { token: 'merchant', scope: 'users', user: 'none' },
      query: Type.Object({ ms: Type.Integer({ minimum: 0, maximum: 10_000 }) }),
      body: NewNote,
      answer: Note,
      async run(call, tx) {
        const [row] = await tx.query(insertNote, {
          merchantId: call.caller.merchantId,
          userId: null,
          text: call.body.text,
        });
        await tx.query(wait, { seconds: call.query.ms / 1000 });
        return { id: Number(row?.id), text: call.body.text };
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/notes',
      operationId: 'listNotes',
      summary: 'The notes kept so far',
      access: { token: 'merchant', scope: 'users', user: 'none' },
      answer: Type.Array(Note, { examples: [[{ id: 1, text: 'hello' }]] }),
      async run(call, database) {
        const rows = await database.query(listNotes, { merchantId: call.caller.merchantId });
        return rows.map((row) => ({ id: Number(row.id), text: row.text }));
      },
    }),
    read({
      ...described,
      method: 'GET',
      path: '/notes/user',
      operationId: 'getNoteUser',
      summary: 'Which user a call is about',
      access: { token: 'either', scope: 'users', user: 'required' },
      answer: Type.Object({ userId: Type.Integer() }, { title: 'NoteUser', examples: [{ userId: 1 }] }),
      run: async (call) => ({ userId: call.user.id }),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/notes/empty',
      operationId: 'getEmptyNote',
      summary: 'Nothing, through the whole edge',
      access: { token: 'merchant', scope: 'users', user: 'none' },
      answer: Note,
      run: async () => ({ id: 1, text: 'nothing' }),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/notes/broken',
      operationId: 'getBrokenNote',
      summary: 'Fails in a way that nobody foresaw',
      access: { token: 'merchant', scope: 'users', user: 'none' },
      answer: Note,
      run: () => Promise.reject(new Error('secret-in-an-error at /etc/secret.ts SELECT * FROM notes')),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/notes/operated',
      operationId: 'getOperatedNote',
      summary: 'For reviewers',
      access: { token: 'operator', role: 'reviewer' },
      answer: Note,
      run: async () => ({ id: 1, text: 'operated' }),
    }),
  ];
}

/** Tokens that say what they are: `merchant-1`, `merchant-1-rates` (scope), `user-1-7`, `operator-viewer`. */
export const plainTokens: Authenticator = {
  async authenticate(token): Promise<Caller | undefined> {
    const [kind, first, second] = token.split('-');
    if (kind === 'merchant') {
      const given = scopes.filter((scope) => second === undefined || scope === second);
      return { kind, merchantId: merchantId(Number(first)), scopes: new Set(given) };
    }
    if (kind === 'user') {
      const user = userId(Number(second));
      return { kind, merchantId: merchantId(Number(first)), userId: user, scopes: new Set(scopes) };
    }
    if (kind === 'operator' && (first === 'viewer' || first === 'reviewer' || first === 'admin')) {
      return {
        kind,
        operatorId: operatorId(1),
        role: first,
        token: { tokenId: token, expiresAt: 0 },
      };
    }
    return undefined;
  },
  findUser: async (merchant, selector) =>
    'userId' in selector && Math.floor(selector.userId / 100) === merchant
      ? { id: selector.userId, externalClientId: `cli_${selector.userId}` }
      : undefined,
};

export function stampJob(database: Database, worker: string, leaseSeconds = 60): Job {
  return {
    name: 'notes.stamp',
    everySeconds: 1,
    async run() {
      const claimed = await database.transaction((tx) => tx.query(claimNotes, { limit: 100, leaseSeconds }));
      if (claimed.length === 0) return 0;
      const ids = claimed.map((row) => row.id);
      const attempts = claimed.map((row) => row.attempts);
      await database.transaction((tx) => tx.query(stampNotes, { ids, attempts, worker }));
      return claimed.length;
    },
  };
}

export function notesRooms(database: Database): ExtraRooms {
  return {
    routes: notesRoutes(),
    jobs: [stampJob(database, String(process.pid))],
    authenticator: plainTokens,
  };
}
