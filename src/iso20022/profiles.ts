/** The families of banks that are known. Another one is a file in `profiles/` and a name here. Pure. */
import { cbpr } from './profiles/cbpr.js';
import { plain } from './profiles/plain.js';
import type { BankProfile, PaymentService } from './profiles/profile.js';
import { sepa } from './profiles/sepa.js';
import { sps } from './profiles/sps.js';

export type { BankProfile, CharacterSet, PaymentService } from './profiles/profile.js';

const known = { plain, sepa, sps, cbpr };
export type BankProfileName = keyof typeof known;

export const bankProfiles: Readonly<Record<BankProfileName, BankProfile>> = known;
export const bankProfileNames = Object.keys(known) as readonly BankProfileName[];

/** The service that a profile has for a currency. */
export function serviceFor(profile: BankProfile, currency: string): PaymentService | undefined {
  return profile.services.find((service) => service.currency === 'any' || service.currency === currency);
}
