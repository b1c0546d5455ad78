/** A database from before places named the user: everything opens after the upgrade, and what is moved is refused. */
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyVault } from '../../src/keys/vault.js';
import { limits } from '../../src/postgres/connection.js';
import { upgradeSealing } from '../../src/startup/upgrade-sealing.js';
import { upgradeUsersBatch } from '../../src/users/sealing-upgrade.js';
import { testMasterKey } from '../harness/master-key.js';
import { detailsOf, type MadeUser, newUser, told } from '../harness/users.js';
import { sealInFirstFormat } from './first-format.js';
import { decide, fillIn, newLink, rejection, submitted, useKycService } from './kyc-service.js';

const kyc = useKycService();
const masters = { current: Buffer.from(testMasterKey, 'base64'), previous: undefined };
const said: string[] = [];
let [ana, bea, broken, erased, drafting]: MadeUser[] = [];
let draftLink: string;
let sent: Awaited<ReturnType<typeof submitted>>;

const upgrade = async () =>
  upgradeSealing(kyc.database, await KeyVault.open(kyc.database, masters), (text) => said.push(text));
const details = (user: MadeUser | undefined) =>
  kyc.api.get(`/user/details?userId=${user?.id}`, { token: kyc.acme.token });
const lookAt = (caseId: string) => kyc.api.get(`/operator/kyc/${caseId}`, { token: kyc.reviewer });
const formats = async () =>
  (
    await kyc.sql.query(
      `SELECT (SELECT sealing FROM instance) AS instance,
              (SELECT array_agg(DISTINCT sealing) FROM users) AS users,
              (SELECT array_agg(DISTINCT sealing) FROM kyc_cases) AS cases`,
    )
  ).rows[0];

beforeAll(async () => {
  [ana, bea, broken, drafting] = await Promise.all(
    ['Ana', 'Bea', 'Eva', 'Ida'].map((firstName) => newUser(kyc, kyc.acme, { firstName })),
  );
  sent = await submitted(kyc, { level: 'LEVEL_2' }, { answers: { lastName: 'Sent' } });
  await decide(kyc, sent.caseId, rejection);
  const gone = await submitted(kyc);
  erased = gone.user;
  await kyc.api.call('DELETE', `/user?userId=${erased.id}`, { token: kyc.acme.token });
  draftLink = await newLink(kyc, drafting as MadeUser);
  await fillIn(kyc, draftLink);
  await sealInFirstFormat(kyc);
  await kyc.sql.query('UPDATE users SET profile = profile || $2 WHERE user_id = $1', [
    broken?.id,
    Buffer.from('x'),
  ]);
});

describe('a database that was sealed in the first format', () => {
  it('is refused by everything but the upgrade', async () => {
    expect(told(await details(ana))).toEqual([500, 'internal_error']);
    expect(await formats()).toEqual({ instance: 1, users: [1], cases: [1] });
  });

  it('stays as it was when the upgrade is stopped in the middle of a batch', async () => {
    const vault = await KeyVault.open(kyc.database, masters);
    const stopped = kyc.database.transaction(async (tx) => {
      await upgradeUsersBatch(tx, vault);
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await formats()).toEqual({ instance: 1, users: [1], cases: [1] });
  });

  it('is upgraded by nodes that start at once, which wait for the batch of another node however long it takes', async () => {
    const other = await kyc.sql.connect();
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM schema_migrations WHERE version = 1 FOR NO KEY UPDATE');
    const upgraded = Promise.allSettled([upgrade(), upgrade(), upgrade()]);
    await other.query('SELECT pg_sleep($1)', [limits.lockTimeoutMs / 1000 + 0.5]);
    expect(await formats()).toEqual({ instance: 1, users: [1], cases: [1] });
    await other.query('COMMIT');
    other.release();
    expect((await upgraded).filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('is readable as before once it was upgraded', async () => {
    expect(await formats()).toEqual({ instance: 2, users: [2], cases: [2] });
    expect((await detailsOf(kyc, kyc.acme, ana as MadeUser)).firstName).toBe('Ana');
    const form = await kyc.forms.open(kyc.service.database, draftLink);
    expect(form).toMatchObject({ kind: 'open' });
    const file = await lookAt(sent.caseId);
    expect(file.json.answers.lastName).toBe('Sent');
    expect(file.json.history.at(-1).internalReason).toBe('A library card.');
    const { documents } = file.json;
    expect(documents.length).toBeGreaterThan(1);
    for (const { documentId } of documents) {
      const path = `${kyc.service.url}/operator/kyc/${sent.caseId}/documents/${documentId}`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${kyc.reviewer}` } });
      expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
    }
    const { rows } = await kyc.sql.query('SELECT retained_profile FROM users WHERE user_id = $1', [
      erased?.id,
    ]);
    expect(rows[0].retained_profile).toBeInstanceOf(Buffer);
  });

  it('keeps values that were unreadable before unchanged, reports how many, and refuses them', async () => {
    expect(said.filter((text) => text.includes('unreadable'))).toEqual([
      '1 sealed values were unreadable before and remain so.',
    ]);
    expect(told(await details(broken))).toEqual([500, 'internal_error']);
  });

  it('is not looked at again by the next start', async () => {
    said.length = 0;
    await upgrade();
    expect(said).toEqual([]);
  });

  it('refuses one user’s name and profile under another’s id afterwards', async () => {
    const swap = `UPDATE users AS u SET external_client_id = other.external_client_id || $3, profile = other.profile
      FROM users AS other WHERE u.user_id = $1 AND other.user_id = $2`;
    await kyc.sql.query(swap, [ana?.id, bea?.id, '-aside']);
    await kyc.sql.query('UPDATE users SET external_client_id = $2 WHERE user_id = $1', [
      bea?.id,
      ana?.externalClientId,
    ]);
    await kyc.sql.query('UPDATE users SET external_client_id = $2 WHERE user_id = $1', [
      ana?.id,
      bea?.externalClientId,
    ]);
    expect(told(await details(ana))).toEqual([500, 'internal_error']);
    expect(told(await details(bea))).toEqual([500, 'internal_error']);
  });

  it('does not open when it claims to be of the first format again', async () => {
    await kyc.sql.query('UPDATE instance SET sealing = 1');
    await expect(KeyVault.open(kyc.database, masters)).rejects.toThrow('instance|root_key');
    await kyc.sql.query('UPDATE instance SET sealing = 2');
  });
});
