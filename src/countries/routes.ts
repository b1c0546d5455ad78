/** Routes for operators: which countries are served, and with which checks. */
import Type, { type Static } from 'typebox';
import { type FindPending, pendingField } from '../http/four-eyes.js';
import { command, type Route, read } from '../http/route.js';
import type { CountryPolicy } from './policy.js';
import { recordOf } from './rows.js';
import { CountryPath, CountryPolicyShape, DecidedPolicyBody } from './schemas.js';
import type { CountryPolicies } from './service.js';

const described = { tag: 'Compliance for operators' } as const;

export function countryRoutes(policies: CountryPolicies, findPending: FindPending): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/operator/countries',
      operationId: 'listCountryPolicies',
      summary: 'List the countries with a policy',
      description: 'Countries that are not in the list are served without further checks.',
      returns: 'What the lists of the FATF and comprehensive sanctions name, and what operators have decided.',
      access: { token: 'operator', role: 'viewer' },
      answer: Type.Array(CountryPolicyShape),
      async run(_call, database) {
        const all = policies.all();
        const records = all.map(({ country }) => recordOf(country));
        const pending = await findPending(database, records);
        return all.map((policy) => ({ ...encode(policy), ...pendingField(pending.get(recordOf(policy.country))) }));
      },
    }),
    command({
      ...described,
      method: 'PUT',
      path: '/operator/countries/{country}',
      operationId: 'saveCountryPolicy',
      summary: 'Decide about a country',
      description:
        'Takes effect at once, also for paid orders that wait. A change that lets more through needs a second operator; a stricter one does not. A prohibited country is refused to new users, beneficiaries and orders, and no money of it leaves: a person must refuse its orders.',
      returns: 'The policy after the change.',
      access: { token: 'operator', role: 'admin' },
      subject: 'instance',
      fourEyes: {
        action: 'country_policy.save',
        review: (call, tx) => policies.review(tx, { ...call.body, country: call.params.country }),
        before: async (call, tx) => encode(await policies.stored(tx, call.params.country)),
      },
      params: CountryPath,
      body: DecidedPolicyBody,
      answer: CountryPolicyShape,
      refusals: ['version_conflict'],
      run: async (call, tx) =>
        encode(await policies.decide(tx, call.by, { ...call.body, country: call.params.country })),
      afterCommit: () => policies.refresh(),
    }),
  ];
}

function encode(policy: CountryPolicy): Static<typeof CountryPolicyShape> {
  const { country, residence, nationality, payout, answers, sources, decided } = policy;
  return {
    country,
    residence,
    nationality,
    payout,
    answers: [...answers],
    sources: sources.map(({ name, source, date }) => ({ name, source, date })),
    isDefault: decided === undefined,
    reason: decided?.reason ?? null,
    version: decided?.version ?? 0,
  };
}
