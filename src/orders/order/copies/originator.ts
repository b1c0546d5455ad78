/** What an order keeps of its sender for whoever carries the money, and whether it is enough. Pure. */
import {
  demandsIn,
  isFrom,
  missingFor,
  type OriginatorCorridor,
  type OriginatorDemand,
  type OriginatorPart,
} from '../../../countries/originator.js';
import { RemesaError } from '../../../errors.js';
import type { KnownIdentity } from '../../../kyc/hits/identity.js';
import type { Profile } from '../../../users/user.js';

/** Sealed with the order, and frozen in each payment instruction. */
export interface Originator {
  readonly address: {
    readonly street: string;
    readonly town: string;
    readonly region: string;
    readonly postalCode: string;
    readonly country: string;
  };
  readonly birthDate?: string;
  readonly birthPlace?: string;
  readonly documentNumber?: string;
  readonly documentCountry?: string;
}

/**
 * A sandbox gives levels without a form, or above the one that was submitted: it makes up what no form has asked, and
 * keeps what one has.
 */
export function withSimulated(known: KnownIdentity | undefined): KnownIdentity {
  return {
    birthDate: known?.birthDate ?? '1990-01-01',
    birthPlace: known?.birthPlace ?? 'Sandbox',
    document: known?.document ?? { number: 'SANDBOX0000', country: undefined },
  };
}

export function originatorOf(profile: Profile, identity: KnownIdentity | undefined): Originator {
  const { address: street, city: town, stateProvince: region, postalCode, countryCode: country } = profile;
  const { birthDate, birthPlace, document } = identity ?? {};
  return {
    address: { street, town, region, postalCode, country },
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(birthPlace === undefined ? {} : { birthPlace }),
    ...(document === undefined ? {} : { documentNumber: document.number }),
    ...(document?.country === undefined ? {} : { documentCountry: document.country }),
  };
}

/** Throws `originator_incomplete`. Without a value in dollars, every demand holds. */
export function requireOriginator(
  originator: Originator,
  corridor: OriginatorCorridor,
  usdMinor: bigint | undefined,
): void {
  const known = partsOf(originator);
  const demands = demandsIn(corridor).filter((demand) => isFrom(demand, usdMinor));
  const unmet = demands.flatMap((demand) => gapOf(demand, known));
  if (unmet.length === 0) return;
  const missing = [...new Set(unmet.flatMap((demand) => demand.missing))];
  throw new RemesaError('impossible', 'originator_incomplete', `Of the sender is not known: ${missing.join(', ')}.`, {
    members: { missing, demands: unmet },
  });
}

function partsOf({ address, birthDate, birthPlace, documentNumber }: Originator): ReadonlySet<OriginatorPart> {
  const parts = new Set<OriginatorPart>();
  if (address.street && address.town && address.country) parts.add('address');
  if (documentNumber) parts.add('document_number');
  if (birthDate && birthPlace) parts.add('birth_date_and_place');
  return parts;
}

function gapOf(demand: OriginatorDemand, known: ReadonlySet<OriginatorPart>) {
  const { name, article, anyOf } = demand;
  const missing = missingFor(demand, known);
  return missing.length === 0
    ? []
    : [{ name, article, anyOf: anyOf.map((parts) => [...parts]), missing: [...missing] }];
}
