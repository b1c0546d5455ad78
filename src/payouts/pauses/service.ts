/** The verbs of operators on pauses. One person is enough for both, and both act at once on all processes. */
import type { By } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, merchantId } from '../../ids.js';
import { getMerchant, listClientIdsOf } from '../../merchants/service.js';
import { listOperators } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { sendJob } from '../service.js';
import type { Pause, PauseRef } from './pause.js';
import { addPause, dropPause, findPause, listPauses } from './pause-store.js';
import { pausesChanged } from './pause-watch.js';

/** A pause with names instead of numbers. */
export interface ShownPause extends Pause {
  /** As the caller names it: a merchant by its client id. */
  readonly shownName: string;
  /** The login of the operator who paused it. */
  readonly pausedBy: string;
}

const corridorPattern = /^[A-Z]{3}-[A-Z]{3}$/;

export class PauseService {
  /** `rails` are the names of the rails of this instance. */
  constructor(readonly rails: readonly string[]) {}

  async list(database: Queryable): Promise<ShownPause[]> {
    return shown(database, await listPauses(database));
  }

  /** Pausing twice keeps the first pause. Throws `merchant_not_found` and `invalid_fields`. */
  async pause(tx: Transaction, by: By, given: PauseRef & { readonly note: string }): Promise<ShownPause> {
    if (by.actor.kind !== 'operator') throw new Error('only operators pause');
    const ref = await this.#stored(tx, given);
    const added = await addPause(tx, ref, given.note, by.actor.operatorId);
    if (added) await this.#announce(tx, by, ref, 'payouts.paused');
    const pause = added ?? (await findPause(tx, ref));
    return this.#one(tx, pause);
  }

  /** Throws `merchant_not_found`, `invalid_fields`, and `pause_not_found` when it is not paused. */
  async resume(tx: Transaction, by: By, given: PauseRef): Promise<ShownPause> {
    const ref = await this.#stored(tx, given);
    const dropped = await dropPause(tx, ref);
    if (dropped) await this.#announce(tx, by, ref, 'payouts.resumed');
    return this.#one(tx, dropped);
  }

  async #announce(tx: Transaction, by: By, { kind, name }: PauseRef, action: string): Promise<void> {
    tx.wake(pausesChanged);
    tx.wake(sendJob);
    await recordChange(tx, by, { merchantId: instanceTenant, action, subject: `${kind}:${name}` });
  }

  /** Merchants are stored by their number, because a client id could be reused one day. */
  async #stored(database: Queryable, { kind, name }: PauseRef): Promise<PauseRef> {
    if (kind === 'merchant') return { kind, name: String((await getMerchant(database, name)).merchantId) };
    if (kind === 'rail' && !this.rails.includes(name)) throw wrongName(`must be ${this.rails.join(' or ')}`);
    if (kind === 'corridor' && !corridorPattern.test(name)) throw wrongName('must be like USD-MXN');
    return { kind, name };
  }

  async #one(database: Queryable, pause: Pause | undefined): Promise<ShownPause> {
    const [first] = await shown(database, pause ? [pause] : []);
    if (!first) throw new RemesaError('not_found', 'pause_not_found', 'This is not paused.');
    return first;
  }
}

async function shown(database: Queryable, pauses: readonly Pause[]): Promise<ShownPause[]> {
  if (pauses.length === 0) return [];
  const numbers = pauses.filter(({ kind }) => kind === 'merchant').map(({ name }) => merchantId(Number(name)));
  const merchants = await listClientIdsOf(database, numbers);
  const clientIds = new Map(merchants.map(({ merchantId: id, clientId }) => [String(id), clientId]));
  const operators = await listOperators(database);
  const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
  return pauses.map((pause) => ({
    ...pause,
    shownName: (pause.kind === 'merchant' && clientIds.get(pause.name)) || pause.name,
    pausedBy: logins.get(pause.operatorId) ?? String(pause.operatorId),
  }));
}

function wrongName(message: string): RemesaError {
  return new RemesaError('invalid', 'invalid_fields', `name: ${message}`, {
    errors: [{ field: 'name', code: 'not_allowed', message }],
  });
}
