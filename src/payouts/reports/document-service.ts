/**
 * Files of rails, which operators hand in. A file is stored by the command, which may need a second operator; a job
 * then applies each of its reports in a transaction of its own, because they belong to many merchants.
 */
import type { ApprovalSubject } from '../../approval.js';
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { digestOf } from '../../keys/sealing.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { Job } from '../../worker/worker.js';
import { isAsked, type Rail, type Report } from '../rail.js';
import { openDocument, sealDocument } from '../sealed.js';
import {
  addDocument,
  claimNextDocument,
  type DocumentRef,
  findStoredDocument,
  type StoredDocument,
  saveDocumentResults,
} from './document-store.js';
import { type ReceivingOptions, receiveAll } from './receiving.js';

export const mostReports = 500;
const documentJob = 'payouts.documents';
/** Longer than the reports of one file take. A file that was interrupted is applied again, which does nothing twice. */
const leaseSeconds = 300;

export interface DocumentOptions extends ReceivingOptions {
  readonly rails: ReadonlyMap<string, Rail>;
  /** Seals what belongs to nobody yet. */
  readonly reportKey: Buffer;
}

export class DocumentService {
  readonly #options: DocumentOptions;

  constructor(options: DocumentOptions) {
    this.#options = options;
  }

  /** What a document is about; undefined when it has no report. Throws as `receive` does. */
  review(name: string, document: Buffer): ApprovalSubject | undefined {
    const digest = digestOf(document);
    const reports = readReports(this.#railOf(name), document);
    const subject = `payout_document:${name}.${digest}`;
    return reports.length === 0 ? undefined : { subject, version: digest, records: [subject, `rail:${name}`] };
  }

  /**
   * Stores a document; its reports are applied next. Throws `rail_not_found`, `rail_reads_no_documents`, and
   * `invalid_fields` when the rail cannot read it.
   */
  async receive(tx: Transaction, by: By, name: string, document: Buffer): Promise<StoredDocument> {
    const digest = digestOf(document);
    const { length: reports } = readReports(this.#railOf(name), document);
    const ref = { rail: name, digest };
    const sealedContent = sealDocument(this.#options.reportKey, ref, document);
    const stored = await addDocument(tx, { ...ref, reports, sealedContent });
    tx.wake(documentJob);
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'payout.document_received',
      subject: `rail:${name}`,
      details: { digest },
    });
    return stored;
  }

  /** Throws `rail_document_not_found`. */
  async find(database: Queryable, ref: DocumentRef): Promise<StoredDocument> {
    const stored = await findStoredDocument(database, ref);
    if (!stored) throw new RemesaError('not_found', 'rail_document_not_found', 'There is no such document.');
    return stored;
  }

  job(): Job {
    return { name: documentJob, everySeconds: 30, run: () => this.#applyNext() };
  }

  async #applyNext(): Promise<number> {
    const { database, rails, reportKey } = this.#options;
    const claimed = await claimNextDocument(database, leaseSeconds);
    if (!claimed) return 0;
    const rail = rails.get(claimed.rail);
    if (!rail) throw new Error(`a document waits for the rail ${claimed.rail}, which is not in the settings`);
    const reports = readReports(rail, openDocument(reportKey, claimed, claimed.sealedContent));
    const results = await receiveAll(this.#options, rail, reports, { isHandedIn: true });
    await database.transaction((tx) => saveDocumentResults(tx, claimed, results));
    return 1;
  }

  /** Throws `rail_not_found` and `rail_reads_no_documents`. */
  #railOf(name: string): Rail {
    const rail = this.#options.rails.get(name);
    if (!rail) throw new RemesaError('not_found', 'rail_not_found', 'There is no such rail.');
    if (isAsked(rail)) return rail;
    const message = 'Nobody uploads documents of this rail.';
    throw new RemesaError('conflict', 'rail_reads_no_documents', message);
  }
}

function readReports(rail: Rail, document: Buffer): readonly Report[] {
  const reports = readOrUndefined(rail, document);
  if (!reports) throw invalidField('document', 'wrong_format', `is not a document of the rail ${rail.name}`);
  if (reports.length > mostReports)
    throw invalidField('document', 'too_many', `has more than ${mostReports} reports: split it`);
  return reports;
}

function readOrUndefined(rail: Rail, document: Buffer): readonly Report[] | undefined {
  try {
    return rail.read(document);
  } catch {
    return undefined;
  }
}
