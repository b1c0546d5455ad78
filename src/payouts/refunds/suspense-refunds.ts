/** Writes the attempts to pay money in suspense back. */
import { newMerchantPublicId, storedPublicId, type TenantId } from '../../ids.js';
import type { Amount } from '../../money/amount.js';
import { amountToText } from '../../money/literal.js';
import type { Transaction } from '../../postgres/statement.js';
import { corridorName, referenceOf } from '../attempt.js';
import type { AttemptKeys } from '../attempt-keys.js';
import {
  endOfAccount,
  type Instruction,
  isByHand,
  jobOf,
  type NamedPayer,
  type PayerAccount,
  type Rail,
} from '../rail.js';
import { chooseRail, type RailRoute } from '../routing.js';
import { openAttempt } from '../rows.js';
import { sealContent } from '../sealed.js';
import { listAttemptsOfSuspense, saveState } from '../store.js';
import { attemptStateAfter } from '../transitions.js';

export interface SuspenseRefundOptions {
  readonly keys: AttemptKeys;
  readonly rails: ReadonlyMap<string, Rail>;
  readonly routes: readonly RailRoute[];
  /** Carries refunds that no other rail takes, or whose account an operator must find out. */
  readonly manualRail: Rail;
}

export class SuspenseRefundService {
  readonly #options: SuspenseRefundOptions;

  constructor(options: SuspenseRefundOptions) {
    this.#options = options;
  }

  /**
   * Ends the attempt before anybody was instructed to pay. A worker that has leased it, and has not begun to send it,
   * finds another version and sends nothing. Returns false when the money may have left.
   */
  async withdraw(
    tx: Transaction,
    record: { readonly ownerId: TenantId; readonly suspenseId: string },
  ): Promise<boolean> {
    const attempts = await listAttemptsOfSuspense(tx, record);
    const unsent = attempts.find(({ state }) => state === 'READY');
    const to = unsent && attemptStateAfter(unsent.state, 'recall');
    const withdrawn = to && (await saveState(tx, unsent, to, undefined));
    return withdrawn !== undefined;
  }

  /** Throws when the record has an attempt that is not dead: nobody is paid twice. */
  async open(
    tx: Transaction,
    refund: {
      readonly ownerId: TenantId;
      readonly suspenseId: string;
      readonly due: Amount;
      readonly bank: string;
      /** Without an account, or undefined: an operator must find out. */
      readonly payer: PayerAccount | NamedPayer | undefined;
    },
  ): Promise<void> {
    const { keys, rails, routes, manualRail } = this.#options;
    const { ownerId: merchantId, due: amount, bank, payer } = refund;
    const suspenseId = storedPublicId('sus', refund.suspenseId);
    const asked = { direction: 'refund', amount, country: undefined, method: 'bank_account' } as const;
    const isKnown = payer && payer.account !== null;
    const rail = (isKnown && chooseRail(routes, rails, asked)) || manualRail;
    const number = (await listAttemptsOfSuspense(tx, { ownerId: merchantId, suspenseId })).length + 1;
    const reference = referenceOf(suspenseId, number);
    const attemptId = newMerchantPublicId('att', merchantId);
    const instruction: Instruction = {
      reference,
      direction: 'refund',
      currency: amount.currency,
      amount: amountToText(amount),
      sender: null,
      recipient: payer ?? null,
      purpose: 'refund',
    };
    const place = { merchantId, suspenseId, attemptId };
    await openAttempt(tx, {
      ...asked,
      ...place,
      bank,
      number,
      reference,
      rail: rail.name,
      account: endOfAccount(payer),
      // A pause of a corridor is about payouts.
      corridor: corridorName(amount.currency, amount.currency),
      sealedContent: sealContent(keys.ofSuspense, place, Buffer.from(JSON.stringify(instruction))),
      isAutomatic: !isByHand(rail),
    });
    tx.wake(jobOf(rail));
  }
}
