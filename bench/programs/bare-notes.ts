/** What POST /notes does at the least: the same rows in one transaction, on a bare Fastify route and a plain pool. */
import { createHash } from 'node:crypto';
import fastify from 'fastify';
import pg from 'pg';
import { report } from '../parts/child.js';

const [connectionString = '', poolSize = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: Number(poolSize) });
const shape = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } } };

const insertNote = {
  name: 'insert-note',
  text: 'INSERT INTO notes (merchant_id, user_id, text) VALUES ($1, $2, $3) RETURNING id',
};
const insertAudit = {
  name: 'insert-audit',
  text: `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, journal_ids, occurred_at, seal)
         VALUES ($1, 'merchant', '1', 'note.kept', $2, '{}', '{}', now(), sha256($2::text::bytea))`,
};
const insertKey = {
  name: 'insert-key',
  text: `INSERT INTO idempotency_keys (merchant_id, scope_hash, fingerprint, answer, expires_at)
         VALUES ($1, $2, $3, $4, clock_timestamp() + interval '1 day')`,
};

const server = fastify({ logger: false });
server.post<{ Body: { text: string } }>(
  '/notes',
  { schema: { body: { ...shape, required: ['text'] }, response: { 200: shape } } },
  async (request) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query({ ...insertNote, values: [1, null, request.body.text] });
      const answer = { id: Number(rows[0].id), text: request.body.text };
      await client.query({ ...insertAudit, values: [1, `note:${answer.id}`] });
      const key = request.headers['idempotency-key'];
      if (key !== undefined) {
        const hash = createHash('sha256').update(String(key)).digest();
        await client.query({ ...insertKey, values: [1, hash, hash, JSON.stringify(answer)] });
      }
      await client.query('COMMIT');
      return answer;
    } finally {
      client.release();
    }
  },
);
report(await server.listen({ host: '127.0.0.1', port: 0 }));
