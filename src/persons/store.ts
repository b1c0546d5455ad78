/** SQL on the identifiers of users: keyed digests, by which a person is recognised across merchants. */
import { type MerchantId, merchantId, type UserId, userId } from '../ids.js';
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import { type IdentifierKind, recognisingKinds } from './identifier.js';

/** One user of one merchant. */
export interface Account {
  readonly merchantId: MerchantId;
  readonly userId: UserId;
}

/**
 * Where it is from. What a form said stays; a profile replaces what the profile said before. `verified`: an operator
 * has approved a form with a document that says so. Anybody can claim the rest.
 */
export type IdentifierSource = 'profile' | 'form' | 'verified';

const insertAll = statement(
  'persons.insert',
  `INSERT INTO person_identifiers (merchant_id, user_id, kind, source, digest)
   SELECT $merchantId, $userId, kind, $source, digest FROM unnest($kinds::text[], $digests::bytea[]) AS t (kind, digest)
   ON CONFLICT DO NOTHING`,
);
const deleteSource = statement(
  'persons.delete-source',
  `DELETE FROM person_identifiers
    WHERE merchant_id = $merchantId AND user_id = $userId AND source = ANY ($sources::text[])`,
);
const listOthers = statement(
  'persons.list-others',
  `SELECT asked.user_id AS asked_id, same.merchant_id, same.user_id
     FROM unnest($userIds::bigint[]) AS asked (user_id)
    CROSS JOIN LATERAL (
       SELECT DISTINCT other.merchant_id, other.user_id
         FROM person_identifiers AS own
         JOIN person_identifiers AS other ON other.digest = own.digest AND other.source = ANY ($sources::text[])
        WHERE own.merchant_id = $merchantId AND own.user_id = asked.user_id AND own.kind = ANY ($kinds::text[])
          AND own.source = ANY ($sources::text[])
          AND NOT (other.merchant_id = $merchantId AND other.user_id = asked.user_id)
        ORDER BY other.merchant_id, other.user_id LIMIT $most::int
     ) AS same
    ORDER BY asked.user_id, same.merchant_id, same.user_id`,
).rows<{ asked_id: bigint; merchant_id: bigint; user_id: bigint }>();
const listByDigests = statement(
  'persons.list-by-digests',
  `SELECT merchant_id, user_id FROM person_identifiers WHERE digest = ANY ($digests::bytea[])
    GROUP BY merchant_id, user_id HAVING count(DISTINCT digest) = cardinality($digests::bytea[])
    ORDER BY merchant_id, user_id LIMIT $most::int`,
).rows<{ merchant_id: bigint; user_id: bigint }>();
const listDigests = statement(
  'persons.list-digests',
  `SELECT digest, bool_or(source = 'verified') AS is_verified FROM person_identifiers
    WHERE merchant_id = $merchantId AND user_id = $userId AND kind = ANY ($kinds::text[]) GROUP BY digest`,
).rows<{ digest: Buffer; is_verified: boolean }>();
const findAny = statement(
  'persons.find-any',
  'SELECT 1 FROM person_identifiers WHERE merchant_id = $merchantId AND user_id = $userId LIMIT 1',
).rows<object>();

const listKnown = statement(
  'persons.list-known',
  `SELECT known.merchant_id, known.user_id, known.digest
     FROM unnest($merchantIds::bigint[], $userIds::bigint[]) AS asked (merchant_id, user_id)
     JOIN person_identifiers AS known ON known.merchant_id = asked.merchant_id AND known.user_id = asked.user_id
    WHERE known.kind = ANY ($kinds::text[])`,
).rows<{ merchant_id: bigint; user_id: bigint; digest: Buffer }>();

/** Of one person: somebody who opens thousands of accounts under one name does not make each look-up slow. */
const mostAccounts = 500;

export async function addIdentifiers(
  tx: Transaction,
  account: Account,
  source: IdentifierSource,
  identifiers: readonly { readonly kind: IdentifierKind; readonly digest: Buffer }[],
): Promise<void> {
  const kinds = identifiers.map(({ kind }) => kind);
  const digests = identifiers.map(({ digest }) => digest);
  await tx.query(insertAll, { merchantId: account.merchantId, userId: account.userId, source, kinds, digests });
}

export async function deleteIdentifiers(
  tx: Transaction,
  account: Account,
  sources: readonly IdentifierSource[],
): Promise<void> {
  await tx.query(deleteSource, { merchantId: account.merchantId, userId: account.userId, sources });
}

/** The other accounts of the people behind these users of one merchant, recognised by what these sources say. */
export async function listOtherAccounts(
  database: Queryable,
  merchant: MerchantId,
  userIds: readonly UserId[],
  { kinds, sources }: { readonly kinds: readonly IdentifierKind[]; readonly sources: readonly IdentifierSource[] },
): Promise<{ readonly of: UserId; readonly account: Account }[]> {
  const asked = { merchantId: merchant, userIds, kinds, sources, most: mostAccounts };
  const rows = await database.query(listOthers, asked);
  return rows.map((row) => ({ of: userId(row.asked_id), account: toAccount(row) }));
}

/** The accounts that have all of these; each digest is given once. */
export async function listAccountsByDigests(database: Queryable, digests: readonly Buffer[]): Promise<Account[]> {
  return (await database.query(listByDigests, { digests, most: mostAccounts })).map(toAccount);
}

/** By what each of these is recognised. */
export async function listKnownOf(
  database: Queryable,
  accounts: readonly Account[],
): Promise<{ readonly account: Account; readonly digest: string }[]> {
  const rows = await database.query(listKnown, {
    merchantIds: accounts.map((account) => account.merchantId),
    userIds: accounts.map((account) => account.userId),
    kinds: recognisingKinds,
  });
  return rows.map((row) => ({ account: toAccount(row), digest: row.digest.toString('hex') }));
}

/** Of the kinds by which a person is recognised. */
export async function listRecognisingDigests(
  database: Queryable,
  account: Account,
): Promise<{ readonly digest: Buffer; readonly isVerified: boolean }[]> {
  const asked = { merchantId: account.merchantId, userId: account.userId, kinds: recognisingKinds };
  return (await database.query(listDigests, asked)).map((row) => ({ digest: row.digest, isVerified: row.is_verified }));
}

/** Whether anything is known of the user. Of one who never was, or of whom nothing is kept any more, nothing is. */
export async function isKnown(database: Queryable, { merchantId: merchant, userId: user }: Account): Promise<boolean> {
  return (await database.query(findAny, { merchantId: merchant, userId: user })).length > 0;
}

function toAccount(row: { merchant_id: bigint; user_id: bigint }): Account {
  return { merchantId: merchantId(row.merchant_id), userId: userId(row.user_id) };
}
