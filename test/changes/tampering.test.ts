import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeHash, emptyChain } from '../../src/changes/chain/chain.js';
import { type ChainedChange, chainedChanges } from '../../src/changes/chain/chain-store.js';
import { noHead, signHead } from '../../src/changes/chain/head.js';
import { listHeadsAfter } from '../../src/changes/chain/head-store.js';
import { merchantId } from '../../src/ids.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();
const acme = merchantId(7);
const nothing = { faults: [], losses: [], unchecked: [] };

/** Creates ten entries of merchant 7 with signed ends at 4, 7 and 10, and two of the instance with the end at 2. */
beforeEach(async () => {
  await log.record(2);
  for (const count of [4, 3, 3]) {
    await log.record(count, { merchant: acme, channel: 'kyc' });
    await log.chain();
  }
  expect(await log.verify()).toMatchObject({ ...nothing, entries: 12, chains: 2, heads: 6 });
});

async function entriesOfAcme(): Promise<ChainedChange[]> {
  const entries = [];
  for await (const entry of chainedChanges(log.database, 1000)) if (entry.merchantId === acme) entries.push(entry);
  return entries;
}

/** Recomputes all hashes of merchant 7, as an attacker who knows this code would. */
async function rebuildChain(): Promise<void> {
  let end = emptyChain;
  for (const entry of await entriesOfAcme()) {
    const number = end.number + 1n;
    const hash = changeHash(end.hash, number, entry);
    await log.tamper('UPDATE changes SET number = $1, hash = $2 WHERE id = $3', [number, hash, entry.id]);
    end = { number, hash };
  }
}

describe('the verification of the audit log detects', () => {
  it('a deleted entry', async () => {
    await log.tamper('DELETE FROM changes WHERE merchant_id = 7 AND number = 5');
    expect(await log.findings()).toEqual({ ...nothing, faults: ['7: entry 5 is missing'] });
  });

  it('deleted first entries', async () => {
    await log.tamper('DELETE FROM changes WHERE merchant_id = 7 AND number < 3');
    expect(await log.faults()).toEqual(['7: entries 1 to 2 are missing']);
  });

  it('a deleted last entry', async () => {
    await log.tamper('DELETE FROM changes WHERE merchant_id = 7 AND number = 10');
    expect(await log.findings()).toEqual({
      ...nothing,
      faults: ['7: entry 10 is missing, but a signed head in the database covers entry 10'],
    });
  });

  it('a merchant of whom every entry was deleted', async () => {
    await log.tamper('DELETE FROM changes WHERE merchant_id = 7');
    expect(await log.faults()).toEqual([
      '7: entries 1 to 10 are missing, but a signed head in the database covers entry 10',
    ]);
  });

  it('detects that everything including the file of heads was deleted, if there are operators', async () => {
    await log.tamper('TRUNCATE changes, change_chains, signed_heads');
    log.file = log.newFile();
    await log.sql.query("INSERT INTO operators (login, password_hash, role) VALUES ('ana', 'x', 'admin')");
    expect(await log.faults()).toEqual([
      'the log is empty, but there are merchants or operators whose creation it must contain',
    ]);
    await log.sql.query('DELETE FROM operators');
  });

  it.each([
    "action = 'note.burnt'",
    "subject = 'note:99'",
    "actor_id = 'somebody else'",
    "actor_kind = 'operator'",
    "approved_by = 3, approval_id = 'apr_1'",
    "from_state = 'a'",
    "to_state = 'b'",
    `details = '{"fields":["b","a"],"index":99}'`,
    `details = '{"index":4,"fields":["b","a"]}'`,
    "request_id = 'r-1'",
    'version = 1',
    'public_version = 1',
    "event_type = 'order.completed'",
    "event_id = 'evt_other'",
    "previous_status = 'PENDING'",
    "object_digest = sha256('x')",
    "journal_ids = '{1}', journals_digest = sha256('x')",
    "row_digest = sha256('x')",
    "seal = sha256('x')",
  ])('an edited entry: %s', async (change) => {
    await log.tamper(`UPDATE changes SET ${change} WHERE merchant_id = 7 AND number = 5`);
    expect(await log.findings()).toEqual({ ...nothing, faults: ['7: entry 5 was changed'] });
  });

  it.each([
    "occurred_at = occurred_at + interval '1 microsecond'",
    "recorded_at = recorded_at + interval '1 microsecond'",
    'sequence = 99',
    "hash = sha256('x')",
  ])('an edited entry, by its place in the chain: %s', async (change) => {
    await log.tamper(`UPDATE changes SET ${change} WHERE merchant_id = 7 AND number = 5`);
    expect((await log.faults())[0]).toBe('7: entry 5 or its place in the chain was changed');
  });

  it('an object of an event that was altered, before and after it was numbered', async () => {
    await log.tamper(`UPDATE changes SET object = '{"index":99}' WHERE merchant_id = 7 AND number = 5`);
    await log.record(1, { merchant: acme, channel: 'kyc' });
    await log.tamper(`UPDATE changes SET object = '{}' WHERE number IS NULL`);
    await log.chain();
    expect(await log.faults()).toEqual([
      '7: the object of entry 5 was changed',
      '7: the object of entry 11 was changed',
    ]);
  });

  it('an entry that the service did not write, which is never numbered', async () => {
    await log.tamper(
      `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, journal_ids, occurred_at, seal)
       OVERRIDING SYSTEM VALUE VALUES (7, 'system', 'x', 'note.invented', 'note:1', '{}', '{}', clock_timestamp(), sha256('x'))`,
    );
    await log.chain();
    expect(await log.faults()).toEqual([
      expect.stringMatching(/^7: the entry with the id \d+ was not written by the service$/),
    ]);
  });

  it('an entry that was moved to another merchant', async () => {
    await log.tamper('UPDATE changes SET merchant_id = 8 WHERE merchant_id = 7 AND number = 5');
    expect(await log.faults()).toEqual([
      '7: entry 5 is missing',
      '8: entries 1 to 4 are missing',
      '8: entry 5 was changed',
    ]);
  });

  it('an edited entry whose hash was recomputed', async () => {
    const changed = new Date();
    await log.tamper('UPDATE changes SET occurred_at = $1 WHERE merchant_id = 7 AND number = 5', [changed]);
    const [, , , fourth, fifth] = await entriesOfAcme();
    if (!fourth || !fifth) throw new Error('entry 5 is not there');
    const hash = changeHash(fourth.hash, 5n, fifth);
    await log.tamper('UPDATE changes SET hash = $1 WHERE merchant_id = 7 AND number = 5', [hash]);
    expect(await log.faults()).toEqual(['7: entry 6 or its place in the chain was changed']);
  });

  it('two entries that were swapped', async () => {
    await log.tamper(
      `UPDATE changes AS a SET number = 1000 + b.number, hash = b.hash, sequence = 1000 + b.sequence
         FROM changes AS b
        WHERE a.merchant_id = 7 AND b.merchant_id = 7 AND (a.number, b.number) IN ((5, 6), (6, 5))`,
    );
    await log.tamper('UPDATE changes SET number = number - 1000, sequence = sequence - 1000 WHERE number > 1000');
    expect(await log.faults()).toEqual([
      '7: entry 5 or its place in the chain was changed',
      '7: entry 6 or its place in the chain was changed',
    ]);
  });

  it('an inserted entry', async () => {
    await log.tamper(
      'UPDATE changes SET number = number + 1000, sequence = sequence + 1000 WHERE merchant_id = 7 AND number >= 5',
    );
    await log.tamper('UPDATE changes SET number = number - 999, sequence = sequence - 999 WHERE number > 1000');
    await log.tamper(
      `INSERT INTO changes (merchant_id, actor_kind, actor_id, action, subject, details, journal_ids, occurred_at, seal,
                            number, hash)
       VALUES (7, 'system', 'x', 'note.invented', 'note:1', '{}', '{}', clock_timestamp(), sha256('x'), 5, sha256('y'))`,
    );
    expect(await log.faults()).toContain('7: entry 5 was changed');
  });

  it('a chain that was rebuilt after an edit', async () => {
    await log.tamper('UPDATE changes SET occurred_at = recorded_at WHERE merchant_id = 7 AND number = 5');
    await rebuildChain();
    expect(await log.findings()).toEqual({
      ...nothing,
      faults: ['7: entry 10 is not the one that was signed'],
    });
  });

  it('a chain that was rebuilt without an entry after the heads were deleted', async () => {
    await log.tamper('DELETE FROM changes WHERE merchant_id = 7 AND number = 5');
    await log.tamper('DELETE FROM signed_heads');
    await rebuildChain();
    expect(await log.faults()).toContain('7: entry 7 is not the one that was signed');
  });

  it('heads that were signed with another key, even when the file is missing', async () => {
    await log.tamper('UPDATE changes SET occurred_at = recorded_at WHERE merchant_id = 7 AND number = 1');
    await rebuildChain();
    const otherKey = deriveSigningKey(Buffer.alloc(32, 8), 'audit head');
    let previous: Parameters<typeof signHead>[1] = noHead;
    for (const { ends, signedAt } of await listHeadsAfter(log.database, 0n, 10)) {
      const head = signHead(otherKey, previous, ends, signedAt);
      const values = [head.previousHash, head.hash, head.signature, head.number];
      const statement = 'UPDATE signed_heads SET previous_hash = $1, hash = $2, signature = $3 WHERE number = $4';
      await log.tamper(statement, values);
      previous = head;
    }
    log.file = log.newFile();
    expect(await log.faults()).toEqual(
      [1, 2, 3].map((number) => `head ${number} was changed: its signature is not valid`),
    );
  });

  it.each([
    "signature = sha256('x') || sha256('y')",
    "signature = ''",
    "ends = '[]'",
    'ends = \'{"not": "ends"}\'',
    "hash = sha256('x')",
    "signed_at = 'infinity'",
  ])('a changed head in the database: %s', async (change) => {
    await log.tamper(`UPDATE signed_heads SET ${change} WHERE number = 3`);
    expect(await log.faults()).toEqual(['head 3 was changed: its signature is not valid']);
  });

  it('deleted heads in the middle', async () => {
    await log.tamper('DELETE FROM signed_heads WHERE number = 2');
    expect(await log.faults()).toEqual(['head 2 is missing']);
    await log.tamper('DELETE FROM signed_heads WHERE number = 1');
    expect(await log.faults()).toEqual(['heads 1 to 2 are missing']);
  });

  it('a head that does not follow the previous one', async () => {
    const [, second] = await listHeadsAfter(log.database, 0n, 10);
    const branch = signHead(log.key, { number: 1n, hash: Buffer.alloc(32) }, second?.ends ?? [], new Date());
    await log.tamper(
      'UPDATE signed_heads SET previous_hash = $1, signed_at = $2, hash = $3, signature = $4 WHERE number = 2',
      [branch.previousHash, branch.signedAt, branch.hash, branch.signature],
    );
    expect(await log.faults()).toEqual([
      'head 2 does not follow the previous head',
      'head 3 does not follow the previous head',
    ]);
  });

  it('damaged and forged lines in the file', async () => {
    const lines = readFileSync(log.file.path, 'utf8').split('\n');
    const forged = (lines[2] ?? '').replace('"10"', '"11"');
    writeFileSync(log.file.path, [lines[0], '{"number":"2"}', forged, ''].join('\n'));
    expect(await log.faults()).toEqual([
      'line 2 of the file of heads cannot be read',
      'the signature in line 3 of the file of heads is not valid',
    ]);
  });
});

describe('the verification of an incomplete audit log', () => {
  it.each(['missing', 'empty'])('reports what it could not check when the file of heads is %s', async (condition) => {
    const file = log.newFile();
    if (condition === 'empty') writeFileSync(file.path, '');
    log.file = file;
    expect(await log.findings()).toEqual({
      ...nothing,
      unchecked: [expect.stringContaining(`${file.path} is missing or empty`)],
    });
  });

  it('reports what it could not check when entries of more than a minute ago have no signed head', async () => {
    await log.record(1, { merchant: acme });
    await log.tamper("UPDATE changes SET recorded_at = clock_timestamp() - interval '2 minutes' WHERE number IS NULL");
    await log.chain();
    await log.tamper('DELETE FROM signed_heads WHERE number = 4');
    log.file = log.newFile();
    expect((await log.findings()).unchecked[0]).toBe('7: entry 11 is not signed yet: is a worker running?');
  });
});

describe('the verification of the audit log accepts', () => {
  it('a last line of the file that a crash left incomplete', async () => {
    const { length } = readFileSync(log.file.path);
    truncateSync(log.file.path, length - 20);
    expect(await log.verify()).toMatchObject({ ...nothing, entries: 12, chains: 2, heads: 5 });
  });

  it('a line that was written after an incomplete one', async () => {
    appendFileSync(log.file.path, '{"number":"1');
    await log.record(1);
    await log.chain();
    expect(await log.verify()).toMatchObject({ ...nothing, entries: 13 });
    expect(
      readFileSync(log.file.path, 'utf8')
        .split('\n')
        .map((line) => line.slice(0, 13)),
    ).toEqual(['{"number":"1"', '{"number":"2"', '{"number":"3"', '{"number":"4"', '']);
  });

  it('entries that are not chained yet', async () => {
    await log.record(3);
    expect(await log.findings()).toEqual(nothing);
  });

  it('an empty log', async () => {
    await log.tamper('TRUNCATE changes, change_chains, signed_heads');
    log.file = log.newFile();
    expect(await log.verify()).toMatchObject({ ...nothing, entries: 0, chains: 0, heads: 0 });
  });
});
