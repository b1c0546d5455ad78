import { createHash, type KeyObject, sign } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditChaining } from '../../src/audit/chain/chaining.js';
import { HeadFile } from '../../src/audit/chain/head-file.js';
import { listEntries } from '../../src/audit/entry-store.js';
import { verifyAudit } from '../../src/audit/verify/verify.js';
import { systemClock } from '../../src/clock.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import { migrate, readMigrations } from '../../src/postgres/migrate.js';
import { useTestDatabase } from '../harness/test-database.js';

const nothing = { faults: [], losses: [], unchecked: [] };
const signingKey = deriveSigningKey(Buffer.alloc(32, 7), 'audit head');
const before = readMigrations().findIndex(({ name }) => name.endsWith('_audit_chains.sql'));

/** As version 0.1.0 wrote it before each merchant had a chain. */
const insertAsBefore = `INSERT INTO audit_entries
     (merchant_id, actor_kind, actor_id, action, subject, from_state, to_state, details, request_id)
   VALUES ($1, 'system', 'x', 'note.kept', 'note:1', NULL, NULL, '{"b": 1, "a": [2]}', NULL)`;

/** Chains like the previous version: one chain over all merchants, under an advisory lock. Returns the number chained. */
async function chainAsBefore(client: pg.PoolClient, key: KeyObject, path: string): Promise<number> {
  await client.query('BEGIN; SELECT pg_try_advisory_xact_lock(1635083369)');
  const { rows } = await client.query(
    `SELECT id, ARRAY[id::text, merchant_id::text, actor_kind, actor_id, action, subject, from_state, to_state,
                      details::text, request_id,
                      to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')] AS content
       FROM audit_entries WHERE sequence IS NULL ORDER BY id LIMIT 500`,
  );
  const end = await client.query(
    'SELECT sequence, hash FROM audit_entries WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1',
  );
  let sequence = Number(end.rows[0]?.sequence ?? 0);
  let hash: Buffer = end.rows[0]?.hash ?? Buffer.alloc(32);
  for (const { id, content } of rows) {
    const previous = hash;
    sequence += 1;
    hash = createHash('sha256')
      .update(JSON.stringify([previous.toString('hex'), String(sequence), ...content]))
      .digest();
    const values = [sequence, previous, hash, id];
    await client.query(
      'UPDATE audit_entries SET sequence = $1, previous_hash = $2, hash = $3 WHERE id = $4',
      values,
    );
  }
  if (rows.length > 0) {
    const signature = sign(null, Buffer.from(`remesa audit head ${sequence} ${hash.toString('hex')}`), key);
    await client.query('INSERT INTO audit_heads (sequence, hash, signature) VALUES ($1, $2, $3)', [
      sequence,
      hash,
      signature,
    ]);
    const line = {
      sequence: String(sequence),
      hash: hash.toString('hex'),
      signature: signature.toString('base64'),
    };
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  }
  await client.query('COMMIT');
  return rows.length;
}

const { url, database, sql } = useTestDatabase({ template: 'template0' });
const folder = mkdtempSync(join(tmpdir(), 'remesa-upgrade-'));
const headFile = new HeadFile(join(folder, 'audit-heads.jsonl'));
const context = { database, signingKey, headFile, clock: systemClock };
const chain = () => new AuditChaining(context).run(new AbortController().signal);
const verify = () => verifyAudit(context);
let client: pg.PoolClient;
let savedFile = '';

/** A database of the previous version with five entries in two batches and one that is not chained, then migrated. */
beforeAll(async () => {
  await migrate(url, { migrations: readMigrations().slice(0, before) });
  client = await sql.connect();
  for (const merchants of [
    [7, null, 8],
    [7, null],
  ]) {
    for (const merchant of merchants) await client.query(insertAsBefore, [merchant]);
    await chainAsBefore(client, signingKey, headFile.path);
  }
  await client.query(insertAsBefore, [null]);
  await migrate(url, { migrations: readMigrations() });
  savedFile = readFileSync(headFile.path, 'utf8');
  await client.query(
    'CREATE TABLE saved_entries AS TABLE audit_entries; CREATE TABLE saved_heads AS TABLE audit_heads',
  );
});

beforeEach(async () => {
  writeFileSync(headFile.path, savedFile);
  await tamper(`TRUNCATE audit_entries, audit_heads, audit_chains, audit_signed_heads;
    INSERT INTO audit_entries OVERRIDING SYSTEM VALUE TABLE saved_entries; INSERT INTO audit_heads TABLE saved_heads`);
});

afterAll(() => {
  client.release();
  rmSync(folder, { recursive: true });
});

async function tamper(statements: string): Promise<void> {
  await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statements}; COMMIT`);
}

async function faults(): Promise<string[]> {
  return (await verify()).faults.map(({ chain, text }) => `${chain}: ${text}`);
}

describe('a database of the previous version', () => {
  it('keeps its entries, and each merchant’s chain continues from the end of the former one', async () => {
    expect(await verify()).toEqual({ ...nothing, entries: 5, chains: 0, heads: 4 });
    await client.query(insertAsBefore, [8]);
    expect(await chain()).toBe(2);
    const { rows } = await client.query(
      `SELECT merchant_id::int AS merchant, sequence::int, of_former_chain AS former FROM audit_entries ORDER BY id`,
    );
    expect(rows.map(({ merchant, sequence, former }) => [merchant, sequence, former])).toEqual([
      [7, 1, true],
      [0, 2, true],
      [8, 3, true],
      [7, 4, true],
      [0, 5, true],
      [0, 6, false],
      [8, 6, false],
    ]);
    expect(await verify()).toEqual({ ...nothing, entries: 7, chains: 2, heads: 6 });
  });

  it('serves nodes of the previous version: they record, and find nothing to chain', async () => {
    await client.query(insertAsBefore, [null]);
    await client.query(insertAsBefore, [7]);
    expect(await chainAsBefore(client, signingKey, headFile.path)).toBe(0);
    expect(await chain()).toBe(3);
    expect(await verify()).toMatchObject(nothing);
    const filter = {
      actor: undefined,
      action: undefined,
      subject: undefined,
      from: undefined,
      to: undefined,
    };
    const entries = await listEntries(database, { ...filter, merchantId: undefined }, undefined, 10);
    expect(entries.map(({ merchantId }) => merchantId)).toEqual([
      7,
      undefined,
      undefined,
      undefined,
      7,
      8,
      undefined,
      7,
    ]);
  });

  it.each([
    ["UPDATE audit_entries SET action = 'x.y' WHERE sequence = 2", 'former: entry 2 was changed'],
    ['UPDATE audit_entries SET merchant_id = 9 WHERE sequence = 2', 'former: entry 2 was changed'],
    ['DELETE FROM audit_entries WHERE sequence = 2', 'former: entry 2 is missing'],
    [
      'DELETE FROM audit_entries WHERE sequence = 5',
      'former: entry 5 is missing, but a signed head in the database covers entry 5',
    ],
    [
      "UPDATE audit_heads SET signature = '' WHERE sequence = 3",
      'former: the signature of head 3 is not valid',
    ],
    ['DELETE FROM audit_heads WHERE sequence = 5', 'former: entries 4 to 5 are not signed'],
  ])('still has tampering with its former chain detected: %s', async (statement, fault) => {
    await tamper(statement);
    expect(await faults()).toEqual([fault]);
  });

  it('has a forged end of the former chain detected by the chains that continue from it', async () => {
    await chain();
    await tamper('DELETE FROM audit_heads WHERE sequence = 5');
    expect(await faults()).toContain('0: entries 4 to 5 are missing');
  });

  it('has a former chain that is shorter than the file reported as a loss', async () => {
    await tamper('DELETE FROM audit_entries WHERE sequence > 3; DELETE FROM audit_heads WHERE sequence > 3');
    const { faults, losses } = await verify();
    expect([faults, losses]).toEqual([[], [{ chain: 'former', text: 'entries 4 to 5 are lost (2 in all)' }]]);
  });

  it('has a forged line of the former chain in the file detected', async () => {
    writeFileSync(headFile.path, readFileSync(headFile.path, 'utf8').replace('"3"', '"2"'));
    expect((await verify()).faults).toEqual([
      { text: 'the signature in line 1 of the file of heads is not valid' },
    ]);
  });
});
