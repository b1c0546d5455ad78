/** The people of the sandbox's stories. Nobody of them exists. */
import { randomInt } from 'node:crypto';
import type { Profile } from '../../users/user.js';

export const anaOfSpain: Profile = {
  firstName: 'Ana',
  lastName: 'Reyes',
  email: 'ana@example.com',
  address: '12 Calle del Sol',
  city: 'Valencia',
  stateProvince: 'Valencia',
  countryCode: 'ES',
  postalCode: '46001',
};

export const danielOfCalifornia: Profile = {
  firstName: 'Daniel',
  lastName: 'Whitfield',
  email: 'daniel@example.com',
  address: '12 Sunset Avenue',
  city: 'San Francisco',
  stateProvince: 'CA',
  countryCode: 'US',
  postalCode: '94103',
};

/** Where Daniel has a refund sent when the account that paid is closed. */
export const accountOfDaniel = { name: 'Daniel Whitfield', account: '021000021 000123456789' };

/** Each story pays another account, so that stories do not look like many senders who pay one person. */
export function guadalupe(lastName = 'Ortega Ruiz'): object {
  return {
    country: 'MX',
    currency: 'MXN',
    method: 'bank_account',
    type: 'person',
    firstName: 'Guadalupe',
    lastName,
    address: { town: 'Guadalajara', country: 'MX' },
    account: { clabe: clabeOf(`03218${digits(12)}`) },
  };
}

export function guadalupeForCash(): object {
  return {
    country: 'MX',
    currency: 'MXN',
    method: 'cash_pickup',
    type: 'person',
    firstName: 'Guadalupe',
    lastName: 'Ortega Ruiz',
    address: { town: 'Guadalajara', country: 'MX' },
    account: { phoneNumber: `+52222${digits(7)}` },
  };
}

export function wanjiku(): object {
  return {
    country: 'KE',
    currency: 'KES',
    method: 'mobile_wallet',
    type: 'person',
    firstName: 'Wanjiku',
    lastName: 'Kamau',
    address: { town: 'Nairobi', country: 'KE' },
    account: { walletProvider: 'm_pesa', phoneNumber: `+254712${digits(6)}` },
  };
}

/** Adds the check digit to the 17 digits of a Mexican account: weights 3, 7 and 1. */
export function clabeOf(first17: string): string {
  const sum = [...first17].reduce((total, digit, index) => {
    const weight = [3, 7, 1][index % 3] ?? 0;
    return total + ((Number(digit) * weight) % 10);
  }, 0);
  return `${first17}${(10 - (sum % 10)) % 10}`;
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
