/** Declares routes that answer HTML: pages for people, and documents that a program shows to its user. */
import type { TObject, TSchema } from 'typebox';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { MerchantAccess, OperatorAccess, PublicAccess } from './access.js';
import type { HtmlPage } from './answers/answer.js';
import type { PageAnswer, Posted, RunLive, ShowFailure, Visit } from './page.js';
import type { AnswerOf, CallOf, Declared, Described, Route } from './route.js';

type PageAccess = PublicAccess | OperatorAccess;
type DeclaredPage<A extends PageAccess, P> = Described & {
  readonly access: A;
  readonly params?: P;
  readonly showFailure: ShowFailure;
};

/** Answers HTML to a person, also when it fails. It never writes. */
export function page<const A extends PageAccess, P extends TObject | undefined = undefined>(
  declaration: DeclaredPage<A, P> & {
    readonly method: 'GET';
    readonly run: (call: CallOf<A, P> & Visit, database: Queryable) => Promise<PageAnswer>;
  },
): Route {
  return { ...declaration, kind: 'page' } as unknown as Route;
}

/**
 * Tells the script of a page what happens, by server-sent events. Undefined: there is nothing to follow, and the script
 * must not ask again.
 */
export function live<P extends TObject | undefined = undefined>(
  declaration: Described & {
    readonly access: PublicAccess;
    readonly params?: P;
    readonly method: 'GET';
    readonly run: RunLive<CallOf<PublicAccess, P>>;
  },
): Route {
  return { ...declaration, kind: 'live' } as unknown as Route;
}

/**
 * Accepts the form of a page, with or without files. A public form proves its right by a token in its address or
 * fields.
 */
export function post<const A extends PageAccess, P extends TObject | undefined = undefined>(
  declaration: DeclaredPage<A, P> & {
    readonly method: 'POST';
    readonly run: (call: CallOf<A, P> & Posted, database: Queryable) => Promise<PageAnswer>;
  },
): Route {
  return { ...declaration, kind: 'page' } as unknown as Route;
}

/**
 * Answers HTML to a program that shows it to its user. Token, fields and errors are those of any call; HEAD does
 * nothing.
 */
export function document<
  const A extends MerchantAccess,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, TSchema> & {
    readonly method: 'GET';
    readonly run: (call: CallOf<A, P, Q> & Visit, tx: Transaction) => Promise<PageAnswer>;
  },
): Route {
  return { answerType: 'text/html', ...declaration, kind: 'document' } as unknown as Route;
}

/**
 * Reads as `read` does, and answers JSON, or an `HtmlPage` to a caller who prefers one. Errors are those of any call.
 */
export function readOrPage<
  const A extends MerchantAccess,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, R> & {
    readonly method: 'GET';
    readonly run: (call: CallOf<A, P, Q> & Visit, database: Queryable) => Promise<AnswerOf<R> | HtmlPage>;
  },
): Route {
  return { ...declaration, kind: 'read', isAlsoPage: true } as unknown as Route;
}
