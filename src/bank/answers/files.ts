/** The verbs of operators on files from banks. */
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { IncomingFile, IncomingState } from '../transport/incoming-file.js';
import { listIncomingFiles, settleIncomingFile } from '../transport/incoming-store.js';

export class FileDesk {
  /** The newest first. */
  list(database: Queryable, states: readonly IncomingState[], limit: number): Promise<IncomingFile[]> {
    return listIncomingFiles(database, states, limit);
  }

  /** An operator has examined its faults. Throws `bank_file_not_found`. */
  async settle(tx: Transaction, by: By, digest: string, note: string): Promise<IncomingFile> {
    const settled = await settleIncomingFile(tx, digest, operatorOf(by));
    if (!settled)
      throw new RemesaError('not_found', 'bank_file_not_found', 'No such file with faults waits for an operator.');
    await recordChange(tx, by, {
      merchantId: instanceTenant,
      action: 'bank_file.settled',
      subject: `bank_file:${digest}`,
      details: { note },
    });
    return settled;
  }
}
