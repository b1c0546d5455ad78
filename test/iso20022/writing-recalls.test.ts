import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecallMessage } from '../../src/iso20022/payment-message.js';
import { type BankProfileName, bankProfileNames } from '../../src/iso20022/profiles.js';
import { writeRecall } from '../../src/iso20022/write/recalls.js';
import { SchemaValidator } from '../../src/iso20022/write/validation.js';
import { isoFile } from './published.js';

const recall: RecallMessage = {
  messageId: 'RCL01JABCDEFGHJKMNPQRSTVWXY',
  caseId: 'CASE01JABCDEFGHJKMNPQRSTVWX',
  createdAt: '2026-11-19T10:00:00Z',
  initiator: 'Remesa Example Ltd',
  debtorBank: { bic: 'BKAUATWW', clearing: undefined, name: undefined },
  reason: 'CUST',
  text: 'Asked for by the payer’s family',
  original: {
    messageId: 'MSG1',
    createdAt: '2026-11-18T10:00:00Z',
    paymentInformationId: 'MSG1-1',
    endToEndId: 'ORD1',
    uetr: '0f8fad5b-d9cb-469f-a165-70867728950e',
    currency: 'EUR',
    amount: '12.30',
    executionDay: '2026-11-18',
  },
};

describe('a recall', () => {
  it.each<[BankProfileName, string]>([
    ['plain', 'camt.056.001.08'],
    ['cbpr', 'camt.056.001.08'],
    ['sepa', 'camt.055.001.08'],
    ['sps', 'camt.055.001.08'],
  ])('%s: it is a %s that names the payment by all its ids', (profile, format) => {
    const text = writeRecall(profile, recall).toString();
    expect(text).toContain(`tech:xsd:${format}"`);
    expect(text).toContain('<OrgnlMsgId>MSG1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>');
    expect(text).toContain(
      '<OrgnlInstrId>ORD1</OrgnlInstrId><OrgnlEndToEndId>ORD1</OrgnlEndToEndId><OrgnlUETR>0f8fad5b-d9cb-469f-a165-70867728950e</OrgnlUETR>',
    );
    expect(text).toContain('<Rsn><Cd>CUST</Cd></Rsn>');
    expect(writeRecall(profile, structuredClone(recall)).toString()).toBe(text);
  });

  it.each(bankProfileNames)('%s: it is valid by the published schema, where that is present', (profile) => {
    const text = writeRecall(profile, recall).toString();
    const format = /camt\.05[56]\.001\.08/.exec(text)?.[0];
    const file = isoFile(`xsd/${format}.xsd`);
    if (file) new SchemaValidator(readFileSync(file, 'utf8')).validate(text);
    expect(format).toBeDefined();
  });

  it('is refused with an id or a reason that is none', () => {
    expect(() => writeRecall('plain', { ...recall, caseId: 'a_b' })).toThrow('message caseId is no identification');
    expect(() => writeRecall('plain', { ...recall, reason: 'because' })).toThrow('message reason is no code');
  });
});
