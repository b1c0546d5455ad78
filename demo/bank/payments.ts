/** Reads what a customer sends to the simulated bank: payments (pain.001) and recalls (camt.055, camt.056). */
import { XMLParser } from 'fast-xml-parser';

export interface OrderedPayment {
  readonly endToEndId: string;
  readonly minor: bigint;
  readonly currency: string;
  readonly debtor: string;
  readonly creditorName: string;
  readonly creditor: string;
  readonly text: string;
}

export type Received =
  | {
      readonly kind: 'payments';
      readonly messageId: string;
      readonly blockId: string;
      readonly day: string;
      readonly payments: readonly OrderedPayment[];
    }
  | { readonly kind: 'recall'; readonly caseId: string; readonly messageId: string; readonly endToEndId: string };

// biome-ignore lint/suspicious/noExplicitAny: a parsed document.
type Node = any;

const repeated = ['PmtInf', 'CdtTrfTxInf'];
const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', removeNSPrefix: true },
  ...{ parseTagValue: false, parseAttributeValue: false },
  isArray: (name) => repeated.includes(name),
});

/** Throws when it is neither. */
export function readReceived(text: string): Received {
  const document: Node = parser.parse(text).Document;
  const initiation = document?.CstmrCdtTrfInitn;
  if (initiation) return paymentsIn(initiation);
  const recall = document?.CstmrPmtCxlReq ?? document?.FIToFIPmtCxlReq;
  if (!recall) throw new Error('neither payments nor a recall');
  const underlying = recall.Undrlyg;
  const payment = underlying.TxInf ?? underlying.OrgnlPmtInfAndCxl.TxInf;
  const original = underlying.OrgnlGrpInfAndCxl ?? payment.OrgnlGrpInf;
  return {
    kind: 'recall',
    caseId: payment.CxlId,
    messageId: original.OrgnlMsgId,
    endToEndId: payment.OrgnlEndToEndId,
  };
}

function paymentsIn(initiation: Node): Received {
  const blocks: Node[] = initiation.PmtInf;
  const [first] = blocks;
  return {
    kind: 'payments',
    messageId: initiation.GrpHdr.MsgId,
    blockId: first.PmtInfId,
    day: first.ReqdExctnDt.Dt ?? first.ReqdExctnDt,
    payments: blocks.flatMap((block) =>
      block.CdtTrfTxInf.map((payment: Node): OrderedPayment => {
        const amount = payment.Amt.InstdAmt;
        return {
          endToEndId: payment.PmtId.EndToEndId,
          minor: minorOf(amount['#text']),
          currency: amount['@Ccy'],
          debtor: accountOf(block.DbtrAcct),
          creditorName: payment.Cdtr.Nm,
          creditor: accountOf(payment.CdtrAcct),
          text: payment.RmtInf?.Ustrd ?? '',
        };
      }),
    ),
  };
}

function accountOf(account: Node): string {
  return account.Id.IBAN ?? account.Id.Othr.Id;
}

/** All currencies of the simulated bank have two digits. */
export function minorOf(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
}
