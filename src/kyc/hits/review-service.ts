/** The verbs of operators on hits: list, read, dismiss, confirm. A hit is decided once. */
import type { ApprovalSubject } from '../../approval.js';
import { type By, operatorOf } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { type MerchantId, merchantOfPublicId, type OperatorId, publicId } from '../../ids.js';
import { clientIdsOf, getMerchant } from '../../merchants/service.js';
import { listOperators } from '../../operators/service.js';
import type { Account } from '../../persons/service.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import type { UserService } from '../../users/service.js';
import { statesAfter } from '../cases/renewal.js';
import { lockCasesOfUser } from '../cases/store.js';
import { transitionCase } from '../cases/transition.js';
import { type Explanation, type Hit, type HitState, recordOf, versionOf } from './hit.js';
import * as store from './hit-store.js';
import { openExplanation, openNote, sealNote } from './sealed.js';

/** The job that freezes what the other accounts of a person with a confirmed hit have. */
export const freezePersons = 'kyc.freeze-persons';

export interface HitQuery {
  readonly state: HitState;
  /** Only hits of the merchant with this client id. */
  readonly clientId: string | undefined;
  readonly userId: number | undefined;
  readonly after: store.HitPlace | undefined;
  readonly limit: number;
}

/** A hit without anything personal. */
export interface ListedHit {
  readonly hit: Hit;
  /** The client id of the merchant. */
  readonly clientId: string;
  /** The login of the operator who decided it. */
  readonly decidedBy: string | undefined;
}

export interface HitFile extends ListedHit {
  /** Undefined when the user's key was destroyed. */
  readonly explanation: Explanation | undefined;
  readonly note: string | undefined;
}

/** Rooms above this one have the money of a person; `app.ts` registers them. */
export interface Blocking {
  /**
   * The person is on a list: nothing of the person's money moves from now on. The caller has locked the user. Writes
   * rows of this merchant only.
   */
  block(tx: Transaction, by: By, person: BlockedPerson): Promise<void>;
}

/** Risk is above this room: rates a user anew whom the caller has locked, in the same transaction. */
export type RateRisk = (tx: Transaction, user: Account) => Promise<unknown>;

export interface BlockedPerson extends Pick<Hit, 'merchantId' | 'userId'> {
  /** The confirmed hit; absent for whom an operator put on the block list. */
  readonly hitId?: Hit['hitId'];
  /** What the operator wrote about the hit. */
  readonly note: string;
}

export interface ConfirmedHit extends Pick<Hit, 'merchantId' | 'userId' | 'hitId'> {
  readonly decidedBy: OperatorId;
  readonly note: string;
}

export class HitReviewService {
  readonly #users: UserService;
  readonly #rateRisk: RateRisk;
  #blocking: Blocking | undefined;

  constructor(users: UserService, rateRisk: RateRisk) {
    this.#users = users;
    this.#rateRisk = rateRisk;
  }

  /** Called once, when the rooms that have money are built. */
  register(blocking: Blocking): void {
    this.#blocking = blocking;
  }

  /** Throws `screening_hit_not_found` when the id is not that of a hit. */
  async merchantOf(id: string): Promise<MerchantId> {
    return refOf(id).merchantId;
  }

  /** Nothing of it is opened. Throws `screening_hit_not_found`. */
  async find(tx: Transaction, id: string): Promise<Hit> {
    return (await findHit(tx, id)).hit;
  }

  /** `next` is undefined when the page is the last. Throws `merchant_not_found`. */
  async list(
    database: Queryable,
    { state, clientId, userId, after, limit }: HitQuery,
  ): Promise<{ hits: ListedHit[]; next: store.HitPlace | undefined }> {
    const merchantId = clientId === undefined ? undefined : (await getMerchant(database, clientId)).merchantId;
    const found = await store.listHits(database, { state, merchantId, userId }, after, limit + 1);
    const page = found.slice(0, limit);
    const hits = await listed(
      database,
      page.map(({ hit }) => hit),
    );
    return { hits, next: found.length > limit ? page.at(-1)?.place : undefined };
  }

  /** Each reading is audited. Throws `screening_hit_not_found`. */
  async look(tx: Transaction, by: By, id: string): Promise<HitFile> {
    const { hit, sealedExplanation, sealedNote } = await findHit(tx, id);
    const key = await this.#users.retainedKey(tx, hit.merchantId, hit.userId);
    const [shown] = await listed(tx, [hit]);
    if (!shown) throw hitNotFound();
    await auditHit(tx, by, hit, 'screening.hit_looked_at');
    return {
      ...shown,
      explanation: key && openExplanation(key, hit, sealedExplanation),
      note: key && sealedNote && openNote(key, hit, sealedNote),
    };
  }

  /** What a dismissal is about; undefined when the match is not strong. Throws `screening_hit_not_found`. */
  async reviewDismissal(tx: Transaction, id: string): Promise<ApprovalSubject | undefined> {
    const { hitId, merchantId } = refOf(id);
    const hit = await store.lockHitById(tx, merchantId, hitId);
    if (!hit) throw hitNotFound();
    return hit.isStrong ? { subject: recordOf(hit), version: versionOf(hit) } : undefined;
  }

  /**
   * The person is not the listed one. The hit does not come back until the entry or the person's data changes. Throws
   * `screening_hit_not_found`, and `screening_hit_decided` when someone else was faster.
   */
  async dismiss(tx: Transaction, by: By, id: string, note: string): Promise<HitFile> {
    const { hit } = await findHit(tx, id);
    await this.#decide(tx, by, hit, 'dismissed', note);
    return this.look(tx, by, id);
  }

  /**
   * The person is the listed one. In the same transaction the person's money is frozen, approved levels are revoked and
   * cases in review are rejected for good; what the person has at other accounts is frozen by a job. A deleted user has
   * no cases left, and may have money. Who is only politically exposed stays a customer, if management accepts it:
   * nothing is frozen, and until then no order goes on. Throws as `dismiss` does.
   */
  async confirm(tx: Transaction, by: By, id: string, note: string): Promise<HitFile> {
    const { hit } = await findHit(tx, id);
    const { merchantId, userId, hitId } = hit;
    // The order of the locks is that of every change of a case or an order: the user, the cases, the hit, the orders.
    await this.#users.lock(tx, merchantId, userId);
    const cases = await lockCasesOfUser(tx, merchantId, userId);
    const key = await this.#decide(tx, by, hit, 'confirmed', note);
    if (hit.kind === 'exposure') {
      await this.#rateRisk(tx, hit);
      return this.look(tx, by, id);
    }
    for (const kycCase of cases) {
      const move = (['revoke', 'reject'] as const).find((name) => statesAfter(kycCase, name));
      if (kycCase.isClosed || !move) continue;
      const internal = { reason: note, key };
      await transitionCase(tx, by, kycCase, move, {
        reasons: ['COMPLIANCE'],
        isFinal: move === 'reject',
        internal,
      });
    }
    await this.#moneyOf().block(tx, by, { merchantId, userId, hitId, note });
    tx.wake(freezePersons);
    return this.look(tx, by, id);
  }

  /** A confirmed hit, and what the operator wrote about it, as far as it can still be opened. */
  async confirmed(
    database: Queryable,
    { merchantId, hitId }: Pick<Hit, 'merchantId' | 'hitId'>,
  ): Promise<ConfirmedHit> {
    const found = await store.findSealedHit(database, merchantId, hitId);
    if (found?.hit.decidedBy === undefined) throw new Error(`the hit ${hitId} is not decided`);
    const key = await this.#users.retainedKey(database, merchantId, found.hit.userId);
    const note = key && found.sealedNote ? openNote(key, found.hit, found.sealedNote) : '';
    return { ...found.hit, decidedBy: found.hit.decidedBy, note };
  }

  /** Freezes what another account of the person has. Writes rows of that account's merchant only. */
  async freezeOther(tx: Transaction, hit: ConfirmedHit, { merchantId, userId }: Account): Promise<void> {
    const by: By = { actor: { kind: 'operator', operatorId: hit.decidedBy, role: 'reviewer' } };
    await this.#users.lock(tx, merchantId, userId);
    const note = `The hit ${hit.hitId} of the same person was confirmed. ${hit.note}`.trim();
    await this.#moneyOf().block(tx, by, { merchantId, userId, note });
  }

  #moneyOf(): Blocking {
    if (!this.#blocking) throw new Error('the rooms that have money are not registered');
    return this.#blocking;
  }

  async #decide(
    tx: Transaction,
    by: By,
    { merchantId, hitId, userId }: Hit,
    state: 'dismissed' | 'confirmed',
    note: string,
  ): Promise<Buffer> {
    const hit = await store.lockHitById(tx, merchantId, hitId);
    const key = await this.#users.retainedKey(tx, merchantId, userId);
    if (!hit) throw hitNotFound();
    if (!key || by.actor.kind !== 'operator') throw alreadyDecided(hit);
    const decidedBy = operatorOf(by);
    const decision = { state, decidedBy, sealedNote: sealNote(key, hit, state, note) };
    if (!(await store.saveDecision(tx, hit, decision))) throw alreadyDecided(hit);
    await auditHit(tx, by, hit, `screening.hit_${state}`, { fromState: hit.state, toState: state });
    return key;
  }
}

/** Names the merchants and the operators of hits. */
async function listed(database: Queryable, hits: readonly Hit[]): Promise<ListedHit[]> {
  if (hits.length === 0) return [];
  const clientIds = await clientIdsOf(
    database,
    hits.map(({ merchantId }) => merchantId),
  );
  const operators = await listOperators(database);
  const logins = new Map(operators.map(({ operatorId, login }) => [operatorId, login]));
  const loginOf = (id: OperatorId) => logins.get(id) ?? String(id);
  return hits.map((hit) => ({
    hit,
    clientId: clientIds.get(hit.merchantId) ?? '',
    decidedBy: hit.decidedBy && loginOf(hit.decidedBy),
  }));
}

/** The id of a hit names its merchant. */
function refOf(id: string) {
  const hitId = publicId('hit', id);
  const merchantId = hitId && merchantOfPublicId(hitId);
  if (!hitId || !merchantId) throw hitNotFound();
  return { hitId, merchantId };
}

async function findHit(database: Queryable, id: string): Promise<store.SealedHit> {
  const { hitId, merchantId } = refOf(id);
  const found = await store.findSealedHit(database, merchantId, hitId);
  if (!found) throw hitNotFound();
  return found;
}

function auditHit(
  tx: Transaction,
  by: By,
  hit: Hit,
  action: string,
  states: { readonly fromState?: string; readonly toState?: string } = {},
): Promise<void> {
  return recordChange(tx, by, { merchantId: hit.merchantId, action, subject: recordOf(hit), ...states });
}

function hitNotFound(): RemesaError {
  return new RemesaError('not_found', 'screening_hit_not_found', 'There is no such hit.');
}

function alreadyDecided({ state }: Hit): RemesaError {
  return new RemesaError('conflict', 'screening_hit_decided', `This hit was already ${state}.`, {
    members: { hitState: state },
  });
}
