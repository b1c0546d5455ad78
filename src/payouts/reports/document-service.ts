/** Files and callbacks of rails, which operators hand in: each of their reports is applied in a transaction of its own. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import { digestOf } from '../../keys/sealing.js';
import type { Transaction } from '../../postgres/statement.js';
import type { Rail, Report } from '../rail.js';
import { type ReceivingOptions, type ReportResult, receiveAll } from './receiving.js';

/** So many are applied while the caller waits. */
export const mostReports = 500;

export interface DocumentOptions extends ReceivingOptions {
  readonly rails: ReadonlyMap<string, Rail>;
}

export class DocumentService {
  constructor(readonly options: DocumentOptions) {}

  /**
   * Applies the reports of a document, and returns what became of each. The same document again changes nothing. Throws
   * `rail_not_found`, `rail_reads_no_documents`, and `invalid_fields` when the rail cannot read it; nothing is applied then.
   */
  async receive(name: string, document: Buffer): Promise<ReportResult[]> {
    const rail = this.options.rails.get(name);
    if (!rail) throw new RemesaError('not_found', 'rail_not_found', 'There is no such rail.');
    if (rail.capabilities.submission === 'by_hand') {
      const message = 'Operators record what happened on this rail.';
      throw new RemesaError('conflict', 'rail_reads_no_documents', message);
    }
    return receiveAll(this.options, rail, readReports(rail, document));
  }

  /** Who handed in which document. */
  async record(tx: Transaction, by: By, rail: string, document: Buffer): Promise<void> {
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'payout.document_received',
      subject: `rail:${rail}`,
      details: { digest: digestOf(document) },
    });
  }
}

function readReports(rail: Rail, document: Buffer): readonly Report[] {
  const reports = readOrUndefined(rail, document);
  if (!reports) throw wrongDocument('wrong_format', `is not a document of the rail ${rail.name}`);
  if (reports.length > mostReports) throw wrongDocument('too_many', `has more than ${mostReports} reports: split it`);
  return reports;
}

function readOrUndefined(rail: Rail, document: Buffer): readonly Report[] | undefined {
  try {
    return rail.read(document);
  } catch {
    return undefined;
  }
}

function wrongDocument(code: string, message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_fields', `document: ${message}`, {
    errors: [{ field: 'document', code, message }],
  });
}
