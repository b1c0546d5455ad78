/** The verbs of imports: accept a file, do its lines part by part, and say what became of each. */
import { createHash } from 'node:crypto';
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { newMerchantPublicId, publicId, type TenantId, tenantOfPublicId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { PayinAccountService } from '../accounts/service.js';
import { type InstanceSealer, ofImport, ofImportPart } from '../sealed.js';
import type { CsvLine } from './csv.js';
import { markImportSettled } from './fault-store.js';
import {
  type ImportId,
  type ImportProgress,
  linesPerPart,
  type PaymentImport,
  resultHead,
  resultLine,
} from './import.js';
import { addImport, addImportPart, findImportProgress, listPartResults, requestVoid } from './import-store.js';

export interface ImportFile {
  readonly accountId: string;
  readonly csv: string;
}

export const importJob = 'payments.import';
export const voidImportJob = 'payments.void-import';
const partsAtOnce = 20;

export class ImportService {
  constructor(
    readonly accounts: PayinAccountService,
    readonly sealer: InstanceSealer,
  ) {}

  /** Whose books the account is in. Throws `payin_account_not_found`. */
  async ownerOf(database: Queryable, accountId: string): Promise<TenantId> {
    return (await this.accounts.get(database, accountId)).ownerId;
  }

  /** The same file can wait for a second operator only once. */
  review({ accountId, csv }: ImportFile): ApprovalSubject {
    const digest = createHash('sha256')
      .update(JSON.stringify([accountId, csv]))
      .digest('hex');
    return { subject: `payment_import:${digest.slice(0, 32)}`, version: '1' };
  }

  /** Stores the lines of the file for the job. Throws `payin_account_not_found`. */
  async start(tx: Transaction, by: By, accountId: string, lines: readonly CsvLine[]): Promise<PaymentImport> {
    const { ownerId } = await this.accounts.get(tx, accountId);
    const importId = newMerchantPublicId('imp', ownerId);
    const started = { ownerId, importId, accountId, lines: lines.length };
    const added = await addImport(tx, started, operatorOf(by));
    // One after the other, so that other work goes on between two.
    for (const [index, part] of partsOf(lines).entries()) {
      const place = { ownerId, importId, part: index + 1 };
      const sealedLines = this.sealer.sealLines(ofImportPart(ownerId, importId, place.part), part);
      await addImportPart(tx, place, { lines: part.length, sealedLines });
    }
    await recordChange(tx, by, {
      merchantId: ownerId,
      action: 'payment.import_started',
      subject: `payment_import:${importId}`,
      details: { accountId, lines: lines.length },
    });
    tx.wake(importJob);
    return added;
  }

  /** Throws `payment_import_not_found`. */
  async progress(database: Queryable, id: string): Promise<ImportProgress> {
    const importId = publicId('imp', id);
    const found = importId && (await findImportProgress(database, tenantOfPublicId(importId), importId));
    if (found) return found;
    throw new RemesaError('not_found', 'payment_import_not_found', 'There is no such import.');
  }

  /**
   * An operator has dealt with the lines that could not be recorded. Throws `payment_import_not_found`, and
   * `import_faults_not_found` when none wait, or the import is not finished.
   */
  async settleFaults(tx: Transaction, by: By, id: string, note: string): Promise<void> {
    const { ownerId, importId, counts, isFinished } = await this.progress(tx, id);
    const isSettled =
      isFinished && counts.fault > 0 && (await markImportSettled(tx, ownerId, importId, operatorOf(by)));
    if (!isSettled)
      throw new RemesaError(
        'not_found',
        'import_faults_not_found',
        'No faulty lines of this import wait for an operator.',
      );
    await recordChange(tx, by, {
      merchantId: ownerId,
      action: 'payment.import_settled',
      subject: `payment_import:${importId}`,
      details: { note },
    });
  }

  /** Whose books the import is in. Throws `payment_import_not_found`. */
  async tenantOf(database: Queryable, id: string): Promise<TenantId> {
    return (await this.progress(database, id)).ownerId;
  }

  /** What voiding an import is about: once for each. Throws `payment_import_not_found`. */
  async reviewVoid(database: Queryable, id: string): Promise<ApprovalSubject> {
    const { importId } = await this.progress(database, id);
    return { subject: `payment_import:${importId}`, version: '1' };
  }

  /**
   * A job voids what the file recorded, payment by payment; what has moved on stays. Throws `payment_import_not_found`,
   * and `payment_import_not_voidable` before all lines are done, and a second time.
   */
  async void(tx: Transaction, by: By, id: string, note: string): Promise<ImportProgress> {
    const { ownerId, importId, isFinished } = await this.progress(tx, id);
    if (!isFinished) throw notVoidable('Its lines are still being recorded.');
    const sealedNote = this.sealer.sealNote(ofImport(ownerId, importId), note);
    const isNew = await requestVoid(tx, { ownerId, importId }, { operator: operatorOf(by), sealedNote });
    if (!isNew) throw notVoidable('That was asked for before.');
    await recordChange(tx, by, {
      merchantId: ownerId,
      action: 'payment.import_voided',
      subject: `payment_import:${importId}`,
    });
    tx.wake(voidImportJob);
    return this.progress(tx, id);
  }

  /** The results of the lines that are done, as CSV in pieces. Throws `payment_import_not_found`. */
  async results(database: Queryable, id: string): Promise<AsyncGenerator<string>> {
    const { ownerId, importId } = await this.progress(database, id);
    return resultsOf(database, ownerId, importId);
  }
}

function notVoidable(message: string): RemesaError {
  return new RemesaError('conflict', 'payment_import_not_voidable', `The import cannot be voided. ${message}`);
}

/** Each piece is a short statement of its own, so that a slow reader keeps no transaction open. */
async function* resultsOf(database: Queryable, ownerId: TenantId, importId: ImportId): AsyncGenerator<string> {
  yield resultHead;
  for (let part = 0; ; ) {
    const found = await listPartResults(database, { ownerId, importId, part }, partsAtOnce);
    const last = found.at(-1);
    if (!last) return;
    yield found.flatMap(({ results }) => results.map(resultLine)).join('');
    part = last.part;
  }
}

function partsOf(lines: readonly CsvLine[]): CsvLine[][] {
  const count = Math.ceil(lines.length / linesPerPart);
  return Array.from({ length: count }, (_, part) => lines.slice(part * linesPerPart, (part + 1) * linesPerPart));
}
