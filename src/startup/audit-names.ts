/** Provides the names of merchants and operators to the audit log, which must not import those rooms. */
import type { AuditNames } from '../changes/listing.js';
import { getMerchant, listClientIdsOf } from '../merchants/service.js';
import { loginsOf } from '../operators/simulated.js';

export const auditNames: AuditNames = {
  async merchantIdOf(database, clientId) {
    return (await getMerchant(database, clientId)).merchantId;
  },
  async clientIdsOf(database, merchants) {
    const clientIds = await listClientIdsOf(database, merchants);
    return new Map(clientIds.map(({ merchantId, clientId }) => [merchantId, clientId]));
  },
  logins: loginsOf,
};
