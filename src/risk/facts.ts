/** Gathers what the rating of a user rests on, from the rooms that know it. */
import { type Treatment, treatments } from '../countries/policy.js';
import type { CountryPolicies } from '../countries/service.js';
import type { ExposureService } from '../kyc/exposure/service.js';
import { isExposed } from '../kyc/hits/hit.js';
import type { Person } from '../kyc/hits/person.js';
import type { HitService } from '../kyc/hits/service.js';
import type { Movements } from '../orders/movements/service.js';
import type { Account, PersonIndex } from '../persons/service.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { RiskFacts } from './rating.js';

export interface FactsOptions {
  readonly hits: Pick<HitService, 'gather' | 'listOf'>;
  readonly exposures: Pick<ExposureService, 'last'>;
  readonly countries: Pick<CountryPolicies, 'policyOf'>;
  readonly persons: Pick<PersonIndex, 'accountsOf'>;
  readonly movements: Pick<Movements, 'wholeHistory'>;
  /** Alerts about any of these users that nobody dismissed. Cases are above this room. */
  readonly countAlerts: (database: Queryable, users: readonly Account[]) => Promise<number>;
}

const dayMs = 86_400_000;
const yearDays = 365;

/** Undefined for a deleted user. Throws `BrokenSeal`. */
export async function readRiskFacts(
  { hits, exposures, countries, persons, movements, countAlerts }: FactsOptions,
  tx: Transaction,
  account: Account,
  now: Date,
): Promise<RiskFacts | undefined> {
  const { merchantId, userId } = account;
  const { person } = (await hits.gather(tx, merchantId, [userId])).open(userId);
  if (!person) return undefined;
  const accounts = (await persons.accountsOf(tx, merchantId, [userId])).get(userId) ?? [account];
  const from = new Date(now.getTime() - yearDays * dayMs);
  const paid = await movements.wholeHistory(tx, { users: accounts, accounts: [], from, until: now });
  const found = await hits.listOf(tx, merchantId, userId);
  const { countryCode } = person.profile;
  const strictest = (of: readonly string[], use: 'residence' | 'nationality'): Treatment =>
    treatments[Math.max(0, ...of.map((country) => treatments.indexOf(countries.policyOf(country)[use])))] ?? 'allowed';
  const [first] = paid;
  return {
    residence: strictest([countryCode], 'residence'),
    nationality: strictest(person.subject.countries ?? [], 'nationality'),
    age: ageOf(person, now),
    isExposed: found.some(isExposed) || (await exposures.last(tx, account)) !== undefined,
    openHits: found.filter(({ state }) => state === 'open').length,
    alerts: await countAlerts(tx, accounts),
    paid: {
      orders: paid.length,
      usdMinor: paid.reduce((sum, { usdMinor }) => sum + usdMinor, 0n),
      countries: new Set(paid.map(({ country }) => country)).size,
      toEnhanced: paid.filter(({ country }) => countries.policyOf(country).payout !== 'allowed').length,
      sinceDays: first ? Math.floor((now.getTime() - first.paidAt.getTime()) / dayMs) : 0,
    },
  };
}

/** In whole years. */
function ageOf({ subject: { birthDate } }: Person, now: Date): number | undefined {
  const [year, month = 1, day = 1] = (birthDate ?? '').split('-').map(Number);
  if (!year) return undefined;
  const thisMonth = now.getUTCMonth() + 1;
  const isBefore = thisMonth < month || (thisMonth === month && now.getUTCDate() < day);
  return now.getUTCFullYear() - year - (isBefore ? 1 : 0);
}
