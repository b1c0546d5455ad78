/**
 * A destination of money: a country, a currency and a method, with the fields that the bank, wallet or cash desk needs
 * there.
 */
import type { PayoutMethod } from '../../rates/corridors/corridor.js';
import { phoneNumber, walletProvider } from '../fields/account-fields.js';
import type { BeneficiaryType, Field } from '../fields/field.js';
import { addressFields, nameFields, typeField } from '../fields/party-fields.js';

/** Cards are planned. */
export const beneficiaryMethods = ['bank_account', 'mobile_wallet', 'cash_pickup'] as const satisfies PayoutMethod[];
export type BeneficiaryMethod = (typeof beneficiaryMethods)[number];

export interface Destination {
  readonly country: string;
  readonly currency: string;
  readonly method: BeneficiaryMethod;
  /** In the order in which a form shows them. */
  readonly fields: readonly Field[];
}

/** A country with its currency, and a town for the examples. */
export interface Place {
  readonly country: string;
  readonly currency: string;
  readonly town: string;
}

export function place(country: string, currency: string, town: string): Place {
  return { country, currency, town };
}

export function bankAccount(at: Place, ...account: readonly Field[]): Destination {
  return destination(at, 'bank_account', ['person', 'company'], account);
}

export function mobileWallet(at: Place, ...providers: readonly string[]): Destination {
  const account = [walletProvider(providers), phoneNumber(at.country, 'Mobile number of the wallet')];
  return destination(at, 'mobile_wallet', ['person'], account);
}

/** Whoever collects cash shows a document with exactly this name. */
export function cashPickup(at: Place): Destination {
  return destination(at, 'cash_pickup', ['person'], [phoneNumber(at.country, 'Mobile number of the recipient')]);
}

function destination(
  { country, currency, town }: Place,
  method: BeneficiaryMethod,
  types: readonly BeneficiaryType[],
  account: readonly Field[],
): Destination {
  const isRequired = method !== 'mobile_wallet';
  const names = nameFields.filter(({ onlyFor }) => onlyFor !== undefined && types.includes(onlyFor));
  const address = addressFields(country, town, { isRequired });
  return { country, currency, method, fields: [typeField(types), ...names, ...address, ...account] };
}
