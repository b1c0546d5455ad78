/** Users with an approved level, as the service makes them: sealed profiles and sealed submissions. */
import type pg from 'pg';
import { systemClock } from '../../src/clock.js';
import { type MerchantId, newPublicId, type UserId } from '../../src/ids.js';
import { KeyVault } from '../../src/keys/vault.js';
import { sealSubmission } from '../../src/kyc/submissions/sealed.js';
import type { Database } from '../../src/postgres/database.js';
import { UserService } from '../../src/users/service.js';
import { testMasterKey } from '../../test/harness/master-key.js';

const by = { actor: { kind: 'system', name: 'bench' } } as const;
const atOnce = 500;
const firstNames = ['Ana', 'Bruno', 'Chidi', 'Dilnoza', 'Emeka', 'Fatima', 'Goran', 'Hana', 'Ivan', 'Jun'];
const lastNames = ['Reyes', 'Silva', 'Okafor', 'Karimova', 'Popov', 'Haddad', 'Kovac', 'Sato', 'Petrov', 'Kim'];

export async function makeApprovedPeople(
  { database, sql }: { readonly database: Database; readonly sql: pg.Client },
  merchant: MerchantId,
  count: number,
): Promise<void> {
  const current = Buffer.from(testMasterKey, 'base64');
  const vault = await KeyVault.open(database, { current, previous: undefined });
  const users = new UserService({
    ...{ vault, clock: systemClock, retentionYears: 5 },
  });
  for (let made = 0; made < count; made += atOnce) {
    const ids = await database.transaction(async (tx) => {
      const created: UserId[] = [];
      for (let index = made; index < Math.min(count, made + atOnce); index += 1) {
        created.push((await users.create(tx, by, merchant, profileOf(index))).id);
      }
      return created;
    });
    await approve(sql, merchant, ids);
    await submit({ database, sql }, users, merchant, ids);
  }
  await sql.query('VACUUM (ANALYZE) users, kyc_cases, kyc_submissions');
}

/** Through the states that the database allows. */
async function approve(sql: pg.Client, merchant: MerchantId, ids: readonly UserId[]): Promise<void> {
  await sql.query(
    `INSERT INTO kyc_cases (merchant_id, case_id, user_id, level, zone, created_at, updated_at)
     SELECT $1, person.case_id, person.user_id, 'LEVEL_1', 'EEA', now(), now()
       FROM unnest($2::bigint[], $3::text[]) AS person (user_id, case_id)`,
    [merchant, ids, ids.map(() => newPublicId('kyc'))],
  );
  for (const change of [
    `state = 'SUBMITTED', submitted_at = now()`,
    `state = 'APPROVED', expires_at = now() + interval '1 year'`,
  ]) {
    await sql.query(
      `UPDATE kyc_cases SET ${change}, version = version + 1 WHERE merchant_id = $1 AND user_id = ANY ($2)`,
      [merchant, ids],
    );
  }
}

async function submit(
  { database, sql }: { readonly database: Database; readonly sql: pg.Client },
  users: UserService,
  merchant: MerchantId,
  ids: readonly UserId[],
): Promise<void> {
  const { rows } = await sql.query(
    'SELECT case_id, user_id FROM kyc_cases WHERE merchant_id = $1 AND user_id = ANY ($2)',
    [merchant, ids],
  );
  const place = { version: 2, consentVersion: 'bench', documentIds: [] };
  const sealed: Buffer[] = [];
  for (const [index, { case_id: caseId, user_id: user }] of rows.entries()) {
    const userId = Number(user) as UserId;
    const key = await users.retainedKey(database, merchant, userId);
    if (!key) throw new Error('a user has no key');
    const { firstName, lastName } = profileOf(index);
    const answers = { firstName, lastName, dateOfBirth: '1985-05-17', nationality: 'ES', countryCode: 'ES' };
    sealed.push(sealSubmission(key, { merchantId: merchant, caseId, userId }, place, answers));
  }
  await sql.query(
    `INSERT INTO kyc_submissions (merchant_id, case_id, version, sealed_answers, document_ids, checks, consent_version,
                                  locale, submitted_at)
     SELECT $1, person.case_id, 2, person.sealed, '{}', '[]', 'bench', 'en', now()
       FROM unnest($2::text[], $3::bytea[]) AS person (case_id, sealed)`,
    [merchant, rows.map((row) => row.case_id), sealed],
  );
}

function profileOf(index: number) {
  return {
    firstName: `${firstNames[index % 10]} ${letters(index)}`,
    lastName: `${lastNames[Math.floor(index / 10) % 10]}`,
    email: 'person@example.com',
    address: '12 Calle del Sol',
    city: 'Valencia',
    stateProvince: 'Valencia',
    countryCode: 'ES',
    postalCode: '46001',
  };
}

function letters(index: number): string {
  return [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}
