/** Writes the request to return a payment: camt.056 between banks, camt.055 from a customer. */
import type { RecallMessage } from '../payment-message.js';
import { type BankProfile, type BankProfileName, bankProfiles } from '../profiles.js';
import { recallSchema } from '../schemas/recalls.js';
import type { Misfit } from './checks.js';
import { dateTime, ownAgent } from './elements.js';
import { UnfitMessage } from './payment-messages.js';
import { fitted, isIdentification } from './texts.js';
import { SchemaValidator } from './validation.js';
import { amount, type Content, group, value } from './xml.js';

const validators = new Map<BankProfileName, SchemaValidator>();

/** The same content and profile always give the same bytes. Throws `UnfitMessage` and `InvalidMessage`. */
export function writeRecall(profileName: BankProfileName, message: RecallMessage): Buffer {
  const profile = bankProfiles[profileName];
  const misfits = misfitsOf(message);
  if (misfits.length > 0) throw new UnfitMessage(misfits);
  const text = profile.recall === 'camt.056' ? betweenBanks(profile, message) : fromCustomer(profile, message);
  const validator = validators.get(profileName) ?? new SchemaValidator(recallSchema(profile));
  validators.set(profileName, validator);
  validator.validate(text);
  return Buffer.from(text);
}

function misfitsOf({ messageId, caseId, reason, original }: RecallMessage): Misfit[] {
  const ids = {
    messageId,
    caseId,
    'original.messageId': original.messageId,
    'original.endToEndId': original.endToEndId,
  };
  const wrong = Object.entries(ids).filter(([, id]) => !isIdentification(id));
  const misfits = wrong.map(([field]) => ({ payment: undefined, field, problem: 'is no identification' }));
  if (/^[A-Z0-9]{4}$/.test(reason)) return misfits;
  return [...misfits, { payment: undefined, field: 'reason', problem: 'is no code' }];
}

function betweenBanks(profile: BankProfile, message: RecallMessage): string {
  const { original } = message;
  return document('056', 'FIToFIPmtCxlReq', [
    ...opening(profile, message),
    group(
      'Undrlyg',
      group(
        'TxInf',
        value('CxlId', message.caseId),
        originalMessage('OrgnlGrpInf', message),
        value('OrgnlInstrId', original.endToEndId),
        value('OrgnlEndToEndId', original.endToEndId),
        value('OrgnlUETR', original.uetr),
        amount('OrgnlIntrBkSttlmAmt', original.currency, original.amount),
        value('OrgnlIntrBkSttlmDt', original.executionDay),
        reasonElement(profile, message),
      ),
    ),
  ]);
}

function fromCustomer(profile: BankProfile, message: RecallMessage): string {
  const { original } = message;
  return document('055', 'CstmrPmtCxlReq', [
    ...opening(profile, message),
    group(
      'Undrlyg',
      originalMessage('OrgnlGrpInfAndCxl', message),
      group(
        'OrgnlPmtInfAndCxl',
        value('OrgnlPmtInfId', original.paymentInformationId),
        group(
          'TxInf',
          value('CxlId', message.caseId),
          value('OrgnlInstrId', original.endToEndId),
          value('OrgnlEndToEndId', original.endToEndId),
          value('OrgnlUETR', original.uetr),
          amount('OrgnlInstdAmt', original.currency, original.amount),
          group('OrgnlReqdExctnDt', value('Dt', original.executionDay)),
          reasonElement(profile, message),
        ),
      ),
    ),
  ]);
}

function document(number: string, root: string, content: readonly Content[]): string {
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.${number}.001.08`;
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="${namespace}">${group(root, ...content)}</Document>`;
}

function opening(profile: BankProfile, message: RecallMessage): Content[] {
  const name = value('Nm', fitted(message.initiator, profile.characters, profile.nameLength));
  return [
    group(
      'Assgnmt',
      value('Id', message.messageId),
      group('Assgnr', group('Pty', name)),
      group('Assgne', ownAgent('Agt', message.debtorBank)),
      value('CreDtTm', dateTime(message.createdAt)),
    ),
    group('Case', value('Id', message.caseId), group('Cretr', group('Pty', name))),
    group('CtrlData', value('NbOfTxs', '1')),
  ];
}

function originalMessage(name: string, { original }: RecallMessage): Content {
  return group(
    name,
    value('OrgnlMsgId', original.messageId),
    value('OrgnlMsgNmId', 'pain.001.001.09'),
    value('OrgnlCreDtTm', dateTime(original.createdAt)),
  );
}

function reasonElement({ characters }: BankProfile, { reason, text }: RecallMessage): Content {
  const written = text && fitted(text, characters, 105);
  return group('CxlRsnInf', group('Rsn', value('Cd', reason)), value('AddtlInf', written));
}
