/** Pure. The parts of camt.055.001.08 and camt.056.001.08 that we send. */
import type { BankProfile } from '../profiles.js';
import { agent, element, party, schemaOf, sequence, unnamedAgent } from './narrow.js';

export function recallSchema(profile: BankProfile): string {
  const isBetweenBanks = profile.recall === 'camt.056';
  const content = sequence(...opening(profile), element('Undrlyg', isBetweenBanks ? betweenBanks : fromCustomer));
  const namespace = `urn:iso:std:iso:20022:tech:xsd:${profile.recall}.001.08`;
  return schemaOf(namespace, isBetweenBanks ? 'FIToFIPmtCxlReq' : 'CstmrPmtCxlReq', content, profile);
}

function opening(profile: BankProfile): string[] {
  const us = sequence(element('Pty', party(profile, { hasAddress: false })));
  return [
    element(
      'Assgnmt',
      sequence(
        element('Id', 'Identification'),
        element('Assgnr', us),
        element('Assgne', sequence(element('Agt', agent(unnamedAgent)))),
        element('CreDtTm', 'Instant'),
      ),
    ),
    element('Case', sequence(element('Id', 'Identification'), element('Cretr', us))),
    element('CtrlData', sequence(element('NbOfTxs', 'Count'))),
  ];
}

const originalMessage = sequence(
  element('OrgnlMsgId', 'Identification'),
  element('OrgnlMsgNmId', 'Text35'),
  element('OrgnlCreDtTm', 'Instant'),
);

const reason = element(
  'CxlRsnInf',
  sequence(element('Rsn', sequence(element('Cd', 'Code'))), element('AddtlInf', 'Text105', '?')),
);

const ids = [
  element('OrgnlInstrId', 'Identification'),
  element('OrgnlEndToEndId', 'Identification'),
  element('OrgnlUETR', 'Uuid', '?'),
];

const betweenBanks = sequence(
  element(
    'TxInf',
    sequence(
      element('CxlId', 'Identification'),
      element('OrgnlGrpInf', originalMessage),
      ...ids,
      element('OrgnlIntrBkSttlmAmt', 'Amount'),
      element('OrgnlIntrBkSttlmDt', 'xs:date'),
      reason,
    ),
  ),
);

const fromCustomer = sequence(
  element('OrgnlGrpInfAndCxl', originalMessage),
  element(
    'OrgnlPmtInfAndCxl',
    sequence(
      element('OrgnlPmtInfId', 'Identification'),
      element(
        'TxInf',
        sequence(
          element('CxlId', 'Identification'),
          ...ids,
          element('OrgnlInstdAmt', 'Amount'),
          element('OrgnlReqdExctnDt', sequence(element('Dt', 'xs:date'))),
          reason,
        ),
      ),
    ),
  ),
);
