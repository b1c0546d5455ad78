import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyChain, entryHash, signHead } from '../../src/audit/audit.js';
import { listChainedAfter } from '../../src/audit/store.js';
import { deriveSigningKey } from '../../src/keys/derive.js';
import { useAuditLog } from './audit-log.js';

const log = useAuditLog();

/** Creates ten entries in three batches, with signed heads at 4, 7 and 10. */
beforeEach(async () => {
  for (const count of [4, 3, 3]) {
    await log.record(count);
    await log.chain();
  }
  expect(await log.verify()).toEqual({ entries: 10n, heads: 6, faults: [], unchecked: [] });
});

/** Recomputes all hashes, as an attacker who knows this code would. */
async function rebuildChain(): Promise<void> {
  let end: { sequence: bigint; hash: Buffer } = emptyChain;
  for (const entry of await listChainedAfter(log.database, 0n, 1000)) {
    const sequence = end.sequence + 1n;
    const hash = entryHash(end.hash, sequence, entry.content);
    await log.tamper('UPDATE audit_entries SET sequence = $1, previous_hash = $2, hash = $3 WHERE id = $4', [
      sequence,
      end.hash,
      hash,
      entry.content[0],
    ]);
    end = { sequence, hash };
  }
}

const lostTail =
  'the database is behind its file of heads: entries 8 to 10 were signed and are lost, and nothing before them was changed. ' +
  'A failover to a standby that was behind, or an older backup, does this; so does deleting the end of the log';

describe('the verification of the audit log detects', () => {
  it('a deleted entry', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence = 5');
    expect(await log.faults()).toEqual(['entry 5 is missing']);
  });

  it('a deleted first entry', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence = 1');
    expect(await log.faults()).toEqual(['entry 1 is missing']);
  });

  it('a deleted last entry', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence = 10');
    expect(await log.faults()).toEqual([
      'entry 10 was signed and is missing now',
      'the end of the log, entry 9, has no signed head',
    ]);
  });

  it('deleted last entries whose head was deleted too', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence > 7');
    await log.tamper('DELETE FROM audit_heads WHERE sequence > 7');
    expect(await log.faults()).toEqual([lostTail]);
  });

  it('a lost end of the log as well as a change before it', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence > 7');
    await log.tamper('DELETE FROM audit_heads WHERE sequence > 7');
    await log.tamper("UPDATE audit_entries SET action = 'note.burnt' WHERE sequence = 2");
    expect(await log.faults()).toEqual([
      'entry 2 was changed',
      lostTail.replace(', and nothing before them was changed', ''),
    ]);
  });

  it('that everything including the file of heads was deleted, if there are operators', async () => {
    await log.tamper('TRUNCATE audit_entries, audit_heads');
    log.file = log.newFile();
    await log.sql.query("INSERT INTO operators (login, password_hash, role) VALUES ('ana', 'x', 'admin')");
    expect(await log.faults()).toEqual([
      'the log is empty, but there are merchants or operators whose creation it must contain',
    ]);
    await log.sql.query('DELETE FROM operators');
  });

  it('that everything except the file of heads was deleted', async () => {
    await log.tamper('TRUNCATE audit_entries, audit_heads');
    expect(await log.faults()).toEqual([
      'entry 4 was signed and is missing now',
      'entry 7 was signed and is missing now',
      'entry 10 was signed and is missing now',
    ]);
  });

  it.each([
    "action = 'note.burnt'",
    "subject = 'note:99'",
    "actor_id = 'somebody else'",
    "actor_kind = 'operator'",
    'merchant_id = 7',
    "from_state = 'a'",
    "to_state = 'b'",
    'details = details || \'{"index": 99}\'',
    "request_id = 'r-1'",
    "occurred_at = occurred_at + interval '1 microsecond'",
  ])('an edited entry: %s', async (change) => {
    await log.tamper(`UPDATE audit_entries SET ${change} WHERE sequence = 5`);
    expect(await log.faults()).toEqual(['entry 5 was changed']);
  });

  it('an edited entry whose hash was recomputed', async () => {
    await log.tamper("UPDATE audit_entries SET action = 'note.burnt' WHERE sequence = 5");
    const [entry] = await listChainedAfter(log.database, 4n, 1);
    if (!entry) throw new Error('entry 5 is not there');
    await log.tamper('UPDATE audit_entries SET hash = $1 WHERE sequence = 5', [
      entryHash(entry.previousHash, 5n, entry.content),
    ]);
    expect(await log.faults()).toEqual(['entry 6 does not follow the previous entry']);
  });

  it('two entries that were swapped', async () => {
    await log.tamper(
      `UPDATE audit_entries AS a SET sequence = 1000 + b.sequence, previous_hash = b.previous_hash, hash = b.hash
         FROM audit_entries AS b WHERE (a.sequence, b.sequence) IN ((5, 6), (6, 5))`,
    );
    await log.tamper('UPDATE audit_entries SET sequence = sequence - 1000 WHERE sequence > 1000');
    expect(await log.faults()).toEqual(['entry 5 was changed', 'entry 6 was changed']);
  });

  it('an inserted entry', async () => {
    await log.tamper('UPDATE audit_entries SET sequence = sequence + 1000 WHERE sequence >= 5');
    await log.tamper('UPDATE audit_entries SET sequence = sequence - 999 WHERE sequence > 1000');
    await log.tamper(
      `INSERT INTO audit_entries (actor_kind, actor_id, action, subject, sequence, previous_hash, hash)
       VALUES ('system', 'x', 'note.invented', 'note:1', 5, sha256('x'), sha256('y'))`,
    );
    expect(await log.faults()).toContain('entry 5 was changed');
  });

  it('a chain that was rebuilt after an edit', async () => {
    await log.tamper("UPDATE audit_entries SET action = 'note.burnt' WHERE sequence = 5");
    await rebuildChain();
    expect(await log.faults()).toEqual([
      'entry 7 is not the one that was signed',
      'entry 7 is not the one that was signed',
      'entry 10 is not the one that was signed',
      'entry 10 is not the one that was signed',
      'the end of the log, entry 10, has no signed head',
    ]);
  });

  it('a chain that was rebuilt without an entry after its heads were deleted', async () => {
    await log.tamper('DELETE FROM audit_entries WHERE sequence = 5; DELETE FROM audit_heads');
    await rebuildChain();
    expect(await log.faults()).toEqual([
      'entry 7 is not the one that was signed',
      'entry 10 was signed and is missing now',
      'the end of the log, entry 9, has no signed head',
    ]);
  });

  it('a chain that was rebuilt and signed with another key, even when the file is missing', async () => {
    await log.tamper("UPDATE audit_entries SET action = 'note.burnt' WHERE sequence = 1");
    await rebuildChain();
    const otherKey = deriveSigningKey(Buffer.alloc(32, 8), 'audit head');
    for (const { sequence, hash } of await listChainedAfter(log.database, 0n, 1000)) {
      const { signature } = signHead(otherKey, sequence, hash);
      const values = [hash, signature, sequence];
      await log.tamper('UPDATE audit_heads SET hash = $1, signature = $2 WHERE sequence = $3', values);
    }
    log.file = log.newFile();
    expect(await log.faults()).toEqual([
      'the signature of head 4 is not valid',
      'the signature of head 7 is not valid',
      'the signature of head 10 is not valid',
      'the end of the log, entry 10, has no signed head',
    ]);
  });

  it('entries that were chained without the signing key', async () => {
    await log.record(1, 'note.invented');
    const [end] = await listChainedAfter(log.database, 9n, 1);
    if (!end) throw new Error('entry 10 is not there');
    await log.tamper(
      'UPDATE audit_entries SET sequence = 11, previous_hash = $1, hash = $1 WHERE sequence IS NULL',
      [end.hash],
    );
    const [entry] = await listChainedAfter(log.database, 10n, 1);
    if (!entry) throw new Error('entry 11 is not there');
    await log.tamper('UPDATE audit_entries SET hash = $1 WHERE sequence = 11', [
      entryHash(end.hash, 11n, entry.content),
    ]);
    expect(await log.faults()).toEqual(['the end of the log, entry 11, has no signed head']);
  });

  it('a forged or empty signature in the database', async () => {
    await log.tamper("UPDATE audit_heads SET signature = sha256('x') || sha256('y') WHERE sequence = 7");
    expect(await log.faults()).toEqual(['the signature of head 7 is not valid']);
    await log.tamper("UPDATE audit_heads SET signature = '' WHERE sequence = 7");
    expect(await log.faults()).toEqual(['the signature of head 7 is not valid']);
  });

  it('a damaged line in the file', async () => {
    const lines = readFileSync(log.file.path, 'utf8').split('\n');
    writeFileSync(log.file.path, [lines[0], '{"sequence":"7"}', lines[2], ''].join('\n'));
    expect(await log.faults()).toEqual(['line 2 of the file of heads cannot be read']);
  });
});

describe('the verification of the audit log reports what it could not check', () => {
  it.each(['missing', 'empty'])('when the file of heads is %s', async (condition) => {
    const file = log.newFile();
    if (condition === 'empty') writeFileSync(file.path, '');
    log.file = file;
    expect(await log.verify()).toEqual({
      entries: 10n,
      heads: 3,
      faults: [],
      unchecked: [expect.stringContaining(`${file.path} is missing or empty`)],
    });
  });
});

describe('the verification of the audit log accepts', () => {
  it('a last line of the file that a crash left incomplete', async () => {
    const { length } = readFileSync(log.file.path);
    truncateSync(log.file.path, length - 20);
    expect(await log.verify()).toEqual({ entries: 10n, heads: 5, faults: [], unchecked: [] });
  });

  it('a line that was written after an incomplete one', async () => {
    appendFileSync(log.file.path, '{"sequence":"1');
    await log.record(1);
    await log.chain();
    expect(await log.verify()).toEqual({ entries: 11n, heads: 8, faults: [], unchecked: [] });
    expect(readFileSync(log.file.path, 'utf8').split('\n')).toHaveLength(5);
  });

  it('entries that are not chained yet', async () => {
    await log.record(3);
    expect(await log.faults()).toEqual([]);
  });

  it('an empty log', async () => {
    await log.tamper('TRUNCATE audit_entries, audit_heads');
    log.file = log.newFile();
    expect(await log.verify()).toEqual({ entries: 0n, heads: 0, faults: [], unchecked: [] });
  });
});
