/** SQL on the last accepted rate of each corridor. */
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { CorridorRate, HoldReason } from './guard.js';

interface CorridorRateRow {
  fiat_in: CurrencyCode;
  fiat_out: CurrencyCode;
  numerator: string;
  denominator: string;
  source: string;
  published_at: Date;
  held_numerator: string | null;
  held_denominator: string | null;
  held_source: string | null;
  held_published_at: Date | null;
  held_because: HoldReason | null;
}

const listAll = statement(
  'corridor-rate-store.list',
  `SELECT fiat_in, fiat_out, numerator::text, denominator::text, source, published_at, held_numerator::text,
          held_denominator::text, held_source, held_published_at, held_because
     FROM corridor_rates ORDER BY fiat_in, fiat_out`,
).rows<CorridorRateRow>();
const saveAll = statement(
  'corridor-rate-store.save',
  `INSERT INTO corridor_rates AS c (fiat_in, fiat_out, numerator, denominator, source, published_at, held_numerator,
                                    held_denominator, held_source, held_published_at, held_because, held_at)
   SELECT rates.*, CASE WHEN held_source IS NOT NULL THEN clock_timestamp() END
     FROM unnest($fiatsIn::text[], $fiatsOut::text[], $numerators::numeric[], $denominators::numeric[],
       $sources::text[], $publishedAt::timestamptz[], $heldNumerators::numeric[],
                 $heldDenominators::numeric[], $heldSources::text[], $heldPublishedAt::timestamptz[],
                 $heldBecause::text[])
       AS rates (fiat_in, fiat_out, numerator, denominator, source, published_at, held_numerator, held_denominator,
                 held_source, held_published_at, held_because)
   ON CONFLICT (fiat_in, fiat_out) DO UPDATE
      SET numerator = excluded.numerator, denominator = excluded.denominator, source = excluded.source,
          published_at = excluded.published_at, held_numerator = excluded.held_numerator,
          held_denominator = excluded.held_denominator, held_source = excluded.held_source,
          held_published_at = excluded.held_published_at, held_because = excluded.held_because,
          held_at = excluded.held_at`,
);
const countHeld = statement(
  'corridor-rate-store.count-held',
  `SELECT 'figure' AS kind, count(*)::int AS held FROM rate_quarantine
   UNION ALL SELECT 'corridor', count(*)::int FROM corridor_rates WHERE held_at IS NOT NULL`,
).rows<{ kind: 'figure' | 'corridor'; held: number }>();

export async function listCorridorRates(database: Queryable): Promise<CorridorRate[]> {
  return (await database.query(listAll)).map(toCorridorRate);
}

export async function saveCorridorRates(tx: Transaction, rates: readonly CorridorRate[]): Promise<void> {
  const accepted = rates.map((rate) => rate.accepted);
  const held = rates.map((rate) => rate.held);
  await tx.query(saveAll, {
    fiatsIn: rates.map((rate) => rate.fiatIn),
    fiatsOut: rates.map((rate) => rate.fiatOut),
    numerators: accepted.map(({ ratio }) => ratio.numerator),
    denominators: accepted.map(({ ratio }) => ratio.denominator),
    sources: accepted.map(({ source }) => source),
    publishedAt: accepted.map(({ publishedAt }) => publishedAt),
    heldNumerators: held.map((rate) => rate?.ratio.numerator),
    heldDenominators: held.map((rate) => rate?.ratio.denominator),
    heldSources: held.map((rate) => rate?.source),
    heldPublishedAt: held.map((rate) => rate?.publishedAt),
    heldBecause: held.map((rate) => rate?.because),
  });
}

export async function countHeldRates(database: Queryable): Promise<ReadonlyMap<string, number>> {
  return new Map((await database.query(countHeld)).map(({ kind, held }) => [kind, held]));
}

function toCorridorRate(row: CorridorRateRow): CorridorRate {
  const { numerator, denominator, source, published_at: publishedAt } = row;
  const ratio = { numerator: BigInt(numerator), denominator: BigInt(denominator) };
  return { fiatIn: row.fiat_in, fiatOut: row.fiat_out, accepted: { ratio, source, publishedAt }, held: heldOf(row) };
}

function heldOf({
  held_numerator: numerator,
  held_denominator: denominator,
  held_source: source,
  held_published_at: publishedAt,
  held_because: because,
}: CorridorRateRow): CorridorRate['held'] {
  if (numerator === null || denominator === null || source === null || publishedAt === null || because === null)
    return undefined;
  return { ratio: { numerator: BigInt(numerator), denominator: BigInt(denominator) }, source, publishedAt, because };
}
