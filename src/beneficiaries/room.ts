/** Builds the beneficiaries room. `app.ts` provides the users, and calls `service.erase` when one is erased. */
import type { Route } from '../http/route.js';
import type { UserService } from '../users/service.js';
import { beneficiaryRoutes, type PayoutPolicy } from './routes.js';
import { BeneficiaryService } from './service.js';

export interface BeneficiaryRoom {
  readonly service: BeneficiaryService;
  readonly routes: readonly Route[];
  readonly jobs: readonly [];
}

export function beneficiaryRoom(users: UserService, countries: PayoutPolicy): BeneficiaryRoom {
  const service = new BeneficiaryService(users);
  return { service, routes: beneficiaryRoutes(service, countries), jobs: [] };
}
