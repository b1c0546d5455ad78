/**
 * Owns what compliance officers look at. Does not own the people, their orders or the block list: it brings together
 * what the rooms below know of them. No merchant and no user sees anything of it.
 */
import type { HitService } from '../kyc/hits/service.js';
import type { KycService } from '../kyc/service.js';
import type { LimitService } from '../orders/limits/service.js';
import type { OrderDesk } from '../orders/operator/desk/service.js';
import type { AccountIndex } from '../orders/rules/account-index.js';
import type { BlockService } from '../persons/blocks/service.js';
import type { PersonIndex } from '../persons/service.js';
import type { UserService } from '../users/service.js';
import { peopleRoutes } from './people/routes.js';
import { PeopleService } from './people/service.js';

export interface CaseRoomOptions {
  readonly users: { readonly service: UserService };
  readonly persons: { readonly service: PersonIndex; readonly blocks: BlockService };
  readonly kyc: { readonly service: KycService; readonly hits: HitService };
  readonly orders: {
    readonly desk: OrderDesk;
    readonly limits: LimitService;
    readonly accounts: AccountIndex;
  };
}

export function caseRoom({ users, persons, kyc, orders }: CaseRoomOptions) {
  const people = new PeopleService({
    users: users.service,
    persons: persons.service,
    blocks: persons.blocks,
    kyc: kyc.service,
    hits: kyc.hits,
    desk: orders.desk,
    limits: orders.limits,
    accounts: orders.accounts,
  });
  return { routes: peopleRoutes(people), jobs: [] };
}
