/** The verbs of countries: decide about one, and know all of them from memory. */
import { iso31661 } from 'iso-3166';
import type { ApprovalSubject } from '../approval.js';
import type { By } from '../caller.js';
import { changedFields } from '../changes/change.js';
import { recordChange } from '../changes/service.js';
import { type FieldFault, invalidField, invalidFields, RemesaError } from '../errors.js';
import { instanceTenant } from '../ids.js';
import { lockInstance } from '../postgres/instance.js';
import type { Queryable, SealedQueryable, Transaction } from '../postgres/statement.js';
import { Refresher } from '../worker/refresher.js';
import {
  type CountriesOf,
  type CountryFinding,
  type CountryPolicy,
  type CountryTerms,
  type CountryUse,
  countryFindings,
  type DecidedPolicy,
  defaultTerms,
  isMilder,
  type RequiredAnswer,
  sourcesOf,
} from './policy.js';
import { alteredPolicies, digestedPolicy, recordOf } from './rows.js';
import { findPolicy, listPolicies, savePolicy } from './store.js';

export const countriesChanged = 'countries.changed';
const refreshEveryMs = 5_000;
const nobodyServed = { residence: 'prohibited', nationality: 'prohibited', payout: 'prohibited' } as const;
const known: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

export interface PolicyChange extends CountryTerms {
  readonly country: string;
  readonly reason: string;
  /** The one that was read; 0 while the default holds. */
  readonly version: number;
}

/** The policies of all countries, from memory: every user, beneficiary and order asks. */
export class CountryPolicies extends Refresher {
  #decided: ReadonlyMap<string, DecidedPolicy> = new Map();
  readonly #mode: 'sandbox' | 'live';

  constructor(database: SealedQueryable, mode: 'sandbox' | 'live') {
    super(async () => {
      const decided = await listPolicies(database);
      const altered = new Set((await alteredPolicies(database, decided)).map(({ country }) => country));
      // What somebody has changed past the service serves nobody until it is put right.
      const inForce = decided.map((policy) => (altered.has(policy.country) ? { ...policy, ...nobodyServed } : policy));
      this.#decided = new Map(inForce.map((policy) => [policy.country, policy]));
    }, refreshEveryMs);
    this.#mode = mode;
  }

  policyOf(country: string): CountryPolicy {
    return policyOf(country, this.#mode, this.#decided.get(country));
  }

  /** All countries that are not simply served, and those that operators have decided about. */
  all(): CountryPolicy[] {
    const policies = [...known].sort().map((country) => this.policyOf(country));
    return policies.filter(({ decided, sources }) => decided !== undefined || sources.length > 0);
  }

  isProhibited(country: string, use: CountryUse): boolean {
    return this.policyOf(country)[use] === 'prohibited';
  }

  findings(countries: CountriesOf): CountryFinding[] {
    return countryFindings((country) => this.policyOf(country), countries);
  }

  /** Of a field that names a country; none when the country may be used so. */
  faultsOf(field: string, country: unknown, use: CountryUse): FieldFault[] {
    if (typeof country !== 'string' || !this.isProhibited(country.toUpperCase(), use)) return [];
    return [{ field, code: 'not_allowed', message: `must not be ${country}: the operator does not serve it` }];
  }

  /** Throws `country_prohibited`, and `invalid_fields` when an order to that country must state more. */
  requireOrder(
    { residence, payout }: { readonly residence: string; readonly payout: string },
    stated: Readonly<Record<RequiredAnswer, unknown>>,
  ): void {
    this.#requireServed(residence, 'residence');
    this.#requireServed(payout, 'payout');
    const missing = this.policyOf(payout).answers.filter((answer) => stated[answer] === undefined);
    const message = `is required for payouts in ${payout}`;
    if (missing.length > 0) throw invalidFields(missing.map((field) => ({ field, code: 'required', message })));
  }

  #requireServed(country: string, use: CountryUse): void {
    if (!this.isProhibited(country, use)) return;
    throw new RemesaError('impossible', 'country_prohibited', `The operator does not serve ${country} as ${use}.`, {
      members: { country, use },
    });
  }

  /** Throws `invalid_fields` and `version_conflict`. */
  async decide(tx: Transaction, by: By, change: PolicyChange): Promise<CountryPolicy> {
    const { country, version } = change;
    await lockInstance(tx);
    const before = await this.stored(tx, country);
    const currentVersion = before.decided?.version ?? 0;
    if (version !== currentVersion)
      throw new RemesaError('conflict', 'version_conflict', 'The policy has changed since you read it.', {
        members: { version, currentVersion },
      });
    const decided = await savePolicy(tx, change);
    const after = policyOf(country, this.#mode, decided);
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'country_policy.changed',
      details: { reason: change.reason, version: decided.version, ...changedFields(audited(before), audited(after)) },
      version: decided.version,
      ...digestedPolicy(decided),
      rowBefore: before.decided && digestedPolicy(before.decided).row,
    });
    tx.wake(countriesChanged);
    return after;
  }

  /** What a change is about; undefined when it only makes something stricter, for which one person is enough. */
  async review(tx: Transaction, change: PolicyChange): Promise<ApprovalSubject | undefined> {
    const before = await this.stored(tx, change.country);
    if (!isMilder(before, change)) return undefined;
    return { subject: recordOf(change.country), version: String(before.decided?.version ?? 0) };
  }

  /** As it is in the database. Throws `invalid_fields` for what is no country. */
  async stored(database: Queryable, country: string): Promise<CountryPolicy> {
    if (known.has(country)) return policyOf(country, this.#mode, await findPolicy(database, country));
    throw invalidField('country', 'not_allowed', 'must be a country of ISO 3166');
  }
}

function policyOf(country: string, mode: 'sandbox' | 'live', decided: DecidedPolicy | undefined): CountryPolicy {
  const { residence, nationality, payout, answers } = decided ?? defaultTerms(country, mode);
  return { country, residence, nationality, payout, answers, sources: sourcesOf(country), decided };
}

function audited({ residence, nationality, payout, answers }: CountryTerms) {
  return { residence, nationality, payout, answers };
}
