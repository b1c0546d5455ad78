/** What pain.002 and camt.029 say, from the records of the file. */
import type {
  AnsweredPayment,
  AnswerReason,
  RecallOutcome,
  ReportedPaymentStatus,
  ReportedRecallAnswer,
} from '../payment-status.js';
import { all, textAt, type XmlElement } from './element.js';
import { idAt, unreadable } from './values.js';

export type AnswerPart =
  | { readonly part: 'payment_status'; readonly status: ReportedPaymentStatus }
  | { readonly part: 'recall_answer'; readonly answer: ReportedRecallAnswer };

/** A status report answers one message, at up to three levels. */
export class StatusInterpreter {
  #messageId: string | undefined;
  #blockId: string | undefined;
  #status: string | undefined;
  #reasons: AnswerReason[] = [];
  /** Whether the answer to the block was told: it comes before those to its payments. */
  #isToldOfBlock = true;

  /** A block. */
  opened(): AnswerPart[] {
    this.#blockId = undefined;
    this.#status = undefined;
    this.#reasons = [];
    this.#isToldOfBlock = false;
    return [];
  }

  closed(): AnswerPart[] {
    const parts = this.#block();
    this.#blockId = undefined;
    return parts;
  }

  /** Throws `Unreadable`. */
  record(record: XmlElement): AnswerPart[] {
    switch (record.name) {
      case 'OrgnlGrpInfAndSts':
        return this.#message(record);
      case 'OrgnlPmtInfId':
        this.#blockId = record.text === '' ? undefined : record.text;
        return [];
      case 'PmtInfSts':
        this.#status = record.text;
        return [];
      case 'StsRsnInf':
        this.#reasons.push(reasonOf(record));
        return [];
      case 'TxInfAndSts':
        return [...this.#block(), this.#payment(record)];
      default:
        return [];
    }
  }

  #message(record: XmlElement): AnswerPart[] {
    this.#messageId = textAt(record, 'OrgnlMsgId');
    const status = textAt(record, 'GrpSts');
    const reasons = all(record, 'StsRsnInf').map(reasonOf);
    return status === undefined ? [] : [this.#told({ scope: 'message', status, reasons })];
  }

  #block(): AnswerPart[] {
    if (this.#isToldOfBlock) return [];
    this.#isToldOfBlock = true;
    return this.#status ? [this.#told({ scope: 'block', status: this.#status, reasons: this.#reasons })] : [];
  }

  #payment(record: XmlElement): AnswerPart {
    const status = textAt(record, 'TxSts');
    if (status === undefined) throw unreadable(record, 'TxSts', 'The status of the payment is missing.');
    const reasons = all(record, 'StsRsnInf').map(reasonOf);
    return this.#told({ scope: 'payment', status, reasons }, record);
  }

  #told(answer: Pick<ReportedPaymentStatus, 'scope' | 'status' | 'reasons'>, record?: XmlElement): AnswerPart {
    const about = aboutPayment(record, { messageId: this.#messageId, paymentInformationId: this.#blockId });
    const bankReference = record && idAt(record, 'AcctSvcrRef');
    return { part: 'payment_status', status: { ...answer, about, bankReference } };
  }
}

/** An answer to an investigation names each payment, or only the case. */
export class RecallInterpreter {
  #caseId: string | undefined;
  #outcome: string | undefined;
  #messageId: string | undefined;
  #blockId: string | undefined;
  #hasPayments = false;

  opened(): AnswerPart[] {
    this.#blockId = undefined;
    return [];
  }

  closed(): AnswerPart[] {
    this.#blockId = undefined;
    return [];
  }

  /** Tells the answer to the case as a whole, unless it named payments. */
  end(): AnswerPart[] {
    if (this.#outcome === undefined || this.#hasPayments) return [];
    const about = aboutPayment(undefined, { messageId: this.#messageId, paymentInformationId: undefined });
    return [this.#told(this.#outcome, [], about)];
  }

  /** Throws `Unreadable`. */
  record(record: XmlElement): AnswerPart[] {
    switch (record.name) {
      case 'RslvdCase':
      case 'Case':
        this.#caseId = textAt(record, 'Id');
        return [];
      case 'Sts':
        this.#outcome = textAt(record, 'Conf');
        return [];
      case 'OrgnlGrpInfAndSts':
        this.#messageId = textAt(record, 'OrgnlMsgId');
        return [];
      case 'OrgnlPmtInfId':
        this.#blockId = record.text;
        return [];
      case 'TxInfAndSts':
        return [this.#payment(record)];
      default:
        return [];
    }
  }

  #payment(record: XmlElement): AnswerPart {
    this.#hasPayments = true;
    const code = textAt(record, 'TxCxlSts') ?? this.#outcome;
    if (code === undefined) throw unreadable(record, 'TxCxlSts', 'The answer to the recall is missing.');
    const about = aboutPayment(record, { messageId: this.#messageId, paymentInformationId: this.#blockId });
    this.#caseId ??= textAt(record, 'RslvdCase/Id');
    return this.#told(code, all(record, 'CxlStsRsnInf').map(reasonOf), about);
  }

  #told(code: string, reasons: AnswerReason[], about: AnsweredPayment): AnswerPart {
    return { part: 'recall_answer', answer: { caseId: this.#caseId, about, outcome: outcomeOf(code), code, reasons } };
  }
}

const outcomes: Readonly<Record<RecallOutcome, readonly string[]>> = {
  accepted: ['ACCR', 'CNCL'],
  rejected: ['RJCR'],
  pending: ['PDCR'],
};

/** One that was accepted in part (`PECR`, `PACR`) is for a person to look at. */
function outcomeOf(code: string): RecallOutcome | undefined {
  const known = Object.entries(outcomes).find(([, codes]) => codes.includes(code));
  return known?.[0] as RecallOutcome | undefined;
}

function aboutPayment(
  record: XmlElement | undefined,
  around: Pick<AnsweredPayment, 'messageId' | 'paymentInformationId'>,
): AnsweredPayment {
  const id = (path: string) => record && idAt(record, path);
  return {
    messageId: id('OrgnlGrpInf/OrgnlMsgId') ?? around.messageId,
    paymentInformationId: id('OrgnlPmtInfId') ?? around.paymentInformationId,
    instructionId: id('OrgnlInstrId'),
    endToEndId: id('OrgnlEndToEndId'),
    uetr: id('OrgnlUETR')?.toLowerCase(),
  };
}

function reasonOf(element: XmlElement): AnswerReason {
  const texts = all(element, 'AddtlInf').map(({ text }) => text);
  const text = texts.filter((line) => line !== '').join(' ');
  return { code: textAt(element, 'Rsn/Cd', 'Rsn/Prtry'), text: text === '' ? undefined : text };
}
