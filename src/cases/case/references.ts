/** Finds what an operator names in a case, so that a typing error is refused when it is made. */
import type { By } from '../../caller.js';
import { type FieldFault, invalidField, RemesaError } from '../../errors.js';
import { type MerchantId, publicId, userId } from '../../ids.js';
import type { HitReviewService } from '../../kyc/hits/review-service.js';
import { findOrderById } from '../../orders/order/finding.js';
import type { BlockService } from '../../persons/blocks/service.js';
import type { Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import type { ReferenceKind } from './case.js';
import { findCase } from './store.js';

export interface ReferenceOptions {
  readonly users: Pick<UserService, 'list'>;
  readonly hitReviews: Pick<HitReviewService, 'find'>;
  readonly blocks: Pick<BlockService, 'look'>;
}

export interface Reference {
  readonly merchantId: MerchantId | undefined;
  readonly reference: string;
}

interface Named {
  readonly merchantId: MerchantId | undefined;
  readonly reference: string;
}

export class References {
  readonly #options: ReferenceOptions;

  constructor(options: ReferenceOptions) {
    this.#options = options;
  }

  /** Throws `invalid_fields` for what does not exist. */
  async resolve(tx: Transaction, by: By, kind: Exclude<ReferenceKind, 'alert'>, named: Named): Promise<Reference> {
    const found = await this.#find(tx, by, kind, named).catch((error: unknown) => {
      if (error instanceof RemesaError && error.kind === 'not_found') return undefined;
      throw error;
    });
    if (!found) throw unknownReference(kind);
    return found;
  }

  async #find(
    tx: Transaction,
    by: By,
    kind: Exclude<ReferenceKind, 'alert'>,
    { merchantId, reference }: Named,
  ): Promise<Reference | undefined> {
    const { users, hitReviews, blocks } = this.#options;
    switch (kind) {
      case 'user': {
        if (merchantId === undefined) throw invalidField('merchant', 'required', 'must be given for a user');
        if (!/^[1-9]\d{0,15}$/.test(reference)) return undefined;
        const found = await users.list(tx, merchantId, [userId(Number(reference))]);
        return found.size > 0 ? { merchantId, reference } : undefined;
      }
      case 'order': {
        const order = await findOrderById(tx, reference);
        return { merchantId: order.merchantId, reference: order.orderId };
      }
      case 'hit': {
        const hit = await hitReviews.find(tx, reference);
        return { merchantId: hit.merchantId, reference: hit.hitId };
      }
      case 'block':
        return { merchantId: undefined, reference: (await blocks.look(tx, by, reference)).block.blockId };
      case 'case': {
        const caseId = publicId('cas', reference);
        return caseId && (await findCase(tx, caseId)) ? { merchantId: undefined, reference: caseId } : undefined;
      }
    }
  }
}

function unknownReference(kind: ReferenceKind): RemesaError {
  const code: FieldFault['code'] = 'not_allowed';
  return invalidField('reference', code, `must be the id of a ${kind} that exists`);
}
