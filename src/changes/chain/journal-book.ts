/** The journals that changes name, as the numbering of changes needs them. The ledger implements it. */
import type { TenantId } from '../../ids.js';
import type { Transaction } from '../../postgres/statement.js';

export interface JournalBook {
  /** The seals of those of the journals that the service wrote so. Of each other that exists, a fault is reported. */
  sealsOf(tx: Transaction, merchantId: TenantId, journalIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Buffer>>;
  /** Gives the journals the next numbers of the merchant's ledger, in this order. The merchant's chain is locked. */
  number(tx: Transaction, merchantId: TenantId, journalIds: readonly bigint[]): Promise<void>;
}
