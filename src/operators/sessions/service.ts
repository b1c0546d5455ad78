/** The sessions of operators in the console: begin, find, end. Their secrets are in cookies; we keep hashes. */
import { createHash } from 'node:crypto';
import type { By, OperatorActor, OperatorCaller } from '../../caller.js';
import { recordChange } from '../../changes/service.js';
import { RemesaError } from '../../errors.js';
import { instanceTenant, type OperatorId } from '../../ids.js';
import type { Queryable, Transaction } from '../../postgres/statement.js';
import { freshBytes } from '../../random.js';
import type { Operator } from '../operator.js';
import type { SecondFactors } from '../second-factor/second-factors.js';
import { changedMeanwhile, recordLogin, recordWrongCode } from '../service.js';
import {
  type Browser,
  codeWithinMinutes,
  idleMinutes,
  type ListedSession,
  longestHours,
  type Session,
} from './session.js';
import * as store from './session-store.js';

export interface NewSession {
  /** For the cookie. */
  readonly secret: string;
  /** The password was right; the session opens nothing before the code of the app. */
  readonly awaitsCode: boolean;
}

export class OperatorSessions {
  constructor(readonly secondFactors: SecondFactors) {}

  /** The password was right. Throws `unauthorized` when the operator has changed since it was checked. */
  async begin(
    tx: Transaction,
    requestId: string,
    operator: Omit<Operator, 'version'> & { readonly version: string | undefined },
    browser: Browser,
  ): Promise<NewSession> {
    const awaitsCode = operator.hasSecondFactor;
    const secret = await addSession(tx, operator, browser, awaitsCode);
    if (!awaitsCode) await recordLogin(tx, { actor: actorOf(operator), requestId }, operator);
    return { secret, awaitsCode };
  }

  /**
   * Replaces a session that waits for its code by one that is open. Undefined when it has ended: the password must be
   * entered again. Throws `invalid_fields` for a wrong code, and `rate_limited` after too many.
   */
  async enterCode(
    tx: Transaction,
    requestId: string,
    sent: { readonly secret: string; readonly code: string },
    browser: Browser,
  ): Promise<NewSession | undefined> {
    const waiting = await store.findBySecret(tx, hashOf(sent.secret), codeWithinMinutes);
    if (!waiting?.awaitsCode) return undefined;
    await this.secondFactors.check(tx, waiting.operatorId, sent.code);
    await store.removeBySecret(tx, hashOf(sent.secret));
    const secret = await addSession(tx, waiting, browser, false);
    await recordLogin(tx, { actor: actorOf(waiting), requestId }, waiting);
    return { secret, awaitsCode: false };
  }

  /** Whose code was wrong, after the attempt was rolled back. */
  async noteWrongCode(
    tx: Transaction,
    secret: string,
    attempt: { readonly address: string; readonly requestId: string },
  ): Promise<void> {
    const waiting = await store.findBySecret(tx, hashOf(secret), codeWithinMinutes);
    if (waiting) await recordWrongCode(tx, waiting.login, attempt);
  }

  /** Undefined for a session that has ended, or still waits for its code. */
  async find(database: Queryable, secret: string): Promise<Session | undefined> {
    const found = await store.findBySecret(database, hashOf(secret), idleMinutes);
    if (!found || found.awaitsCode) return undefined;
    if (found.isUnseen) await store.noteSeen(database, found.sessionId);
    return found;
  }

  list(database: Queryable, operatorId: OperatorId): Promise<ListedSession[]> {
    return store.listSessions(database, operatorId, idleMinutes);
  }

  /** Signs this browser out. */
  async end(tx: Transaction, by: By, secret: string): Promise<void> {
    const operatorId = await store.removeBySecret(tx, hashOf(secret));
    if (operatorId !== undefined) await recordEnd(tx, by, operatorId);
  }

  /** Signs another browser of the same operator out. Throws `session_not_found`. */
  async endOther(tx: Transaction, by: By, operatorId: OperatorId, sessionId: bigint): Promise<void> {
    if (!(await store.removeSession(tx, operatorId, sessionId))) {
      throw new RemesaError('not_found', 'session_not_found', 'This session has ended already.');
    }
    await recordEnd(tx, by, operatorId);
  }

  /** Signs all other browsers of the operator out. */
  async endAllOthers(tx: Transaction, by: By, session: Session): Promise<void> {
    await store.removeOthers(tx, session.operatorId, session.sessionId);
    await recordEnd(tx, by, session.operatorId);
  }

  async forgetEnded(database: Queryable): Promise<void> {
    await store.removeOld(database, idleMinutes);
  }
}

/** The caller of the commands that the operator gives in this session. */
export function callerOf({ sessionId, operatorId, role, expiresAt }: Session): OperatorCaller {
  const token = { tokenId: `session:${sessionId}`, expiresAt: Math.floor(expiresAt.getTime() / 1000) };
  return { kind: 'operator', operatorId, role, token };
}

function actorOf({ operatorId, role }: Pick<Operator, 'operatorId' | 'role'>): OperatorActor {
  return { kind: 'operator', operatorId, role };
}

async function addSession(
  tx: Transaction,
  { operatorId, version }: Pick<Operator, 'operatorId'> & { readonly version: string | undefined },
  { address, name }: Browser,
  awaitsCode: boolean,
): Promise<string> {
  const secret = freshBytes(32).toString('base64url');
  const minutes = awaitsCode ? codeWithinMinutes : longestHours * 60;
  const browser = name.slice(0, 200);
  const session = { secretHash: hashOf(secret), operatorId, version, awaitsCode, address, browser, minutes };
  if (!(await store.addSession(tx, session))) throw changedMeanwhile();
  return secret;
}

/** A plain hash is enough for 256 random bits. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function recordEnd(tx: Transaction, by: By, operatorId: OperatorId): Promise<void> {
  const subject = `operator:${operatorId}`;
  return recordChange(tx, by, { merchantId: instanceTenant, action: 'operator.session_ended', subject });
}
