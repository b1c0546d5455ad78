/** Routes for merchants and their users: beneficiaries, and what each country requires. */
import Type, { type Static } from 'typebox';
import type { SelectedUser } from '../caller.js';
import { demandsIn } from '../countries/originator.js';
import { viewOfDemand } from '../countries/originator-schemas.js';
import { type FieldFault, RemesaError } from '../errors.js';
import { command, type Inspect, type Route, read } from '../http/route.js';
import type { MerchantId } from '../ids.js';
import type { Beneficiary } from './beneficiary.js';
import { maskedAccount, maskedName } from './masking.js';
import {
  type DestinationKey,
  destinationFaults,
  destinations,
  exampleOf,
  findDestination,
  publishedFields,
  typesOf,
} from './requirements.js';
import {
  BeneficiaryPath,
  BeneficiaryShape,
  BeneficiarySummaryShape,
  DestinationFilter,
  DestinationQuery,
  DestinationShape,
  NewBeneficiaryShape,
  RequirementsShape,
} from './schemas.js';
import type { BeneficiaryService } from './service.js';
import { beneficiaryFaults } from './validation.js';

const described = { tag: 'Beneficiaries' } as const;
const ofUser = { token: 'either', scope: 'orders', user: 'required' } as const;
const ofAnyone = { token: 'either', scope: 'orders', user: 'none' } as const;

/** The operator's policies of countries. */
export interface PayoutPolicy {
  faultsOf(field: string, country: unknown, use: 'payout'): FieldFault[];
}

export function beneficiaryRoutes(beneficiaries: BeneficiaryService, countries: PayoutPolicy): Route[] {
  const inspect: Inspect = (body) => [
    ...beneficiaryFaults(body),
    ...countries.faultsOf('country', (body as { country?: unknown } | null | undefined)?.country, 'payout'),
  ];
  return [...requirementRoutes(), ...writingRoutes(beneficiaries, inspect), ...readingRoutes(beneficiaries)];
}

function requirementRoutes(): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries/destinations',
      operationId: 'listDestinations',
      summary: 'List the countries, currencies and methods that money can be sent to',
      description: 'Whether money can be sent now is decided by the corridor: see `GET /corridors`.',
      returns: 'Every combination that has requirements.',
      access: ofAnyone,
      query: DestinationFilter,
      answer: Type.Array(DestinationShape),
      run: async ({ query }) =>
        destinations
          .filter((destination) =>
            Object.entries(query).every(([name, value]) => destination[name as keyof DestinationKey] === value),
          )
          .map(({ country, currency, method }) => ({ country, currency, method })),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries/requirements',
      operationId: 'getBeneficiaryRequirements',
      summary: 'Get what must be known about a beneficiary',
      description:
        'Enough to render a form: send `country`, `currency`, `method` and the fields to `POST /beneficiaries`.',
      returns: 'The fields, and a complete example.',
      access: ofAnyone,
      query: DestinationQuery,
      answer: RequirementsShape,
      run: async ({ query }) => requirementsOf(query),
    }),
  ];
}

function writingRoutes(beneficiaries: BeneficiaryService, inspect: Inspect): Route[] {
  return [
    command({
      ...described,
      method: 'POST',
      path: '/beneficiaries',
      operationId: 'createBeneficiary',
      summary: 'Add a beneficiary',
      description:
        'An account that the user already has keeps its id: you get the same beneficiary, with the other details that you sent now. Fields that the destination does not use are refused.',
      returns: 'The beneficiary, masked as in the list.',
      access: ofUser,
      body: NewBeneficiaryShape,
      inspect,
      answer: BeneficiarySummaryShape,
      // The stored answer contains a first name.
      idempotency: { keepForHours: 24, isSecret: true },
      refusals: ['too_many_beneficiaries'],
      run: async (call, tx) => summaryOf(await beneficiaries.save(tx, call.by, ownerOf(call), call.body)),
    }),
    command({
      ...described,
      method: 'DELETE',
      path: '/beneficiaries/{id}',
      operationId: 'deleteBeneficiary',
      summary: 'Delete a beneficiary',
      description: 'Its data is deleted at once. The same account can be added again, with a new id.',
      returns: 'The beneficiary is deleted.',
      access: ofUser,
      params: BeneficiaryPath,
      refusals: ['beneficiary_not_found'],
      run: (call, tx) => beneficiaries.delete(tx, call.by, ownerOf(call), call.params.id),
    }),
  ];
}

function readingRoutes(beneficiaries: BeneficiaryService): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries',
      operationId: 'listBeneficiaries',
      summary: 'List the beneficiaries of a user',
      description: 'At most 200. Last names and accounts are masked.',
      returns: 'All beneficiaries, the newest first.',
      access: ofUser,
      answer: Type.Array(BeneficiarySummaryShape),
      run: async (call, database) => (await beneficiaries.list(database, ownerOf(call))).map(summaryOf),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries/{id}',
      operationId: 'getBeneficiary',
      summary: 'Get a beneficiary',
      description: 'Everything that was entered, so that the user can check it.',
      returns: 'The beneficiary with its full account.',
      access: ofUser,
      params: BeneficiaryPath,
      answer: BeneficiaryShape,
      refusals: ['beneficiary_not_found'],
      run: async (call, database) => viewOf(await beneficiaries.find(database, ownerOf(call), call.params.id)),
    }),
  ];
}

function ownerOf({ caller, user }: { caller: { merchantId: MerchantId }; user: SelectedUser }) {
  return { merchantId: caller.merchantId, userId: user.id };
}

/** Throws `invalid_fields` when there is no such destination. */
function requirementsOf(query: DestinationKey): Static<typeof RequirementsShape> {
  const destination = findDestination(query);
  if (!destination) {
    throw new RemesaError('invalid', 'invalid_fields', 'This destination is not offered.', {
      errors: destinationFaults(query),
    });
  }
  const { country, currency, method } = destination;
  return {
    country,
    currency,
    method,
    types: typesOf(destination),
    fields: publishedFields(destination),
    example: exampleOf(destination),
    sender: demandsIn({ licensedIn: undefined, residence: undefined, payout: country }).map(viewOfDemand),
  };
}

function summaryOf({ beneficiaryId, details, ...times }: Beneficiary): Static<typeof BeneficiarySummaryShape> {
  const { country, currency, method, type } = details;
  return {
    id: beneficiaryId,
    country,
    currency,
    method,
    type,
    name: maskedName(details),
    account: maskedAccount(details),
    ...timesOf(times),
  };
}

function viewOf({ beneficiaryId, details, ...times }: Beneficiary): Static<typeof BeneficiaryShape> {
  return { id: beneficiaryId, ...details, ...timesOf(times) };
}

function timesOf({ createdAt, updatedAt }: Pick<Beneficiary, 'createdAt' | 'updatedAt'>) {
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
