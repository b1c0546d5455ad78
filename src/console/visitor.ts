/** Who looks at a page, and whether a form may be accepted from there. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OperatorCaller } from '../caller.js';
import type { OperatorRequest } from '../http/inside/operator-calls.js';
import type { Visit } from '../http/page.js';
import type { AnyCall } from '../http/route.js';
import { bindingOf, open, seal } from '../keys/sealing.js';
import { callerOf, type OperatorSessions } from '../operators/sessions/service.js';
import type { Session } from '../operators/sessions/session.js';
import type { Queryable } from '../postgres/statement.js';
import type { SessionCookie } from './cookie.js';
import { formRefused } from './refusals.js';
import { asksInAdvance, isSameOrigin } from './same-origin.js';

export interface Visitor {
  readonly session: Session;
  readonly caller: OperatorCaller;
  /** Of the cookie. */
  readonly secret: string;
  /** Proves that a form comes from a page of this session. */
  readonly formToken: string;
  readonly requestId: string;
  readonly address: string;
  /** The browser fetches the page before anybody wants to see it. */
  readonly isPrefetch: boolean;
}

export interface VisitorOptions {
  readonly sessions: OperatorSessions;
  readonly cookie: SessionCookie;
  readonly publicUrl: () => string;
}

export class Visitors {
  constructor(readonly options: VisitorOptions) {}

  /** Undefined for a browser that is not signed in. */
  async find(visit: AnyCall & Visit, database: Queryable): Promise<Visitor | undefined> {
    const { sessions, cookie } = this.options;
    const secret = cookie.read(visit.headers.cookie);
    const session = secret === undefined ? undefined : await sessions.find(database, secret);
    if (!session || secret === undefined) return undefined;
    const { requestId, address } = visit;
    const isPrefetch = asksInAdvance(visit.headers);
    const caller = callerOf(session);
    return { session, caller, secret, formToken: formTokenOf(secret), requestId, address, isPrefetch };
  }

  /** Throws `form_refused` for a form that another site has sent. */
  refuseOtherOrigins({ headers }: Visit): void {
    if (!isSameOrigin(headers, this.options.publicUrl(), this.options.cookie.isSecure)) throw formRefused();
  }
}

/** Throws `form_refused` for a form that was not made for this session. */
export function checkFormToken({ formToken }: Visitor, fields: ReadonlyMap<string, string>): void {
  const [expected, sent] = [Buffer.from(formToken), Buffer.from(fields.get('formToken') ?? '')];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) throw formRefused();
}

/** A request of the signed-in operator to a route. */
export function requestOf(
  { caller, requestId, address, isPrefetch }: Visitor,
  more: Omit<OperatorRequest, 'caller' | 'requestId' | 'address' | 'isPrefetch'> = {},
): OperatorRequest {
  return { caller, requestId, address, isPrefetch, ...more };
}

/** What a form has done. */
export interface Done {
  /** The command. */
  readonly done: string;
  /** Which of several forms of the command it was. */
  readonly as?: string;
  /** The request that waits for a second person. */
  readonly asked?: string;
  /** The page of the record, when another one opened instead. */
  readonly before?: string;
}

/** Proves that this session did something there: a link of somebody else cannot say so. */
export function proofOf({ secret }: Pick<Visitor, 'secret'>, address: string, facts: Done): string {
  const [path = ''] = address.split('?', 1);
  const { done, as = '', asked = '', before = '' } = facts;
  return createHmac('sha256', secret)
    .update(JSON.stringify(['done', path, done, as, asked, before]))
    .digest('base64url')
    .slice(0, 22);
}

/** What was searched for, readable in this session only. */
export function sealSearch({ secret }: Pick<Visitor, 'secret'>, asked: string): string {
  return seal(searchKey(secret), Buffer.from(asked), searchBinding).toString('base64url');
}

/** Undefined for what another session has sealed. */
export function openSearch({ secret }: Pick<Visitor, 'secret'>, sealed: string): string | undefined {
  try {
    return open(searchKey(secret), Buffer.from(sealed, 'base64url'), searchBinding).toString();
  } catch {
    return undefined;
  }
}

const searchBinding = bindingOf('console', 'search');

function searchKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('search of the console').digest();
}

function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form of the console').digest('base64url');
}
