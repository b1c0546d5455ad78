import { describe, expect, it } from 'vitest';
import { type AnsweredPayment, answerTo, type ReportedPaymentStatus } from '../../src/iso20022/payment-status.js';
import { faultsOf, partsOf } from './parts.js';

const report = (content: string) => `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>
  <GrpHdr><MsgId>B1</MsgId></GrpHdr>${content}</CstmrPmtStsRpt></Document>`;
const message = (status: string) =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>MSG1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09.ch.03</OrgnlMsgNmId>${status}</OrgnlGrpInfAndSts>`;
const payment = (endToEndId: string, status: string) =>
  `<TxInfAndSts><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>${status}</TxSts>
   <StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>account closed</AddtlInf></StsRsnInf></TxInfAndSts>`;
const rejected = '<PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>';

async function statusesOf(content: string): Promise<ReportedPaymentStatus[]> {
  return (await partsOf(report(content))).flatMap((part) => (part.part === 'payment_status' ? [part.status] : []));
}

const ours = (endToEndId: string, paymentInformationId = 'P1'): AnsweredPayment => ({
  messageId: 'MSG1',
  paymentInformationId,
  instructionId: undefined,
  endToEndId,
  uetr: undefined,
});

describe('a status report', () => {
  it('answers a message as a whole', async () => {
    const statuses = await statusesOf(message('<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM10</Cd></Rsn></StsRsnInf>'));
    expect(answerTo(ours('A'), statuses)).toMatchObject({
      scope: 'message',
      status: 'RJCT',
      reasons: [{ code: 'AM10' }],
    });
    expect(answerTo({ ...ours('A'), messageId: 'MSG2' }, statuses)).toBeUndefined();
  });

  it('answers a block, and a payment in it otherwise', async () => {
    const block = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId>${rejected}${payment('A', 'ACSP')}</OrgnlPmtInfAndSts>`;
    const statuses = await statusesOf(message('<GrpSts>PART</GrpSts>') + block);
    expect(statuses.map(({ scope }) => scope)).toEqual(['message', 'block', 'payment']);
    expect(answerTo(ours('A'), statuses)).toMatchObject({
      status: 'ACSP',
      reasons: [{ code: 'AC04', text: 'account closed' }],
    });
    expect(answerTo(ours('B'), statuses)).toMatchObject({ scope: 'block', status: 'RJCT', reasons: [{ code: 'X1' }] });
    expect(answerTo(ours('B', 'P2'), statuses)).toBeUndefined();
  });

  it('answers payments one by one where the block is silent, and only the message that it names', async () => {
    const block = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId>${payment('A', 'RJCT')}${payment('B', 'ACSC')}</OrgnlPmtInfAndSts>`;
    const statuses = await statusesOf(message('') + block);
    expect(['A', 'B', 'C'].map((id) => answerTo(ours(id), statuses)?.status)).toEqual(['RJCT', 'ACSC', undefined]);
    expect(answerTo({ ...ours('A'), messageId: 'MSG0' }, statuses)).toBeUndefined();
  });

  it('loses a damaged answer and no other', async () => {
    const block = `<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId>${payment('A', 'RJCT').replace('</TxSts>', '</TxS>')}${payment('B', 'ACSC')}</OrgnlPmtInfAndSts>`;
    const parts = await partsOf(report(message('') + block));
    expect(parts.map(({ part }) => part)).toEqual(['message', 'fault', 'payment_status']);
  });

  it('names the place where the status of a payment is missing', async () => {
    const block = '<OrgnlPmtInfAndSts><OrgnlPmtInfId>P1</OrgnlPmtInfId><TxInfAndSts/></OrgnlPmtInfAndSts>';
    expect(faultsOf(await partsOf(report(message('') + block)))).toEqual([
      '2 //CstmrPmtStsRpt/OrgnlPmtInfAndSts[1]/TxInfAndSts[1]/TxSts: The status of the payment is missing.',
    ]);
  });
});

describe('the answer to a recall', () => {
  const resolution = (content: string) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.09"><RsltnOfInvstgtn><Assgnmt><Id>B2</Id></Assgnmt>${content}</RsltnOfInvstgtn></Document>`;
  const answersOf = async (content: string) =>
    (await partsOf(resolution(content))).flatMap((part) => (part.part === 'recall_answer' ? [part.answer] : []));

  it('names the payment, the outcome and the reason', async () => {
    const answers =
      await answersOf(`<RslvdCase><Id>CASE1</Id></RslvdCase><Sts><Conf>RJCR</Conf></Sts><CxlDtls><TxInfAndSts>
      <OrgnlGrpInf><OrgnlMsgId>MSG1</OrgnlMsgId></OrgnlGrpInf><OrgnlEndToEndId>A</OrgnlEndToEndId><TxCxlSts>RJCR</TxCxlSts>
      <CxlStsRsnInf><Rsn><Cd>CUST</Cd></Rsn><AddtlInf>refused</AddtlInf></CxlStsRsnInf></TxInfAndSts></CxlDtls>`);
    expect(answers).toEqual([
      {
        caseId: 'CASE1',
        about: {
          messageId: 'MSG1',
          paymentInformationId: undefined,
          instructionId: undefined,
          endToEndId: 'A',
          uetr: undefined,
        },
        outcome: 'rejected',
        code: 'RJCR',
        reasons: [{ code: 'CUST', text: 'refused' }],
      },
    ]);
  });

  it.each([
    ['CNCL', 'accepted'],
    ['PDCR', 'pending'],
    ['PECR', undefined],
  ])('to the case as a whole with %s is %s', async (code, outcome) => {
    const answers = await answersOf(`<RslvdCase><Id>CASE1</Id></RslvdCase><Sts><Conf>${code}</Conf></Sts>`);
    expect(answers).toMatchObject([{ caseId: 'CASE1', outcome, code }]);
  });
});
