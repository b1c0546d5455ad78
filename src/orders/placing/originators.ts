/** Gathers what is known of the sender of a new order, and refuses the order when it is not enough. */
import { demandsIn, type OriginatorDemand } from '../../countries/originator.js';
import type { MerchantId, UserId } from '../../ids.js';
import type { OpenIdentity } from '../../kyc/hits/identity.js';
import type { Licensee } from '../../licensee/licensee.js';
import type { Queryable } from '../../postgres/statement.js';
import type { Profile } from '../../users/user.js';
import { type Originator, originatorOf, requireOriginator, withSimulated } from '../order/copies/originator.js';

export interface OriginatorOptions {
  readonly hits: { identity(database: Queryable, merchantId: MerchantId, userId: UserId): Promise<OpenIdentity> };
  readonly mode: 'sandbox' | 'live';
}

/** Who holds the licence, and which way the money goes. */
export interface OriginatorPlace {
  readonly licensee: Pick<Licensee, 'country'>;
  readonly residence: string;
  readonly payout: string;
}

export class Originators {
  readonly #options: OriginatorOptions;

  constructor(options: OriginatorOptions) {
    this.#options = options;
  }

  /** One statement, which can be sent with others: it needs neither profile nor key. */
  async read(
    database: Queryable,
    merchantId: MerchantId,
    userId: UserId,
  ): Promise<(profile: Profile, retainedKey: Buffer) => Originator> {
    const { hits, mode } = this.#options;
    const open = await hits.identity(database, merchantId, userId);
    return (profile, retainedKey) => {
      const known = open(retainedKey);
      return originatorOf(profile, mode === 'sandbox' ? withSimulated(known) : known);
    };
  }

  /** Throws `originator_incomplete`. */
  require(originator: Originator, { licensee, ...way }: OriginatorPlace, usdMinor: bigint | undefined): void {
    requireOriginator(originator, { licensedIn: licensee.country, ...way }, usdMinor);
  }

  /** None while the direction is not known. */
  demands(place: OriginatorPlace | undefined): OriginatorDemand[] {
    if (!place) return [];
    const { licensee, ...way } = place;
    return demandsIn({ licensedIn: licensee.country, ...way });
  }
}
