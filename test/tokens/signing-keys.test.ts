import { beforeAll, describe, expect, it } from 'vitest';
import { ensureSigningKey, rotateSigningKeys, tokenUpkeepJob } from '../../src/tokens/service.js';
import { makeSigningKey, openSigningKey, type SigningKey, signingNow } from '../../src/tokens/signing-key.js';
import { listSigningKeys } from '../../src/tokens/store.js';
import { auditRows, newMerchant, tokenOf, useNodes } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { headerOf, ownKey, sealingKeyOf } from './forge.js';

const { database, sql, startNode } = useNodes();
const system = { kind: 'system', name: 'test' } as const;
let sealingKey: Buffer;

// No node runs beside the first tests: its own upkeep would make keys and rotate them too.
beforeAll(async () => {
  sealingKey = await sealingKeyOf(database);
  await database.transaction((tx) => ensureSigningKey(tx, sealingKey));
});

describe('a signing key in the database', () => {
  it('is sealed: neither its bytes nor its seed are stored in plain text', async () => {
    const { privateKey } = await ownKey(database);
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const seed = Buffer.from(String(privateKey.export({ format: 'jwk' }).d), 'base64url');
    expect(der.subarray(-32)).toEqual(seed);
    const { rows } = await sql.query<{ row: string; sealed_key: Buffer }>(
      'SELECT t::text AS row, sealed_key FROM signing_keys AS t',
    );
    expect(rows).toHaveLength(1);
    for (const { row, sealed_key: sealed } of rows) {
      expect(sealed.includes(seed)).toBe(false);
      expect(sealed.includes(der.subarray(0, 16))).toBe(false);
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(row).not.toContain(seed.toString(encoding));
    }
  });

  it('does not open in another row, with another key, or with one bit changed', () => {
    const [one, two] = [makeSigningKey(sealingKey), makeSigningKey(sealingKey)];
    expect(openSigningKey(sealingKey, one).asymmetricKeyType).toBe('ed25519');
    expect(() => openSigningKey(sealingKey, { ...one, sealedKey: two.sealedKey })).toThrow();
    expect(() => openSigningKey(Buffer.alloc(32, 7), one)).toThrow();
    for (const place of [0, 12, 28, one.sealedKey.length - 1]) {
      const touched = Buffer.from(one.sealedKey);
      touched.writeUInt8(touched.readUInt8(place) ^ 1, place);
      expect(() => openSigningKey(sealingKey, { ...one, sealedKey: touched })).toThrow();
    }
  });

  it('is sealed differently each time, so that equal keys do not look equal', () => {
    const [one, two] = [makeSigningKey(sealingKey), makeSigningKey(sealingKey)];
    expect(one.sealedKey.subarray(0, 12)).not.toEqual(two.sealedKey.subarray(0, 12));
    expect(one.keyId).not.toBe(two.keyId);
  });

  it('is made once, however many nodes start at once on an empty database', async () => {
    await sql.query('DELETE FROM signing_keys');
    await Promise.all(Array.from({ length: 6 }, () => database.transaction((tx) => ensureSigningKey(tx, sealingKey))));
    expect(await listSigningKeys(database)).toHaveLength(1);
  });
});

describe('the key that signs', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
  const key = (keyId: string, activatesAt: Date, expiresAt?: Date): SigningKey => ({
    ...makeSigningKey(Buffer.alloc(32, 1)),
    keyId,
    activatesAt,
    expiresAt,
  });

  it.each<[string, SigningKey[], string | undefined]>([
    ['the newest whose time has come', [key('old', minutes(-9)), key('new', minutes(-1))], 'new'],
    ['not one whose time is to come', [key('old', minutes(-9)), key('new', minutes(1))], 'old'],
    ['one from the very moment of its time', [key('old', minutes(-9)), key('new', now)], 'new'],
    ['not one that is expired', [key('old', minutes(-9)), key('new', minutes(-1), now)], 'old'],
    ['nobody when none is there', [], undefined],
    ['nobody when all are to come', [key('new', minutes(1))], undefined],
  ])('is %s', (_, keys, expected) => {
    expect(signingNow(keys, now)?.keyId).toBe(expected);
  });

  it('is the first key immediately, also when a rotation made it before the first start', async () => {
    await sql.query('DELETE FROM signing_keys');
    const rotation = await database.transaction((tx) =>
      rotateSigningKeys(tx, { sealingKey, actor: system, emergency: false }),
    );
    expect(rotation).toMatchObject({ activatesInSeconds: 0 });
    const [only, ...others] = await listSigningKeys(database);
    expect([only?.keyId, others]).toEqual([rotation.keyId, []]);
    expect(signingNow(only ? [only] : [], new Date(Date.now() + 1000))?.keyId).toBe(rotation.keyId);
  });
});

describe('upkeep', () => {
  const upkeep = () => tokenUpkeepJob(database, sealingKey).run(new AbortController().signal as never);
  const rotations = async () => (await auditRows(sql, 'keys.rotated')).length;

  it('does not rotate a recent key', async () => {
    await sql.query(`UPDATE signing_keys SET activates_at = now() - interval '89 days'`);
    const before = await rotations();
    await upkeep();
    expect([await rotations(), (await listSigningKeys(database)).length]).toEqual([before, 1]);
  });

  it('rotates once after 90 days: the new key is published 20 minutes ahead, and the old one stays valid', async () => {
    await sql.query(`UPDATE signing_keys SET activates_at = now() - interval '91 days'`);
    const before = await rotations();
    await upkeep();
    await upkeep();
    expect(await rotations()).toBe(before + 1);
    expect((await auditRows(sql, 'keys.rotated')).at(-1)).toMatchObject({
      actor: 'system:key upkeep',
      details: { emergency: false, activatesInSeconds: 1200, othersExpireInSeconds: 4860 },
    });
    const { rows } = await sql.query(
      `SELECT round(extract(epoch FROM activates_at - now()) / 60)::int AS ahead,
              CASE WHEN isfinite(expires_at) THEN round(extract(epoch FROM expires_at - now()) / 60)::int END AS lives
         FROM signing_keys ORDER BY activates_at`,
    );
    expect(rows).toEqual([
      { ahead: -91 * 24 * 60, lives: 81 },
      { ahead: 20, lives: null },
    ]);
  });

  it('lets the old key sign tokens until the new one is active', async () => {
    const [old, next] = await listSigningKeys(database);
    const node = await startNode();
    const acme = await newMerchant(node.service.database, 'upkept');
    await eventually(async () => headerOf(await tokenOf(node, acme)).kid === old?.keyId);
    const published = (await node.api.get('/.well-known/jwks.json')).json.keys;
    expect(published.map(({ kid }: { kid: string }) => kid)).toEqual([old?.keyId, next?.keyId]);
  });

  it('deletes expired revocations, and keys that expired a day ago', async () => {
    await sql.query(`INSERT INTO revoked_tokens VALUES
      ('over', now() - interval '1 second'), ('not-over', now() + interval '1 hour')`);
    const { rows: first } = await sql.query('SELECT key_id FROM signing_keys ORDER BY activates_at LIMIT 1');
    await sql.query(`UPDATE signing_keys SET expires_at = now() - interval '23 hours' WHERE key_id = $1`, [
      first[0].key_id,
    ]);
    await upkeep();
    expect((await sql.query('SELECT token_id FROM revoked_tokens')).rows).toEqual([{ token_id: 'not-over' }]);
    expect((await sql.query('SELECT 1 FROM signing_keys')).rows).toHaveLength(2);
    await sql.query(`UPDATE signing_keys SET expires_at = now() - interval '25 hours' WHERE key_id = $1`, [
      first[0].key_id,
    ]);
    await upkeep();
    expect((await sql.query('SELECT 1 FROM signing_keys')).rows).toHaveLength(1);
  });
});
