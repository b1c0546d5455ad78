/** The rooms of people: who sends, whether we know them, who receives, and who is on a list. */
import { beneficiaryRoom } from '../beneficiaries/room.js';
import type { Clock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { CountryPolicies } from '../countries/service.js';
import { documentRoom } from '../documents/room.js';
import type { KeyVault } from '../keys/vault.js';
import { type KycRoomOptions, kycRoom } from '../kyc/room.js';
import { kycFormRoom } from '../kyc-form/room.js';
import type { Log } from '../log.js';
import { personRoom } from '../persons/room.js';
import type { Database } from '../postgres/database.js';
import { screeningRoom } from '../screening/room.js';
import { userRoom } from '../users/room.js';
import type { closing } from './room.js';

export interface PeopleRoomOptions {
  readonly countries: CountryPolicies;
  readonly database: Database;
  readonly vault: KeyVault;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly baseUrl: () => string;
  readonly open: ReturnType<typeof closing>;
  readonly rateRisk: KycRoomOptions['rateRisk'];
}

export async function peopleRooms(options: PeopleRoomOptions, approvals: KycRoomOptions['approvals']) {
  const { database, vault, config, clock, log, baseUrl, open, countries, rateRisk } = options;
  const persons = personRoom({ database, rootKey: vault.rootKey, findPending: approvals.findPending, log });
  const users = userRoom({ database, vault, clock, log, retentionYears: config.retentionYears, countries });
  const screening = open(await screeningRoom({ settings: config, clock, log }));
  const documents = open(documentRoom({ rootKey: vault.rootKey, settings: config, log }));
  const kyc = kycRoom({
    database,
    vault,
    clock,
    log,
    users: users.service,
    persons: persons.service,
    documents,
    screening: screening.service,
    countries,
    approvals,
    rateRisk,
    settings: config,
  });
  const kycForm = kycFormRoom({ kyc, inspect: documents.inspect, baseUrl, mode: config.mode, clock });
  return {
    users,
    persons,
    screening,
    documents,
    kyc,
    kycForm,
    beneficiaries: beneficiaryRoom(users.service, countries),
  };
}
