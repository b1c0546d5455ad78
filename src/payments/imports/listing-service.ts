/** What operators see of imports: the files, and each line with its payment and what became of it. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { storedPublicId, type TenantId } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { ListedPayment, PaymentDesk } from '../operator/service.js';
import { listPaymentsByIds } from '../store.js';
import type { SuspenseRecord } from '../suspense/suspense.js';
import type { ImportProgress, LineResult } from './import.js';
import { type ImportPlace, listHandedOverOf, listImports, listSuspenseOfPayments } from './import-listing-store.js';
import { listPartResults } from './import-store.js';
import type { ImportService } from './service.js';

export interface ListedImport {
  readonly progress: ImportProgress;
  /** The client id of the owner of the account; undefined for the instance. */
  readonly clientId: string | undefined;
  /** The login of who imported it. */
  readonly login: string;
}

export interface ImportedPayment {
  readonly result: LineResult;
  /** Undefined for a line that could not be read or recorded. */
  readonly listed: ListedPayment | undefined;
  /** What of it came into suspense. */
  readonly record: SuspenseRecord | undefined;
}

export class ImportListing {
  constructor(
    readonly imports: ImportService,
    readonly desk: PaymentDesk,
  ) {}

  /** The newest first. `next` is undefined on the last page. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { merchant, accountId }: { readonly merchant: string | undefined; readonly accountId: string | undefined },
    { after, limit }: { readonly after: ImportPlace | undefined; readonly limit: number },
  ): Promise<{ imports: ListedImport[]; next: ImportPlace | undefined }> {
    const merchantId = merchant === undefined ? undefined : await merchantIdOf(database, merchant);
    const found = await listImports(database, { merchantId, accountId }, { after, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const owners = shown.map(({ ownerId }) => ownerId);
    const [clientIds, logins, progresses] = await Promise.all([
      clientIdsOf(database, owners),
      loginsOf(database),
      Promise.all(shown.map(({ importId }) => this.imports.progress(database, importId))),
    ]);
    const imports = shown.flatMap(({ ownerId, operatorId }, index) => {
      const progress = progresses[index];
      const login = logins.get(operatorId) ?? String(operatorId);
      return progress ? [{ progress, clientId: clientIds.get(ownerId), login }] : [];
    });
    return { imports, next: found.length > limit ? shown.at(-1)?.place : undefined };
  }

  /**
   * The lines of the next part that is done, in their order. Each reading is audited. `next` is undefined when no more
   * are done. Throws `payment_import_not_found`.
   */
  async lines(
    tx: Transaction,
    by: By,
    id: string,
    after: number,
  ): Promise<{ lines: ImportedPayment[]; next: number | undefined }> {
    const { ownerId, importId } = await this.imports.progress(tx, id);
    const [part, more] = await listPartResults(tx, { ownerId, importId, part: after }, 2);
    await recordChange(tx, by, {
      merchantId: ownerId,
      action: 'payment.import_looked_at',
      subject: `payment_import:${importId}`,
    });
    return { lines: await this.#linesOf(tx, ownerId, part?.results ?? []), next: more && part?.part };
  }

  async #linesOf(tx: Transaction, ownerId: TenantId, results: readonly LineResult[]): Promise<ImportedPayment[]> {
    const ids = results.flatMap(({ paymentId }) => (paymentId === undefined ? [] : storedPublicId('pay', paymentId)));
    const payments = await listPaymentsByIds(tx, ownerId, ids);
    const byTenant = new Map<TenantId, string[]>();
    for (const { paymentId, outcome, order } of payments) {
      const tenant = outcome === 'handed_over' && order ? order.merchantId : ownerId;
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), paymentId]);
    }
    const [listed, records] = await Promise.all([
      this.desk.listed(tx, payments),
      Promise.all([...byTenant].map(([tenant, own]) => listSuspenseOfPayments(tx, tenant, own))),
    ]);
    const listedById = new Map<string, ListedPayment>(listed.map((item) => [item.payment.paymentId, item]));
    const recordById = new Map<string, SuspenseRecord>(records.flat().map((record) => [record.paymentId, record]));
    return results.map((result) => ({
      result,
      listed: listedById.get(result.paymentId ?? ''),
      record: recordById.get(result.paymentId ?? ''),
    }));
  }
}

/** How many payments of an import their merchants have put in suspense after they took them over. */
export async function countSuspendedLater(
  database: Queryable,
  { ownerId, importId }: Pick<ImportProgress, 'ownerId' | 'importId'>,
): Promise<number> {
  const handedOver = await listHandedOverOf(database, ownerId, importId);
  const records = await Promise.all(
    [...handedOver].map(([tenant, ids]) => listSuspenseOfPayments(database, tenant, ids)),
  );
  return records.flat().filter(({ reason }) => reason !== 'over').length;
}
