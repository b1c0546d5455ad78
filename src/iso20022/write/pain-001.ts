/** Pure. pain.001.001.09: the order to a bank to pay. The same content gives the same bytes. */
import type { PaymentMessage, PaymentOrder, PaymentRemittance } from '../payment-message.js';
import { type BankProfile, serviceFor } from '../profiles.js';
import { account, agent, dateTime, ownAgent, party } from './elements.js';
import { fitted } from './texts.js';
import { amount, type Content, group, value } from './xml.js';

/** The message around its payments: what stands before them, and behind. */
export interface PaymentFrame {
  readonly head: string;
  readonly tail: string;
}

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** Stands where the payments will. No text of a message contains it. */
const gap = '\u0000';

/** The message was checked: it has payments, in one currency. */
export function paymentFrame(profile: BankProfile, message: PaymentMessage): PaymentFrame {
  const body = group('CstmrCdtTrfInitn', header(profile, message), block(profile, message));
  const [head = '', tail = ''] = `<Document xmlns="${namespace}">${body}</Document>`.split(gap);
  return { head: `<?xml version="1.0" encoding="UTF-8"?>${head}`, tail };
}

function header(profile: BankProfile, message: PaymentMessage): Content {
  return group(
    'GrpHdr',
    value('MsgId', message.messageId),
    value('CreDtTm', dateTime(message.createdAt)),
    value('NbOfTxs', `${message.payments.length}`),
    controlSum(profile, message),
    group('InitgPty', value('Nm', fitted(message.initiator, profile.characters, profile.nameLength))),
  );
}

function block(profile: BankProfile, message: PaymentMessage): Content {
  const hasControl = profile.control === 'sum_and_batch';
  const service = serviceFor(profile, message.payments[0]?.currency ?? '');
  return group(
    'PmtInf',
    value('PmtInfId', message.paymentInformationId),
    value('PmtMtd', 'TRF'),
    hasControl ? value('BtchBookg', 'true') : undefined,
    hasControl ? value('NbOfTxs', `${message.payments.length}`) : undefined,
    controlSum(profile, message),
    group('PmtTpInf', group('SvcLvl', value('Cd', service?.serviceLevel))),
    group('ReqdExctnDt', value('Dt', message.executionDay)),
    party('Dbtr', message.debtor, profile),
    account('DbtrAcct', message.debtorAccount),
    ownAgent('DbtrAgt', message.debtorBank),
    gap,
  );
}

function controlSum(profile: BankProfile, { payments }: PaymentMessage): Content {
  return profile.control === 'none' ? undefined : value('CtrlSum', sumOf(payments.map((payment) => payment.amount)));
}

/** Exact, with as many decimals as the longest. */
function sumOf(decimals: readonly string[]): string {
  const places = Math.max(0, ...decimals.map((decimal) => (decimal.split('.')[1] ?? '').length));
  const total = decimals.reduce((sum, decimal) => {
    const [whole = '0', fraction = ''] = decimal.split('.');
    return sum + BigInt(whole + fraction.padEnd(places, '0'));
  }, 0n);
  const digits = total.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export function paymentElement(profile: BankProfile, order: PaymentOrder): string {
  const { ultimateDebtor, creditorBank } = order;
  const service = serviceFor(profile, order.currency);
  const owner =
    ultimateDebtor && !profile.ultimateDebtorAddress ? { ...ultimateDebtor, address: undefined } : ultimateDebtor;
  const content = group(
    'CdtTrfTxInf',
    group('PmtId', ...identification(profile, order)),
    group('Amt', amount('InstdAmt', order.currency, order.amount)),
    value('ChrgBr', order.chargeBearer ?? service?.chargeBearers[0]),
    owner && party('UltmtDbtr', owner, profile),
    agent('CdtrAgt', creditorBank, profile, service?.accounts === 'iban'),
    party('Cdtr', order.creditor, profile),
    account('CdtrAcct', order.creditorAccount),
    group('Purp', value('Cd', order.purpose)),
    order.remittance && remittance(profile, order.remittance),
  );
  return content ?? '';
}

function identification({ uetr }: BankProfile, order: PaymentOrder): Content[] {
  return [
    value('InstrId', order.endToEndId),
    value('EndToEndId', order.endToEndId),
    uetr === 'absent' ? undefined : value('UETR', order.uetr),
  ];
}

function remittance(profile: BankProfile, written: PaymentRemittance): Content {
  if ('text' in written)
    return group('RmtInf', value('Ustrd', fitted(written.text, profile.characters, profile.remittanceLength)));
  const type = group('Tp', group('CdOrPrtry', value('Cd', 'SCOR')));
  return group('RmtInf', group('Strd', group('CdtrRefInf', type, value('Ref', written.reference))));
}
