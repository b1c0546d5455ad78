/** Compares the rows of one merchant with what their newest changes remember. */
import type { TenantId } from '../../ids.js';
import type { Sealer } from '../../keys/sealer.js';
import type { Queryable } from '../../postgres/statement.js';
import type { SealedChange } from '../chain/sealed-change.js';
import { type RowSource, rowDigest } from '../row.js';
import { listNewestChanges, listSubjectsWithRows } from '../row-store.js';
import { sealedContent } from '../seal.js';

const pageSize = 500;
/** With so many faults, the rest is not worth reading. */
const mostFaults = 50;

export interface RowContext {
  readonly seal: Sealer;
  readonly sources: readonly RowSource[];
}

/** Returns what is wrong, in sentences: rows that were changed, added or removed. */
export async function rowFaults(
  { seal, sources }: RowContext,
  database: Queryable,
  merchantId: TenantId,
): Promise<string[]> {
  const faults: string[] = [];
  for (const source of sources) {
    const check = (subjects: readonly string[]) => faultsOf(seal, source, database, merchantId, subjects);
    const listed = async (after: string) => (await source.list?.(database, merchantId, after, pageSize)) ?? [];
    const known = (after: string) => listSubjectsWithRows(database, merchantId, source.prefix, after, pageSize);
    for (const list of [listed, known])
      for await (const subjects of pages(list)) {
        faults.push(...(await check(subjects)));
        if (faults.length >= mostFaults) return distinct(faults);
      }
  }
  return distinct(faults);
}

async function* pages(list: (after: string) => Promise<readonly string[]>): AsyncGenerator<readonly string[]> {
  let after = '';
  for (;;) {
    const page = await list(after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** A row that changes while it is compared is left out: its next change is looked at next time. */
async function faultsOf(
  seal: Sealer,
  source: RowSource,
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
): Promise<string[]> {
  const before = await listNewestChanges(database, merchantId, subjects);
  const rows = new Map((await source.find(database, merchantId, subjects)).map(({ subject, row }) => [subject, row]));
  const after = await listNewestChanges(database, merchantId, subjects);
  return subjects.flatMap((subject) => {
    const [change, row] = [after.get(subject), rows.get(subject)];
    if (change?.id !== before.get(subject)?.id) return [];
    if (!change) return row ? [`${subject} was not written by the service`] : [];
    if (!isGenuine(seal, change)) return [`the newest change of ${subject} was changed`];
    if (!row) return [`${subject} is missing`];
    return change.rowDigest?.equals(rowDigest(seal, merchantId, { subject, row })) ? [] : [`${subject} was changed`];
  });
}

function isGenuine(seal: Sealer, change: SealedChange): boolean {
  return seal(change.merchantId, sealedContent(change)).equals(change.seal);
}

function distinct(faults: readonly string[]): string[] {
  return [...new Set(faults)];
}
