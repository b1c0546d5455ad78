/** Pure. An entry of camt.052, .053 or .054, in the versions from 2 on. Throws `Unreadable`. */
import type {
  Counterparty,
  DetailReferences,
  Position,
  Remittance,
  ReportedBatch,
  ReportedCharge,
  ReportedDetail,
  ReportedEntry,
  Sign,
} from '../statement.js';
import { all, find, textAt, type XmlElement } from './element.js';
import {
  amountAt,
  booleanAt,
  codeAt,
  countAt,
  dateAt,
  idAt,
  partyOf,
  requiredAmount,
  requiredSign,
  returnOf,
  signAt,
  unreadable,
} from './values.js';

/** An `Ntry` whose `TxDtls` were converted by `detailOf`. */
export function entryOf(entry: XmlElement, position: Position): ReportedEntry {
  const details = all(entry, 'NtryDtls');
  const batch = details.map((element) => batchOf(element)).find((found) => found !== undefined);
  const sign = requiredSign(entry, 'CdtDbtInd');
  return {
    amount: requiredAmount(entry, 'Amt'),
    sign,
    isReversal: booleanAt(entry, 'RvslInd') ?? false,
    status: statusOf(entry),
    bookedOn: dateAt(entry, 'BookgDt'),
    valueOn: dateAt(entry, 'ValDt'),
    bankReference: idAt(entry, 'AcctSvcrRef'),
    entryReference: idAt(entry, 'NtryRef'),
    code: codeAt(entry) ?? { iso: undefined, proprietary: undefined },
    batch,
    charges: chargesOf(entry),
    text: textAt(entry, 'AddtlNtryInf'),
    details: details.flatMap(({ taken }) => (taken as ReadDetail[]).map((detail) => withCounterparty(detail, sign))),
    position,
  };
}

/** Before version 8 the status is a text, since then a code. `FUTR` is booked on a day to come. */
const statuses: Readonly<Record<string, ReportedEntry['status']>> = {
  BOOK: 'booked',
  PDNG: 'pending',
  FUTR: 'pending',
  INFO: 'information',
};

function statusOf(entry: XmlElement): ReportedEntry['status'] {
  const text = textAt(entry, 'Sts/Cd', 'Sts/Prtry', 'Sts') ?? '';
  const status = Object.hasOwn(statuses, text) ? statuses[text] : undefined;
  if (!status) throw unreadable(entry, 'Sts', 'Whether the entry is booked is missing or unknown.');
  return status;
}

function batchOf(details: XmlElement): ReportedBatch | undefined {
  const batch = find(details, 'Btch');
  return (
    batch && {
      messageId: idAt(batch, 'MsgId'),
      paymentInformationId: idAt(batch, 'PmtInfId'),
      count: countAt(batch, 'NbOfTxs'),
      total: amountAt(batch, 'TtlAmt')?.amount,
    }
  );
}

/** Before version 4, `Chrgs` is one charge; since then it holds records of them. */
function chargesOf(element: XmlElement): ReportedCharge[] {
  const charges = all(element, 'Chrgs').flatMap((charge) => {
    const records = all(charge, 'Rcrd');
    return records.length > 0 ? records : all(charge, 'Amt').length > 0 ? [charge] : [];
  });
  return charges.map((charge) => ({
    amount: requiredAmount(charge, 'Amt'),
    sign: signAt(charge, 'CdtDbtInd') ?? 'debit',
    isIncluded: booleanAt(charge, 'ChrgInclInd') ?? false,
  }));
}

interface ReadDetail extends Omit<ReportedDetail, 'counterparty'> {
  readonly debtor: Counterparty | undefined;
  readonly creditor: Counterparty | undefined;
}

const nobody: Counterparty = { name: undefined, account: undefined, bic: undefined };

/** Which party is the other one depends on the entry. The parties of a return are those of what is returned. */
function withCounterparty({ debtor, creditor, ...detail }: ReadDetail, signOfEntry: Sign): ReportedDetail {
  const isReturn = detail.returned !== undefined || detail.code?.iso?.endsWith('-RRTN') === true;
  const isFromDebtor = ((detail.sign ?? signOfEntry) === 'credit') !== isReturn;
  const counterparty = (isFromDebtor ? (debtor ?? creditor) : (creditor ?? debtor)) ?? nobody;
  return { ...detail, counterparty };
}

/** A `TxDtls`. */
export function detailOf(detail: XmlElement): ReadDetail {
  return {
    references: referencesOf(detail),
    // In version 2, the amount stands only among its details.
    amount: amountAt(detail, 'Amt') ?? amountAt(detail, 'AmtDtls/TxAmt/Amt'),
    sign: signAt(detail, 'CdtDbtInd'),
    debtor: partyOf(detail, 'Dbtr'),
    creditor: partyOf(detail, 'Cdtr'),
    remittance: remittanceOf(detail),
    charges: chargesOf(detail),
    code: codeAt(detail),
    returned: returnOf(detail),
    purpose: textAt(detail, 'Purp/Cd', 'Purp/Prtry'),
    text: textAt(detail, 'AddtlTxInf'),
  };
}

function referencesOf(detail: XmlElement): DetailReferences {
  const references = find(detail, 'Refs') ?? detail;
  return {
    bankReference: idAt(references, 'AcctSvcrRef'),
    messageId: idAt(references, 'MsgId'),
    paymentInformationId: idAt(references, 'PmtInfId'),
    instructionId: idAt(references, 'InstrId'),
    endToEndId: idAt(references, 'EndToEndId'),
    transactionId: idAt(references, 'TxId'),
    uetr: idAt(references, 'UETR')?.toLowerCase(),
  };
}

function remittanceOf(detail: XmlElement): Remittance {
  const information = find(detail, 'RmtInf');
  if (!information) return { text: '', references: [] };
  const texts = all(information, 'Ustrd').map(({ text }) => text);
  const references = all(information, 'Strd').map((structured) => textAt(structured, 'CdtrRefInf/Ref'));
  return {
    text: texts.filter((text) => text !== '').join(' '),
    references: references.filter((reference) => reference !== undefined).map((text) => text.replaceAll(/\s/g, '')),
  };
}
