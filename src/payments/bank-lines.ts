/** Payments that statements of banks report: a credit on a pay-in account that is not money of ours coming back. */
import type { LineTaker, ReportedMovement } from '../bank/matching/taker.js';
import type { By } from '../caller.js';
import { RemesaError } from '../errors.js';
import type { Database } from '../postgres/database.js';
import type { PayinAccountService } from './accounts/service.js';
import { findCandidate } from './matching/candidates.js';
import { longestTexts } from './movement-fields.js';
import type { Movement } from './payment.js';
import type { PaymentService } from './service.js';

const byBank: By = { actor: { kind: 'system', name: 'bank statements' } };

export function paymentTaker({
  accounts,
  payments,
}: {
  readonly accounts: PayinAccountService;
  readonly payments: PaymentService;
}): LineTaker {
  return {
    async take(database, reported) {
      if (reported.sign !== 'credit' || reported.isReturn) return undefined;
      const { accountId, ownerId } = reported.account;
      if (!(await isPayinAccount(accounts, database, accountId))) return undefined;
      const movement = movementOf(reported);
      const candidate = await findCandidate(database, ownerId, movement.payer.remittanceText);
      const account = { ownerId, accountId };
      const { payment } = await database.transaction((tx) =>
        payments.record(tx, byBank, { account, movement, source: 'statement', candidate, reported }),
      );
      return { explainedBy: `payment:${payment.paymentId}` };
    },
  };
}

/** A structured reference is as good as one in the text. */
function movementOf({
  reference,
  amount,
  bookedOn,
  name,
  counterpartyAccount,
  text,
  references,
}: ReportedMovement): Movement {
  const remittanceText = [...references, text].join(' ').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return {
    bankReference: reference.slice(0, longestTexts.bankReference),
    amount,
    bookedAt: new Date(`${bookedOn}T00:00:00Z`),
    bookedOn,
    payer: {
      name: visible(name, longestTexts.payerName) ?? 'NOT PROVIDED',
      account: visible(counterpartyAccount, longestTexts.payerAccount),
      remittanceText: [...remittanceText.trim()].slice(0, longestTexts.remittanceText).join(''),
    },
  };
}

function visible(text: string | undefined, longest: number): string | undefined {
  const plain = text?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain ? [...plain].slice(0, longest).join('') : undefined;
}

async function isPayinAccount(accounts: PayinAccountService, database: Database, accountId: string): Promise<boolean> {
  try {
    await accounts.get(database, accountId);
    return true;
  } catch (error) {
    if (error instanceof RemesaError && error.kind === 'not_found') return false;
    throw error;
  }
}
