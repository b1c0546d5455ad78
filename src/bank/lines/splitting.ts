/** Replaces a payment of a line that nothing explains by its parts, which are then matched each by itself. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { instanceTenant } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { LineSealer } from './content.js';
import { detailsOf } from './details.js';
import type { DetailRef, LineId, StoredDetail } from './line.js';
import { addDetails, listDetailsOf } from './line-store.js';
import { type Part, partsFault, unitemised } from './parts.js';
import * as store from './parts-store.js';
import { type DetailContent, noContent, type ReportedPayment } from './reported.js';
import { forgetExplained } from './reported-store.js';

const byFile: By = { actor: { kind: 'system', name: 'bank statements' } };

/** The reason of a part that operators left unexplained when they split a break. */
const leftOver = 'split';
const possibleDuplicate = 'possible_duplicate';
const reversal = 'reversal';

/**
 * The parts of what probably is another line wait with it, and those of a reversal stay breaks. Returns false when
 * somebody was faster: then nothing changes. Throws for parts that do not make the amount, which the caller has
 * checked.
 */
export async function replaceDetail(
  tx: Transaction,
  sealer: LineSealer,
  by: By,
  detail: StoredDetail,
  { parts, note }: { readonly parts: readonly Part[]; readonly note?: string },
): Promise<boolean> {
  const { lineId, number, version } = detail;
  const fault = partsFault(detail.amountMinor, parts);
  if (fault !== undefined) throw new Error(`the parts of ${lineId} ${fault}`);
  if (!(await store.removeOpenDetail(tx, detail))) return false;
  const contents = contentsIn(sealer, lineId, await store.lockSealedContent(tx, lineId));
  const last = Math.max(number, await store.findLastNumber(tx, lineId));
  const kept = keptReason(detail, parts);
  const details = await detailsOf(tx, detail, parts, {
    takesOver: kept !== possibleDuplicate,
    reasonOf: ({ isLeft = false }) => kept ?? (isLeft ? leftOver : undefined),
  });
  await addDetails(tx, lineId, { first: last + 1, version: version + 1 }, details);
  const known = Array.from({ length: last }, (_, index) => contents[index] ?? noContent);
  const all = [...known, ...parts.map(({ content }) => content)];
  await store.saveSealedContent(tx, lineId, sealer.seal(lineId, all));
  await forgetExplained(tx, lineId);
  await recordChange(tx, by, {
    merchantId: instanceTenant,
    action: 'bank_line.split',
    subject: `bank_line:${lineId}`,
    details: { number, parts: parts.length, ...(note === undefined ? {} : { note }) },
  });
  return true;
}

/** A reversal is matched once a file says that it is a return, or people say what it is. */
function keptReason({ reason }: StoredDetail, parts: readonly Part[]): string | undefined {
  if (reason === possibleDuplicate) return possibleDuplicate;
  const isNamed = parts.some(({ content }) => content.isReturn || content.saidToBe !== undefined);
  return reason === reversal && !isNamed ? reversal : undefined;
}

/** A file tells a line that is known: what it says of the payments in it, where nothing is known of them, counts. */
export async function itemise(
  tx: Transaction,
  sealer: LineSealer,
  lineId: LineId,
  payments: readonly ReportedPayment[],
): Promise<boolean> {
  const details = await listDetailsOf(tx, lineId);
  const content = details[0] ? await contentOf(tx, sealer, details[0]) : noContent;
  const detail = unitemised(details, content, payments);
  return detail !== undefined && replaceDetail(tx, sealer, byFile, detail, { parts: payments });
}

/** What is known of a payment of a line that is not explained. */
export async function contentOf(
  database: Queryable,
  sealer: LineSealer,
  { lineId, number }: DetailRef,
): Promise<DetailContent> {
  const sealed = await store.findSealedContent(database, lineId);
  return contentsIn(sealer, lineId, sealed)[number - 1] ?? noContent;
}

/** The payments of a line as files told them. */
export async function storedPayments(
  database: Queryable,
  sealer: LineSealer,
  lineId: LineId,
): Promise<ReportedPayment[]> {
  const details = await listDetailsOf(database, lineId);
  const contents = contentsIn(sealer, lineId, await store.findSealedContent(database, lineId));
  return details.map(({ amountMinor, endToEndId, number }) => ({
    amountMinor,
    endToEndId,
    content: contents[number - 1] ?? noContent,
  }));
}

function contentsIn(sealer: LineSealer, lineId: LineId, sealed: Buffer | undefined): readonly DetailContent[] {
  return sealed ? sealer.open(lineId, sealed) : [];
}
