/**
 * Turns what the service has sealed into how commit efa910d sealed it, so that a database of that time can be opened:
 * the old places written out here, and none of the columns that came later.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type PublicId, userId } from '../../src/ids.js';
import { openStep, openSubmission } from '../../src/kyc/sealed.js';
import { openUserKey } from '../../src/users/keys/user-key.js';
import { openProfile } from '../../src/users/personal-data.js';
import { listUserKeys } from '../../src/users/store.js';
import { testMasterKey } from '../harness/master-key.js';
import type { KycTest } from './kyc-service.js';

const masterKey = Buffer.from(testMasterKey, 'base64');

export async function sealInFirstFormat(kyc: KycTest): Promise<void> {
  await sealCases(kyc);
  await sealUsers(kyc);
  await kyc.sql.query('UPDATE instance SET sealing = 1, root_key = $1', [
    sealBefore(masterKey, kyc.vault.rootKey, 'instance|root_key'),
  ]);
}

async function sealUsers({ sql, vault, service }: KycTest): Promise<void> {
  for (const user of await rowsOf(sql, 'users')) {
    const { merchant_id: merchant, user_id: id, external_client_id: name } = user;
    const ref = {
      merchantId: Number(merchant) as never,
      userId: userId(Number(id)),
      externalClientId: name as PublicId<'cli'>,
    };
    for (const { purpose, ...wrapped } of await listUserKeys(service.database, ref)) {
      if (purpose === 'beneficiaries') throw new Error('there were no beneficiaries');
      const key = openUserKey(vault, ref, { purpose, ...wrapped });
      await sql.query(
        `UPDATE user_keys SET wrapped_key = $3, master_key_version = 1, key_group = NULL, generation = NULL
          WHERE external_client_id = $1 AND purpose = $2`,
        [name, purpose, sealBefore(masterKey, key, `user_keys|${merchant}|${name}|${purpose}|1`)],
      );
      const column = purpose === 'profile' ? 'profile' : 'retained_profile';
      const sealed = user[column];
      if (!sealed) continue;
      const text = Buffer.from(JSON.stringify(openProfile(key, ref, purpose, sealed)));
      await sql.query(`UPDATE users SET ${column} = $2 WHERE user_id = $1`, [
        id,
        sealBefore(key, text, `users|${column}|${merchant}|${name}`),
      ]);
    }
  }
  await sql.query('DELETE FROM group_keys');
  await sql.query('UPDATE users SET sealing = 1');
}

async function sealCases({ sql, users, service }: KycTest): Promise<void> {
  for (const row of await rowsOf(sql, 'kyc_cases')) {
    const { merchant_id: merchant, case_id: caseId, user_id: id } = row;
    const place = { merchantId: Number(merchant) as never, caseId, userId: userId(Number(id)) };
    const key = await users.retainedKey(service.database, place.merchantId, place.userId);
    if (!key) continue;
    for (const answers of (await rowsOf(sql, 'kyc_answers')).filter((each) => each.case_id === caseId)) {
      const { step, case_version: caseVersion, sealed_answers: sealedAnswers } = answers;
      const text = Buffer.from(JSON.stringify(openStep(key, place, { step, caseVersion, sealedAnswers })));
      await sql.query('UPDATE kyc_answers SET sealed_answers = $3 WHERE case_id = $1 AND step = $2', [
        caseId,
        step,
        sealBefore(key, text, `kyc_answers|sealed_answers|${merchant}|${caseId}|${step}`),
      ]);
    }
    for (const sent of (await rowsOf(sql, 'kyc_submissions')).filter((each) => each.case_id === caseId)) {
      const { version, consent_version: consentVersion, document_ids: documentIds } = sent;
      const about = { version, consentVersion, documentIds, sealedAnswers: sent.sealed_answers };
      const text = Buffer.from(JSON.stringify(openSubmission(key, place, about)));
      await sql.query('UPDATE kyc_submissions SET sealed_answers = $3 WHERE case_id = $1 AND version = $2', [
        caseId,
        version,
        sealBefore(key, text, `kyc_submissions|sealed_answers|${merchant}|${caseId}|${version}`),
      ]);
    }
  }
  await sql.query('UPDATE kyc_documents SET seal = NULL');
  await sql.query('UPDATE kyc_cases SET sealing = 1, answers_seal = NULL');
}

async function rowsOf(sql: pg.Pool, table: string): Promise<pg.QueryResultRow[]> {
  return (await sql.query(`SELECT * FROM ${table}`)).rows;
}

function sealBefore(key: Buffer, plaintext: Buffer, place: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}
