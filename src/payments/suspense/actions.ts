/** What becomes of money in suspense. */
import type { By } from '../../caller.js';
import * as postings from '../../ledger/postings.js';
import type { LedgerService } from '../../ledger/service.js';
import type { Transaction } from '../../postgres/statement.js';
import { readOwnerClock } from '../store.js';
import type { SuspenseRecord } from './suspense.js';

export class SuspenseActions {
  constructor(readonly ledger: LedgerService) {}

  /** The money is to go back to the account that paid. */
  async returnToPayer(tx: Transaction, _by: By, record: SuspenseRecord): Promise<void> {
    const { ownerId, suspenseId, amount } = record;
    const occurredAt = await readOwnerClock(tx, ownerId);
    await this.ledger.post(tx, ownerId, { ...postings.suspenseRefundDue(suspenseId, amount), occurredAt });
  }
}
