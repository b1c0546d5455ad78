/** Builds the export of what is known of a user. Owns no data: it brings together what the rooms below show anyway. */
import type { BeneficiaryRoom } from '../beneficiaries/room.js';
import type { Clock } from '../clock.js';
import type { KycRoom } from '../kyc/room.js';
import type { OrderRoom } from '../orders/room-options.js';
import type { UserService } from '../users/service.js';
import { userExportRoute } from './routes.js';
import { UserExport } from './service.js';

export interface UserExportRoomOptions {
  readonly clock: Clock;
  readonly users: { readonly service: UserService };
  readonly kyc: Pick<KycRoom, 'service'>;
  readonly beneficiaries: Pick<BeneficiaryRoom, 'service'>;
  readonly orders: Pick<OrderRoom, 'service' | 'timelines' | 'disclosures'>;
}

export function userExportRoom({ clock, users, kyc, beneficiaries, orders }: UserExportRoomOptions) {
  const { service, timelines, disclosures } = orders;
  const ofUser = { users: users.service, kyc: kyc.service, beneficiaries: beneficiaries.service };
  return {
    routes: [userExportRoute(new UserExport({ clock, ...ofUser, orders: service, timelines, disclosures }))],
    jobs: [],
  };
}
