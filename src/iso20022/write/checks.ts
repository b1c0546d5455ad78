/** Pure. Whether a bank would take a message, before it is written: what no schema shows. */
import type { AccountNumber, PaymentMessage, PaymentOrder } from '../payment-message.js';
import { type BankProfile, type PaymentService, serviceFor } from '../profiles.js';
import { fitted, isIdentification } from './texts.js';

/** What a bank would refuse. */
export interface Misfit {
  /** The position of the payment in the message, from 0; undefined for the message itself. */
  readonly payment: number | undefined;
  readonly field: string;
  readonly problem: string;
}

const bicForm = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;
const ibanForm = /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/;
const numberForm = /^[A-Za-z0-9/?:().,'+ -]{1,34}$/;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const dayForm = /^\d{4}-\d\d-\d\d$/;

/** Everything that does not fit; nothing for a message that may be written. */
export function misfitsOf(profile: BankProfile, message: PaymentMessage): Misfit[] {
  const { payments } = message;
  const ids = new Set(payments.map(({ endToEndId }) => endToEndId));
  const currencies = new Set(payments.map(({ currency }) => currency));
  const { bic } = message.debtorBank;
  const ofMessage = problems({
    messageId: !isIdentification(message.messageId) && 'is no identification',
    paymentInformationId: !isIdentification(message.paymentInformationId) && 'is no identification',
    createdAt: Number.isNaN(Date.parse(message.createdAt)) && 'is no instant',
    executionDay: !dayForm.test(message.executionDay) && 'is no day',
    initiator: !hasText(profile, message.initiator) && 'has no character that the bank accepts',
    'debtor.name': !hasText(profile, message.debtor.name) && 'has no character that the bank accepts',
    debtorAccount: !isAccount(message.debtorAccount) && 'is no account number',
    debtorBank: (bic === undefined ? profile.debtorBank === 'bic' : !bicForm.test(bic)) && 'needs a BIC',
    payments:
      (payments.length === 0 && 'are missing') ||
      (payments.length > profile.paymentsPerMessage && `are more than ${profile.paymentsPerMessage}`) ||
      (currencies.size > 1 && 'are in several currencies') ||
      (ids.size < payments.length && 'have an end-to-end id twice'),
  });
  return [
    ...ofMessage.map((misfit) => ({ payment: undefined, ...misfit })),
    ...payments.flatMap((order, payment) => orderMisfits(profile, order).map((misfit) => ({ payment, ...misfit }))),
  ];
}

/** What does not fit of one payment. A rail asks this before it takes one. */
export function orderMisfits(profile: BankProfile, order: PaymentOrder): Omit<Misfit, 'payment'>[] {
  const service = serviceFor(profile, order.currency);
  if (!service) return [{ field: 'currency', problem: `the profile ${profile.name} has no payments in it` }];
  return problems({
    endToEndId: !isIdentification(order.endToEndId) && 'is no identification',
    uetr: uetrProblem(profile, order),
    currency: !/^[A-Z]{3}$/.test(order.currency) && 'is no currency',
    amount: amountProblem(order.amount, service),
    chargeBearer: order.chargeBearer && !service.chargeBearers.includes(order.chargeBearer) && 'is not offered',
    'creditor.name': !hasText(profile, order.creditor.name) && 'has no character that the bank accepts',
    'creditor.address': profile.creditorAddress === 'required' && !isLocated(order) && 'needs town and country',
    creditorAccount: accountProblem(order.creditorAccount, service),
    creditorBank: bankProblem(profile, order),
    purpose: order.purpose !== undefined && !/^[A-Z0-9]{4}$/.test(order.purpose) && 'is no code',
    remittance: remittanceProblem(profile, order),
  });
}

function problems(found: Readonly<Record<string, string | false | undefined>>): Omit<Misfit, 'payment'>[] {
  return Object.entries(found).flatMap(([field, problem]) => (problem ? [{ field, problem }] : []));
}

function hasText({ characters, nameLength }: BankProfile, text: string): boolean {
  return /[\p{L}\p{N}]/u.test(fitted(text, characters, nameLength) ?? '');
}

function isAccount(account: AccountNumber): boolean {
  return 'iban' in account ? ibanForm.test(account.iban) : numberForm.test(account.number);
}

function accountProblem(account: AccountNumber, { accounts }: PaymentService): string | undefined {
  if (!isAccount(account)) return 'is no account number';
  return accounts === 'iban' && !('iban' in account) ? 'must be an IBAN' : undefined;
}

function uetrProblem({ uetr }: BankProfile, order: PaymentOrder): string | undefined {
  if (order.uetr === undefined) return uetr === 'required' ? 'is missing' : undefined;
  return uuidForm.test(order.uetr) ? undefined : 'is no UUID of version 4';
}

/** 18 digits, as the schema counts them. */
function amountProblem(amount: string, { amountDecimals }: PaymentService): string | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,18})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '' || !/[1-9]/.test(amount)) return 'is no amount to pay';
  if (fraction.length > amountDecimals) return `has more than ${amountDecimals} decimals`;
  return (whole + fraction).length > 18 ? 'has more than 18 digits' : undefined;
}

function isLocated({ creditor: { address } }: PaymentOrder): boolean {
  return Boolean(address?.town && address.country && /^[A-Z]{2}$/.test(address.country));
}

function bankProblem({ creditorBank }: BankProfile, order: PaymentOrder): string | undefined {
  const { creditorBank: bank, creditorAccount } = order;
  if (bank?.bic !== undefined && !bicForm.test(bank.bic)) return 'has a BIC that is none';
  const isKnown = bank?.bic !== undefined || bank?.clearing !== undefined;
  const isNeeded = creditorBank === 'always' || (creditorBank === 'without_iban' && !('iban' in creditorAccount));
  return isNeeded && !isKnown ? 'is missing' : undefined;
}

function remittanceProblem({ characters, remittanceLength }: BankProfile, order: PaymentOrder): string | undefined {
  const { remittance } = order;
  if (!remittance) return undefined;
  if ('reference' in remittance)
    return /^RF\d\d[A-Z0-9]{1,21}$/.test(remittance.reference) ? undefined : 'is no reference';
  return fitted(remittance.text, characters, remittanceLength) === undefined ? 'is empty' : undefined;
}
