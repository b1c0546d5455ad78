/** The rows whose content changes remember, for verification. */
import { bankAccountRows } from '../bank/accounts/rows.js';
import { bankAnswerRows } from '../bank/answers/rows.js';
import { bankBatchRows } from '../bank/batches/rows.js';
import type { RowSource } from '../changes/row.js';
import { rowFaults } from '../changes/verify/rows.js';
import { countryRows } from '../countries/rows.js';
import { sealerOf } from '../keys/sealer.js';
import type { RowFaults } from '../ledger/verify/verify.js';
import { orderRows } from '../orders/owed/rows.js';
import { rowsOfPayments } from '../payments/row-sources.js';
import { attemptRows } from '../payouts/rows.js';
import { blockRows } from '../persons/blocks/rows.js';
import { corridorRows } from '../rates/corridors/row-digests.js';

export const rememberedRows: readonly RowSource[] = [
  orderRows,
  attemptRows,
  ...rowsOfPayments,
  bankAccountRows,
  bankBatchRows,
  bankAnswerRows,
  corridorRows,
  blockRows,
  countryRows,
];

export function rowFaultsUnder(rootKey: Buffer): RowFaults {
  const context = { seal: sealerOf(rootKey), sources: rememberedRows };
  return (database, merchantId) => rowFaults(context, database, merchantId);
}
