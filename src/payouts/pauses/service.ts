/**
 * The verbs of operators on pauses. One person is enough for both, and both act at once on all processes. Whoever
 * resumes has at least the role of those who paused.
 */
import { batchJob } from '../../bank/batches/ports.js';
import { type By, mayAct, type OperatorActor, operatorOf, operatorRoles } from '../../caller.js';
import type { NewChange } from '../../changes/change.js';
import { recordChange } from '../../changes/service.js';
import { invalidField, RemesaError } from '../../errors.js';
import { instanceTenant, merchantId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import { loginsOf } from '../../operators/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { sendJob } from '../rail.js';
import type { Pause, PauseKind, PauseRef, Stoppable } from './pause.js';
import { addPause, dropPause, findPause, listPauses } from './pause-store.js';
import { pausesChanged } from './pause-watch.js';

/** A pause with names instead of numbers. */
export interface ShownPause extends Pause {
  /** As the caller names it: a merchant by its client id. */
  readonly shownName: string;
  /** The login of the operator who paused it. */
  readonly pausedBy: string;
}

const corridorPattern = /^([A-Z]{3})-([A-Z]{3})$/;

export interface PauseOptions {
  /** The names of the rails of this instance. */
  readonly rails: readonly string[];
  /** Whether there is such a corridor, open or closed. */
  readonly hasCorridor: (fiatIn: string, fiatOut: string) => boolean;
}

/** What an operator pauses. Without a name only everything. */
export interface NewPause {
  readonly kind: PauseKind;
  readonly name?: string | undefined;
  readonly stops?: readonly Stoppable[] | undefined;
  readonly note: string;
}

export class PauseService {
  readonly #options: PauseOptions;

  constructor(options: PauseOptions) {
    this.#options = options;
  }

  async list(database: Queryable): Promise<ShownPause[]> {
    return shown(database, await listPauses(database));
  }

  /** Pausing twice keeps the first note, and stops what both stop. Throws `merchant_not_found` and `invalid_fields`. */
  async pause(tx: Transaction, by: By, given: NewPause): Promise<ShownPause> {
    const { note, stops = ['payouts'] } = given;
    if (given.kind === 'rail' && stops.includes('quotes'))
      throw invalidField('stops', 'not_allowed', 'cannot have quotes for a rail: a quote does not know its rail');
    const ref = await this.#stored(tx, given);
    const role = mayAct(operatorIn(by), 'admin') ? 'admin' : 'reviewer';
    const pause = await addPause(tx, { ...ref, stops, note, role }, operatorOf(by));
    await this.#announce(tx, by, ref, { action: 'payouts.paused', details: { note, stops } });
    return this.#one(tx, pause);
  }

  /**
   * Throws `merchant_not_found`, `invalid_fields`, `pause_not_found` when it is not paused, and `role_missing` when
   * somebody with a higher role paused it.
   */
  async resume(tx: Transaction, by: By, given: Partial<NewPause> & Pick<NewPause, 'kind'>): Promise<ShownPause> {
    const ref = await this.#stored(tx, given);
    const roles = operatorRoles.filter((role) => mayAct(operatorIn(by), role));
    const dropped = await dropPause(tx, ref, roles);
    if (!dropped && (await findPause(tx, ref))) throw needsAdmin();
    const details = given.note === undefined ? undefined : { note: given.note };
    if (dropped) await this.#announce(tx, by, ref, { action: 'payouts.resumed', details });
    return this.#one(tx, dropped);
  }

  async #announce(
    tx: Transaction,
    by: By,
    { kind, name }: PauseRef,
    change: Pick<NewChange, 'action' | 'details'>,
  ): Promise<void> {
    tx.wake(pausesChanged);
    tx.wake(sendJob);
    tx.wake(batchJob);
    await recordChange(tx, by, { merchantId: instanceTenant, subject: `${kind}:${name}`, ...change });
  }

  /** Merchants are stored by their number, because a client id could be reused one day. */
  async #stored(database: Queryable, { kind, name }: Pick<NewPause, 'kind' | 'name'>): Promise<PauseRef> {
    const { rails, hasCorridor } = this.#options;
    if (kind === 'everything') {
      if (name !== undefined && name !== kind) throw invalidField('name', 'not_allowed', 'must be left out');
      return { kind, name: kind };
    }
    if (name === undefined) throw invalidField('name', 'required', `is required for a ${kind}`);
    if (kind === 'merchant') return { kind, name: String((await getMerchant(database, name)).merchantId) };
    if (kind === 'rail' && !rails.includes(name))
      throw invalidField('name', 'not_allowed', `must be ${rails.join(' or ')}`);
    const [, fiatIn = '', fiatOut = ''] = corridorPattern.exec(name) ?? [];
    if (kind === 'corridor' && !hasCorridor(fiatIn, fiatOut))
      throw invalidField('name', 'not_allowed', 'must be a corridor of this instance, such as USD-MXN');
    return { kind, name };
  }

  async #one(database: Queryable, pause: Pause | undefined): Promise<ShownPause> {
    const [first] = await shown(database, pause ? [pause] : []);
    if (!first) throw new RemesaError('not_found', 'pause_not_found', 'This is not paused.');
    return first;
  }
}

function operatorIn({ actor }: By): OperatorActor {
  if (actor.kind !== 'operator') throw new Error('only operators pause and resume');
  return actor;
}

function needsAdmin(): RemesaError {
  return new RemesaError('forbidden', 'role_missing', 'An admin has paused this, so an admin must resume it.');
}

async function shown(database: Queryable, pauses: readonly Pause[]): Promise<ShownPause[]> {
  if (pauses.length === 0) return [];
  const numbers = pauses.filter(({ kind }) => kind === 'merchant').map(({ name }) => merchantId(Number(name)));
  const [clientIds, logins] = [await clientIdsOf(database, numbers), await loginsOf(database)];
  return pauses.map((pause) => ({
    ...pause,
    shownName: (pause.kind === 'merchant' && clientIds.get(merchantId(Number(pause.name)))) || pause.name,
    pausedBy: logins.get(pause.operatorId) ?? String(pause.operatorId),
  }));
}
