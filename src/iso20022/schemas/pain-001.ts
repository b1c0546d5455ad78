/** Pure. The part of pain.001.001.09 that we send. */
import { chargeBearers } from '../payment-message.js';
import type { BankProfile } from '../profiles.js';
import { account, agent, choice, element, oneOf, party, schemaOf, sequence, unnamedAgent } from './narrow.js';

export function paymentSchema(profile: BankProfile): string {
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
  return schemaOf(namespace, 'CstmrCdtTrfInitn', sequence(header(profile), block(profile)), profile);
}

function header(profile: BankProfile): string {
  return element(
    'GrpHdr',
    sequence(
      element('MsgId', 'Identification'),
      element('CreDtTm', 'Instant'),
      element('NbOfTxs', 'Count'),
      ...(profile.control === 'none' ? [] : [element('CtrlSum', 'Sum')]),
      element('InitgPty', party(profile, { hasAddress: false })),
    ),
  );
}

function block(profile: BankProfile): string {
  const control = [element('BtchBookg', oneOf('true')), element('NbOfTxs', 'Count'), element('CtrlSum', 'Sum')];
  const serviceLevel = element('PmtTpInf', sequence(element('SvcLvl', sequence(element('Cd', 'Code')))), '?');
  return element(
    'PmtInf',
    sequence(
      element('PmtInfId', 'Identification'),
      element('PmtMtd', oneOf('TRF')),
      ...(profile.control === 'none' ? [] : control),
      serviceLevel,
      element('ReqdExctnDt', sequence(element('Dt', 'xs:date'))),
      element('Dbtr', party(profile)),
      element('DbtrAcct', account),
      element('DbtrAgt', agent(profile.debtorBank === 'bic' ? '' : unnamedAgent)),
      element('CdtTrfTxInf', payment(profile), profile.paymentsPerMessage === 1 ? '' : '+'),
    ),
  );
}

function payment(profile: BankProfile): string {
  const uetr = { required: [element('UETR', 'Uuid')], allowed: [element('UETR', 'Uuid', '?')], absent: [] }[
    profile.uetr
  ];
  const bearers = chargeBearers.filter((bearer) =>
    profile.services.some((service) => service.chargeBearers.includes(bearer)),
  );
  const member = sequence(element('ClrSysId', sequence(element('Cd', 'Code'))), element('MmbId', 'Text35'));
  const byMember = `<xs:sequence>${element('ClrSysMmbId', member, '?')}${element('Nm', 'Text140', '?')}</xs:sequence>`;
  const isOnlyIban = profile.services.every(({ accounts }) => accounts === 'iban');
  return sequence(
    element('PmtId', sequence(element('InstrId', 'Identification'), element('EndToEndId', 'Identification'), ...uetr)),
    element('Amt', sequence(element('InstdAmt', 'Amount'))),
    element('ChrgBr', oneOf(...bearers)),
    element('UltmtDbtr', party(profile, { hasAddress: profile.ultimateDebtorAddress, hasDocument: true }), '?'),
    element('CdtrAgt', agent(isOnlyIban ? '' : byMember), profile.creditorBank === 'always' ? '' : '?'),
    element('Cdtr', party(profile)),
    element('CdtrAcct', account),
    element('Purp', sequence(element('Cd', 'Code')), '?'),
    element('RmtInf', choice(element('Ustrd', 'Remittance'), element('Strd', structured)), '?'),
  );
}

const structured = sequence(
  element(
    'CdtrRefInf',
    sequence(
      element('Tp', sequence(element('CdOrPrtry', sequence(element('Cd', oneOf('SCOR')))))),
      element('Ref', 'Reference'),
    ),
  ),
);
