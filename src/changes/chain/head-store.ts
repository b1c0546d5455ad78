/** SQL on the signed heads. */
import { type TenantId, tenantId } from '../../ids.js';
import type { Database } from '../../postgres/database.js';
import { type Queryable, statement } from '../../postgres/statement.js';
import { type AuditHead, type MerchantEnd, readEnds, type WrittenEnd, writeEnds } from './head.js';

interface HeadRow {
  number: bigint;
  previous_hash: Buffer;
  ends: WrittenEnd[];
  signed_at: Date;
  hash: Buffer;
  signature: Buffer;
}

const columns = 'number, previous_hash, ends, signed_at, hash, signature';

const listUnsigned = statement(
  'head-store.list-unsigned',
  `SELECT merchant_id, number, hash FROM change_chains WHERE signed_number < number
    ORDER BY merchant_id LIMIT $limit`,
).rows<{ merchant_id: bigint; number: bigint; hash: Buffer }>();
const markSigned = statement(
  'head-store.mark-signed',
  `UPDATE change_chains SET signed_number = $number
     WHERE merchant_id = $merchantId AND signed_number < $number`,
);
const insertHead = statement(
  'head-store.insert',
  `INSERT INTO signed_heads (number, previous_hash, ends, signed_at, hash, signature)
   VALUES ($number, $previousHash, $written, $signedAt, $hash, $signature)
     ON CONFLICT (number) DO NOTHING RETURNING number`,
).rows<{ number: bigint }>();
const findLast = statement(
  'head-store.find-last',
  `SELECT ${columns} FROM signed_heads ORDER BY number DESC LIMIT 1`,
).rows<HeadRow>();
const listAfter = statement(
  'head-store.list-after',
  `SELECT ${columns} FROM signed_heads WHERE number > $after ORDER BY number LIMIT $limit`,
).rows<HeadRow>();
const listHashes = statement(
  'head-store.list-hashes',
  'SELECT number, hash FROM signed_heads WHERE number = ANY ($numbers::bigint[])',
).rows<{ number: bigint; hash: Buffer }>();

/** Lists chains whose end no head covers yet. */
export async function listUnsignedEnds(database: Queryable, limit: number): Promise<MerchantEnd[]> {
  const rows = await database.query(listUnsigned, { limit });
  return rows.map(({ merchant_id, ...end }) => ({ merchantId: tenantId(merchant_id), ...end }));
}

export async function markEndSigned(database: Database, merchantId: TenantId, number: bigint): Promise<void> {
  await database.write(markSigned, { merchantId, number });
}

/** Returns false when another worker has signed a head with this number. */
export async function addHead(database: Database, head: AuditHead): Promise<boolean> {
  const { number, previousHash, ends, signedAt, hash, signature } = head;
  const written = JSON.stringify(writeEnds(ends));
  const rows = await database.write(insertHead, { number, previousHash, written, signedAt, hash, signature });
  return rows.length > 0;
}

export async function findLastHead(database: Queryable): Promise<AuditHead | undefined> {
  const [row] = await database.query(findLast);
  return row && toHead(row);
}

export async function listHeadsAfter(database: Queryable, number: bigint, limit: number): Promise<AuditHead[]> {
  return (await database.query(listAfter, { after: number, limit })).map(toHead);
}

/** The hashes of those heads that the database has, by number. */
export async function findHeadHashes(
  database: Queryable,
  numbers: readonly bigint[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  const rows = await database.query(listHashes, { numbers });
  return new Map(rows.map(({ number, hash }) => [number, hash]));
}

function toHead({ previous_hash, signed_at, ends, ...row }: HeadRow): AuditHead {
  return {
    ...row,
    previousHash: previous_hash,
    signedAt: new Date(Number(signed_at)),
    ends: endsOrNone(ends),
  };
}

/** Ends that cannot be read were changed. The hash of the head shows it. */
function endsOrNone(written: readonly WrittenEnd[]): MerchantEnd[] {
  try {
    return readEnds(written);
  } catch {
    return [];
  }
}
