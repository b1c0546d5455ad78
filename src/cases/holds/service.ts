/**
 * The verbs of legal holds: what is kept of a user stays kept while one is there, or while a compliance case that names
 * the user is open. Merchants and users notice nothing: what they may see is erased as ever.
 */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError, userNotFound } from '../../errors.js';
import { instanceTenant, newPublicId, publicId } from '../../ids.js';
import type { Account } from '../../persons/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { CaseSealer } from '../sealed.js';
import * as store from './store.js';

export type Hold = store.StoredHold;
export interface HoldFile {
  readonly hold: Hold;
  readonly reason: string;
  readonly note: string | undefined;
}

export class HoldService {
  readonly #users: Pick<UserService, 'retainedKey'>;
  readonly #sealer: CaseSealer;

  constructor(users: Pick<UserService, 'retainedKey'>, sealer: CaseSealer) {
    this.#users = users;
    this.#sealer = sealer;
  }

  /** Throws `user_not_found`, also when nothing of the user is kept any more. */
  async place(tx: Transaction, by: By, user: Account, reason: string): Promise<HoldFile> {
    if (!(await this.#users.retainedKey(tx, user.merchantId, user.userId))) throw userNotFound();
    const holdId = newPublicId('hld');
    const sealedReason = this.#sealer.seal(['legal_holds', 'sealed_reason', holdId], reason);
    const hold = await store.addHold(tx, { holdId, user, sealedReason, placedBy: operatorOf(by) });
    await audit(tx, by, hold, 'hold.placed');
    return { hold, reason, note: undefined };
  }

  /** Always by two. Throws `hold_not_found`. */
  async reviewRelease(tx: Transaction, id: string): Promise<ApprovalSubject> {
    const hold = await lock(tx, id);
    return { subject: recordOf(hold), version: hold.released ? 'released' : 'active' };
  }

  /** What has waited for it is erased within the hour. Throws `hold_not_found` and `hold_released`. */
  async release(tx: Transaction, by: By, id: string, note: string): Promise<HoldFile> {
    const { holdId } = await lock(tx, id);
    const sealedNote = this.#sealer.seal(['legal_holds', 'sealed_note', holdId], note);
    const hold = await store.releaseHold(tx, holdId, { releasedBy: operatorOf(by), sealedNote });
    if (!hold) throw new RemesaError('conflict', 'hold_released', 'This hold was released already.');
    await audit(tx, by, hold, 'hold.released');
    return this.#open(hold);
  }

  list(
    database: Queryable,
    isActive: boolean | undefined,
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly Hold[]> {
    return store.listHolds(database, isActive, page);
  }

  /** Each reading is audited. Throws `hold_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<HoldFile> {
    const hold = await lock(tx, id);
    await audit(tx, by, hold, 'hold.looked_at');
    return this.#open(hold);
  }

  /** Whether what is kept of the user must stay. */
  isHeld(database: Queryable, user: Account): Promise<boolean> {
    return store.isHeld(database, user);
  }

  #open(hold: Hold): HoldFile {
    const { holdId, sealedReason, released } = hold;
    return {
      hold,
      reason: this.#sealer.open(['legal_holds', 'sealed_reason', holdId], sealedReason),
      note: released && this.#sealer.open(['legal_holds', 'sealed_note', holdId], released.sealedNote),
    };
  }
}

export function recordOf({ holdId }: Hold): string {
  return `hold:${holdId}`;
}

async function lock(tx: Transaction, id: string): Promise<Hold> {
  const holdId = publicId('hld', id);
  const hold = holdId && (await store.lockHold(tx, holdId));
  if (!hold) throw new RemesaError('not_found', 'hold_not_found', 'There is no such hold.');
  return hold;
}

function audit(tx: Transaction, by: By, hold: Hold, action: string): Promise<void> {
  return recordChange(tx, by, { merchantId: instanceTenant, action, subject: recordOf(hold) });
}
