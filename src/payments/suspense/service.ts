/** The verbs of operators on suspense records: list them, and look at one with its payer. */
import { recordAudit } from '../../audit/service.js';
import type { By } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import { getMerchant, listClientIdsOf } from '../../merchants/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Payer, Payment, SuspenseReason } from '../payment.js';
import type { PaymentService } from '../service.js';
import { findPayment } from '../store.js';
import type { SuspenseRecord } from './suspense.js';
import { findSuspense, listSuspense, type SuspensePlace } from './suspense-store.js';

export interface SuspenseQuery {
  /** The client id of the owner. */
  readonly merchant: string | undefined;
  readonly reason: SuspenseReason | undefined;
  readonly currency: string | undefined;
  readonly after: SuspensePlace | undefined;
  readonly limit: number;
}

/** A record with the client id of its owner; undefined for the instance. */
export interface ShownSuspense {
  readonly record: SuspenseRecord;
  readonly clientId: string | undefined;
}

export interface SuspenseFile extends ShownSuspense {
  readonly payment: Payment;
  readonly payer: Payer | undefined;
}

export class SuspenseService {
  constructor(readonly payments: PaymentService) {}

  /** The oldest first. `next` is undefined on the last page. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { merchant, reason, currency, after, limit }: SuspenseQuery,
  ): Promise<{ records: ShownSuspense[]; next: SuspensePlace | undefined }> {
    const ownerId = merchant === undefined ? undefined : (await getMerchant(database, merchant)).merchantId;
    const filter = { ownerId, reason, currency };
    const found = await listSuspense(database, filter, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const records = await shown(
      database,
      page.map(({ record }) => record),
    );
    return { records, next: found.length > limit ? page.at(-1)?.place : undefined };
  }

  /** Each reading is audited. Throws `suspense_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<SuspenseFile> {
    const suspenseId = publicId('sus', id);
    const record = suspenseId && (await findSuspense(tx, tenantOfPublicId(suspenseId), suspenseId));
    const payment = record && (await findPayment(tx, tenantOfPublicId(record.paymentId), record.paymentId));
    if (!record || !payment) {
      throw new RemesaError('not_found', 'suspense_not_found', 'There is no such suspense record.');
    }
    const payer = await this.payments.payerOf(tx, payment);
    const [listed] = await shown(tx, [record]);
    const subject = `suspense:${record.suspenseId}`;
    await recordAudit(tx, record.ownerId, { ...by, action: 'suspense.looked_at', subject });
    return { record, clientId: listed?.clientId, payment, payer };
  }
}

async function shown(database: Queryable, records: readonly SuspenseRecord[]): Promise<ShownSuspense[]> {
  const owners = records.flatMap(({ ownerId }) => (ownerId === instanceTenant ? [] : [ownerId]));
  const found = owners.length === 0 ? [] : await listClientIdsOf(database, [...new Set(owners)]);
  const clientIds = new Map<TenantId, string>(
    found.map(({ merchantId, clientId }) => [merchantId, clientId]),
  );
  return records.map((record) => ({ record, clientId: clientIds.get(record.ownerId) }));
}
