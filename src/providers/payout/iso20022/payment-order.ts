/** What a bank is told of a payment of ours. Pure: the same instruction gives the same order, and so the same bytes. */
import { createHash } from 'node:crypto';
import type { Details } from '../../../beneficiaries/beneficiary.js';
import { identifyingValues } from '../../../beneficiaries/requirements.js';
import type { AccountNumber, Address, Bank, Party, PaymentOrder } from '../../../iso20022/payment-message.js';
import type { Instruction } from '../../../payouts/rail.js';

/** Codes of the external list "purpose" of ISO 20022. */
const purposeCodes: Readonly<Record<string, string>> = {
  family_support: 'FAMI',
  education: 'EDUC',
  medical: 'MDCS',
  gift: 'GIFT',
  savings: 'SAVG',
  property: 'PLRF',
  salary: 'SALA',
  goods_and_services: 'GDSV',
  loan_repayment: 'LOAR',
  travel: 'TRVL',
  charity: 'CHAR',
  refund: 'REFU',
};

/** The member ids of national clearing systems, by the field of the beneficiary that has them. */
const clearingSystems: Readonly<Record<string, string>> = {
  routingNumber: 'USABA',
  sortCode: 'GBDSC',
  ifsc: 'INFSC',
};

/** Undefined without an account: cash, wallets, and payers whom an operator must find. */
export function paymentOrderOf(instruction: Instruction): PaymentOrder | undefined {
  const { reference, direction, currency, amount, sender, recipient, purpose } = instruction;
  if (!recipient) return undefined;
  const creditor = 'method' in recipient ? beneficiaryOf(recipient) : payerOf(recipient);
  if (!creditor) return undefined;
  const isPayout = direction === 'payout';
  return {
    endToEndId: reference,
    uetr: uetrOf(reference),
    currency,
    amount,
    chargeBearer: undefined,
    ultimateDebtor: isPayout && sender?.name ? ultimateDebtorOf(sender.name, sender) : undefined,
    ...creditor,
    purpose: isPayout ? purposeCodes[purpose] : purposeCodes.refund,
    remittance: { text: isPayout ? (sender?.name ?? reference) : `Refund ${reference}` },
  };
}

function ultimateDebtorOf(name: string, sender: NonNullable<Instruction['sender']>): Party {
  const { documentNumber: number, documentCountry: issuer } = sender.originator ?? {};
  const document = number === undefined ? undefined : { number, issuer };
  return { name, address: originatorAddress(sender), ...(document && { document }) };
}

/** Profiles whose format has no address of the ultimate debtor leave it out. */
function originatorAddress({ originator }: NonNullable<Instruction['sender']>): Address | undefined {
  if (!originator) return undefined;
  const { street, town, region, postalCode, country } = originator.address;
  return { street, building: undefined, postalCode, town, subdivision: region, country };
}

interface Creditor {
  readonly creditor: Party;
  readonly creditorAccount: AccountNumber;
  readonly creditorBank: Bank | undefined;
}

function beneficiaryOf(details: Details): Creditor | undefined {
  if (details.method !== 'bank_account') return undefined;
  const { account, companyName, firstName, lastName } = details;
  const name = companyName ?? [firstName, lastName].filter(Boolean).join(' ');
  const number = account.iban ?? identifyingValues(details).at(-1);
  if (!number) return undefined;
  return {
    creditor: { name, address: addressOf(details) },
    creditorAccount: account.iban === undefined ? { number } : { iban: number },
    creditorBank: bankOf(details),
  };
}

function payerOf({ name, account }: { readonly name: string; readonly account: string | null }): Creditor | undefined {
  if (account === null) return undefined;
  const number = account.replaceAll(/\s/g, '').toUpperCase();
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(number);
  return {
    creditor: { name, address: undefined },
    creditorAccount: isIban ? { iban: number } : { number },
    creditorBank: undefined,
  };
}

function addressOf({ country, address }: Details): Address {
  return {
    street: address.street,
    building: address.buildingNumber,
    postalCode: address.postCode,
    town: address.town,
    subdivision: address.region,
    country,
  };
}

function bankOf({ account }: Details): Bank | undefined {
  const [field, system] = Object.entries(clearingSystems).find(([name]) => account[name] !== undefined) ?? [];
  const member = field === undefined ? undefined : account[field];
  const clearing = system !== undefined && member !== undefined ? { system, member } : undefined;
  if (account.bic === undefined && !clearing) return undefined;
  return { bic: account.bic, clearing, name: account.bankName };
}

/** A UUID of version 4 that is the same whenever the payment is written. */
function uetrOf(reference: string): string {
  const bytes = createHash('sha256').update(`uetr ${reference}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
