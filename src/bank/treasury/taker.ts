/** Books what a statement says of interest and of transfers between our accounts, and what people said of a break. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { journalIdText } from '../../ledger/journal-id.js';
import type { LedgerService } from '../../ledger/service.js';
import { readMerchantClock } from '../../postgres/merchant-clock.js';
import type { BankAccountService } from '../accounts/service.js';
import { explainReported } from '../lines/service.js';
import type { LineTaker } from '../matching/taker.js';
import { entryOf } from './entry.js';
import { markOwnTransfer } from './transfer-store.js';

const byBank: By = { actor: { kind: 'system', name: 'bank statements' } };

export interface TreasuryOptions {
  readonly accounts: BankAccountService;
  readonly ledger: () => LedgerService;
}

/** To be asked after payouts, whose own id says more than the account on the other side, and before payments. */
export function treasuryTaker({ accounts, ledger }: TreasuryOptions): LineTaker {
  return {
    async take(database, movement) {
      const { account, saidToBe } = movement;
      const ours = movement.counterpartyAccount === undefined ? [] : await accounts.list(database);
      const entry = entryOf(
        movement,
        ours.map((each) => each.account),
      );
      if (!entry || 'reason' in entry) return entry;
      const { content, other } = entry;
      return database.transaction(async (tx) => {
        const { ownerId } = account;
        const occurredAt = await readMerchantClock(tx, ownerId);
        const reason =
          saidToBe === undefined
            ? `The statement of ${account.accountId} says so.`
            : `Operators said so when they split a line of ${account.accountId}.`;
        const posted = await ledger().post(tx, ownerId, { ...content, occurredAt, reason });
        const id = journalIdText(ownerId, posted.journalId);
        const explainedBy = `journal:${id}`;
        await explainReported(tx, movement, explainedBy);
        if (other !== undefined)
          await markOwnTransfer(tx, { ...movement, bank: account.accountId, other, record: explainedBy });
        await recordChange(tx, byBank, {
          merchantId: ownerId,
          action: 'ledger.entry_booked',
          subject: explainedBy,
          details: { kind: content.event, reason },
          journals: [posted],
        });
        return { explainedBy };
      });
    },
  };
}
