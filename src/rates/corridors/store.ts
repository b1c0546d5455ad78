/** SQL on corridors. They are the same for all merchants. */
import type { CurrencyCode } from '../../money/currency.js';
import { type Queryable, statement, type Transaction } from '../../postgres/statement.js';
import type { Corridor, CorridorTerms, HoldPolicy, KycBand, NewCorridor, PayoutMethod } from './corridor.js';

interface CorridorRow {
  fiat_in: CurrencyCode;
  fiat_out: CurrencyCode;
  is_open: boolean;
  min_in_minor: bigint;
  max_in_minor: bigint;
  min_out_minor: bigint;
  margin_basis_points: number;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  quote_lifetime_seconds: number;
  kyc_bands: { upToMinor?: string; level: KycBand['level'] }[];
  payout_methods: PayoutMethod[];
  rate_tolerance_basis_points: number;
  rate_max_age_hours: number;
  on_hold: HoldPolicy;
  rate_guarantee_hours: number;
  payment_due_hours: number;
  max_unpaid_orders: number;
  counts_unpaid_orders: boolean;
  version: number;
}

const listAll = statement(
  'corridors.list',
  `SELECT fiat_in, fiat_out, is_open, min_in_minor, max_in_minor, min_out_minor, margin_basis_points,
     fee_fixed_minor,
          fee_basis_points, quote_lifetime_seconds, kyc_bands, payout_methods, rate_tolerance_basis_points,
          rate_max_age_hours, on_hold, rate_guarantee_hours, payment_due_hours, max_unpaid_orders,
          counts_unpaid_orders, version
     FROM corridors ORDER BY fiat_in, fiat_out`,
).rows<CorridorRow>();
const insertInto = `INSERT INTO corridors AS c (fiat_in, fiat_out, is_open, min_in_minor, max_in_minor, min_out_minor,
     margin_basis_points, fee_fixed_minor, fee_basis_points, quote_lifetime_seconds, kyc_bands, payout_methods,
     rate_tolerance_basis_points, rate_max_age_hours, on_hold, rate_guarantee_hours, payment_due_hours,
     max_unpaid_orders, counts_unpaid_orders)`;
const addAll = statement(
  'corridors.add',
  `${insertInto}
   SELECT "fiatIn", "fiatOut", "isOpen", "minInMinor", "maxInMinor", "minOutMinor", "marginBasisPoints",
          "feeFixedMinor", "feeBasisPoints", "quoteLifetimeSeconds", "kycBands", "payoutMethods",
          "rateToleranceBasisPoints", "rateMaxAgeHours", "onHold", "rateGuaranteeHours", "paymentDueHours",
          "maxUnpaidOrders", "countsUnpaidOrders"
     FROM jsonb_to_recordset($corridors::jsonb)
       AS corridor ("fiatIn" text, "fiatOut" text, "isOpen" boolean, "minInMinor" bigint, "maxInMinor" bigint,
                    "minOutMinor" bigint, "marginBasisPoints" int, "feeFixedMinor" bigint, "feeBasisPoints" int,
                    "quoteLifetimeSeconds" int, "kycBands" jsonb, "payoutMethods" text[],
                    "rateToleranceBasisPoints" int, "rateMaxAgeHours" int, "onHold" text, "rateGuaranteeHours" int,
                    "paymentDueHours" int, "maxUnpaidOrders" int, "countsUnpaidOrders" boolean)
   ON CONFLICT (fiat_in, fiat_out) DO NOTHING`,
);
const saveOne = statement(
  'corridors.save',
  `${insertInto}
   VALUES ($fiatIn, $fiatOut, $isOpen, $minInMinor, $maxInMinor, $minOutMinor, $marginBasisPoints,
     $feeFixedMinor, $feeBasisPoints, $quoteLifetimeSeconds, $kycBands, $payoutMethods, $rateToleranceBasisPoints,
     $rateMaxAgeHours, $onHold, $rateGuaranteeHours, $paymentDueHours, $maxUnpaidOrders, $countsUnpaidOrders)
   ON CONFLICT (fiat_in, fiat_out) DO UPDATE SET
     is_open = excluded.is_open, min_in_minor = excluded.min_in_minor, max_in_minor = excluded.max_in_minor,
     min_out_minor = excluded.min_out_minor, margin_basis_points = excluded.margin_basis_points,
     fee_fixed_minor = excluded.fee_fixed_minor, fee_basis_points = excluded.fee_basis_points,
     quote_lifetime_seconds = excluded.quote_lifetime_seconds, kyc_bands = excluded.kyc_bands,
     payout_methods = excluded.payout_methods, rate_tolerance_basis_points = excluded.rate_tolerance_basis_points,
     rate_max_age_hours = excluded.rate_max_age_hours, on_hold = excluded.on_hold,
     rate_guarantee_hours = excluded.rate_guarantee_hours, payment_due_hours = excluded.payment_due_hours,
     max_unpaid_orders = excluded.max_unpaid_orders, counts_unpaid_orders = excluded.counts_unpaid_orders,
     version = c.version + 1, updated_at = excluded.updated_at
   RETURNING version`,
).rows<{ version: number }>();
const findAny = statement('corridors.find-any', 'SELECT 1 AS found FROM corridors LIMIT 1').rows<{
  found: number;
}>();

export async function listCorridors(database: Queryable): Promise<Corridor[]> {
  return (await database.query(listAll)).map(toCorridor);
}

export async function saveCorridor(
  tx: Transaction,
  fiatIn: CurrencyCode,
  fiatOut: CurrencyCode,
  terms: CorridorTerms,
): Promise<Corridor> {
  const kycBands = toJson(terms.kycBands);
  const [row] = await tx.query(saveOne, { ...terms, fiatIn, fiatOut, kycBands });
  return { ...terms, fiatIn, fiatOut, version: row?.version ?? 1 };
}

/** Leaves corridors that exist as they are. */
export async function addCorridors(tx: Transaction, corridors: readonly NewCorridor[]): Promise<void> {
  await tx.query(addAll, { corridors: toJson(corridors) });
}

export async function hasCorridors(database: Queryable): Promise<boolean> {
  return (await database.query(findAny)).length > 0;
}

/** Amounts are text in JSON, because a number could lose digits. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part));
}

function toCorridor(row: CorridorRow): Corridor {
  return {
    fiatIn: row.fiat_in,
    fiatOut: row.fiat_out,
    isOpen: row.is_open,
    minInMinor: row.min_in_minor,
    maxInMinor: row.max_in_minor,
    minOutMinor: row.min_out_minor,
    marginBasisPoints: row.margin_basis_points,
    feeFixedMinor: row.fee_fixed_minor,
    feeBasisPoints: row.fee_basis_points,
    quoteLifetimeSeconds: row.quote_lifetime_seconds,
    kycBands: row.kyc_bands.map(({ upToMinor, level }) => ({
      upToMinor: upToMinor === undefined ? undefined : BigInt(upToMinor),
      level,
    })),
    payoutMethods: row.payout_methods,
    rateToleranceBasisPoints: row.rate_tolerance_basis_points,
    rateMaxAgeHours: row.rate_max_age_hours,
    onHold: row.on_hold,
    rateGuaranteeHours: row.rate_guarantee_hours,
    paymentDueHours: row.payment_due_hours,
    maxUnpaidOrders: row.max_unpaid_orders,
    countsUnpaidOrders: row.counts_unpaid_orders,
    version: row.version,
  };
}
