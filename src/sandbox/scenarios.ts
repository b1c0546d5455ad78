/** The stories that the sandbox can play. Data only. */
import type { KycLevel } from '../kyc-level.js';
import type { Purpose } from '../orders/order.js';
import type { PublicState } from '../orders/transitions.js';
import type { Profile } from '../users/user.js';

export interface Scenario {
  readonly name: 'happy_path';
  readonly description: string;
  readonly sender: Profile;
  readonly level: KycLevel;
  readonly quote: { readonly fiatIn: string; readonly fiatOut: string; readonly amountIn: string };
  readonly beneficiary: object;
  readonly purpose: Purpose;
  /** The state in which the story ends. */
  readonly endsAs: PublicState;
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'happy_path',
    description:
      'A new user is verified, sends 100 EUR to an account in Mexico and pays. The money is paid out.',
    sender: {
      firstName: 'Ana',
      lastName: 'Reyes',
      email: 'ana@example.com',
      address: '12 Calle del Sol',
      city: 'Valencia',
      stateProvince: 'Valencia',
      countryCode: 'ES',
      postalCode: '46001',
    },
    level: 'LEVEL_1',
    quote: { fiatIn: 'EUR', fiatOut: 'MXN', amountIn: '100' },
    beneficiary: {
      country: 'MX',
      currency: 'MXN',
      method: 'bank_account',
      type: 'person',
      firstName: 'Guadalupe',
      lastName: 'Ortega Ruiz',
      address: { town: 'Guadalajara', country: 'MX' },
      account: { clabe: '032180000118359719' },
    },
    purpose: 'family_support',
    endsAs: 'COMPLETED',
  },
];
