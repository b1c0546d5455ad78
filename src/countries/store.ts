/** SQL on the policies that operators have decided. Every machine of a cluster has this table in full. */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';
import type { CountryTerms, DecidedPolicy } from './policy.js';

interface PolicyRow extends CountryTerms {
  country: string;
  reason: string;
  version: number;
  updated_at: Date;
}

const columns = 'country, residence, nationality, payout, answers, reason, version, updated_at';
const listAll = statement(
  'countries.list',
  `SELECT ${columns} FROM country_policies ORDER BY country`,
).rows<PolicyRow>();
const findOne = statement(
  'countries.find',
  `SELECT ${columns} FROM country_policies WHERE country = $country`,
).rows<PolicyRow>();
const saveOne = statement(
  'countries.save',
  `INSERT INTO country_policies AS stored (country, residence, nationality, payout, answers, reason)
   VALUES ($country, $residence, $nationality, $payout, $answers, $reason)
   ON CONFLICT (country) DO UPDATE SET residence = excluded.residence, nationality = excluded.nationality,
     payout = excluded.payout, answers = excluded.answers, reason = excluded.reason, version = stored.version + 1,
     updated_at = excluded.updated_at
   RETURNING ${columns}`,
).rows<PolicyRow>();

export async function listPolicies(database: Queryable): Promise<DecidedPolicy[]> {
  return (await database.query(listAll)).map(toPolicy);
}

export async function findPolicy(database: Queryable, country: string): Promise<DecidedPolicy | undefined> {
  const [row] = await database.query(findOne, { country });
  return row && toPolicy(row);
}

export async function savePolicy(
  tx: Transaction,
  { country, residence, nationality, payout, answers, reason }: Omit<DecidedPolicy, 'version' | 'updatedAt'>,
): Promise<DecidedPolicy> {
  const [row] = await tx.query(saveOne, { country, residence, nationality, payout, answers: [...answers], reason });
  if (!row) throw new Error('the policy was not saved');
  return toPolicy(row);
}

function toPolicy({ updated_at: updatedAt, ...policy }: PolicyRow): DecidedPolicy {
  return { ...policy, updatedAt };
}
