/**
 * A route is one declaration. Validation, serialisation, authorisation, the OpenAPI document and the tests over all
 * routes follow from it; nothing else knows of the path.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { FieldFault, RemesaError } from '../errors.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type {
  Access,
  ByOf,
  CallerOf,
  MerchantAccess,
  OperatorAccess,
  PublicAccess,
  UserOf,
} from './access.js';
import type { JsonText, ListPage } from './answer.js';
import type { PageAnswer, Posted, ShowFailure, Visit } from './page.js';
import type { StreamedAnswer } from './stream.js';

export interface Call<A extends Access, Params, Query, Body> {
  readonly caller: CallerOf<A>;
  readonly by: ByOf<A>;
  readonly user: UserOf<A>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** A number of the body as it was written, by JSON pointer: `literal('/amountIn')`. The route declares it in `literals`. */
  literal(pointer: string): string | undefined;
  readonly requestId: string;
  /** The network address that the call came from; of IPv6 the /64, which is what one subscriber has. */
  readonly address: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

interface Described {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What the 200 holds, as a sentence of the API reference. */
  readonly returns?: string;
  /** The codes of the refusals that are this route's own; those of every route are added by themselves. */
  readonly refusals?: readonly string[];
  readonly hidden?: boolean;
  /** Absent: problem documents. `oauth`: forms are taken too, and errors are those of RFC 6749. */
  readonly dialect?: 'oauth';
  /** The media types that the body may have. Absent: application/json. */
  readonly bodyTypes?: readonly string[];
  /** Where a body may be larger than elsewhere: only behind a token, for the caller is known before the body is read. */
  readonly bodyBounds?: BodyBounds;
  /** The media type of the answer. Absent: application/json. */
  readonly answerType?: string;
  /** Of a stream that answers one of several. */
  readonly answerTypes?: readonly string[];
  /** Answers, by status, that are neither the 200 nor a problem document. */
  readonly otherAnswers?: Readonly<Record<number, OtherAnswer>>;
  /** A part of the hosted pages that is no page itself, such as their style: counted with them. */
  readonly servesPages?: boolean;
  /** What we then send to the url that the body named. */
  readonly callback?: Callback;
}

export interface BodyBounds {
  readonly bytes: number;
  readonly fields: number;
}

export interface Callback {
  readonly summary: string;
  readonly description: string;
  readonly headers: TObject;
  readonly body: TSchema;
  /** What may be answered, by status. */
  readonly answers: Readonly<Record<string, string>>;
}

/** What we send by ourselves: an entry of the `webhooks` section. */
export interface Webhook extends Callback {
  readonly name: string;
  readonly tag: string;
}

export interface OtherAnswer {
  readonly description: string;
  /** Absent: an empty body. */
  readonly schema?: TSchema;
}

/** What a schema can't say of a body; asked along with it, so that all faults are told at once. */
export type Inspect = (body: unknown) => readonly FieldFault[];

export interface Shapes {
  readonly inspect?: Inspect;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The numbers of the body that are read as they were written, by JSON pointer; `*` stands for every index or key. */
  readonly literals?: readonly string[];
  /** Absent: 200 with an empty body. */
  readonly answer?: TSchema;
}

/** Which answers of a command are kept for repeated keys, and how long. */
export interface Idempotency {
  readonly keepForHours: number;
  /** The answer holds a secret, so it is kept sealed. */
  readonly isSecret?: boolean;
}

export type Route = Described &
  Shapes & { readonly access: Access } & (
    | { readonly kind: 'read'; readonly run: (call: AnyCall, database: Queryable) => Promise<unknown> }
    | {
        readonly kind: 'command';
        readonly idempotency: Idempotency | undefined;
        readonly prepare?: (call: AnyCall) => Promise<unknown>;
        readonly run: (call: AnyCall, tx: Transaction, prepared: unknown) => Promise<unknown>;
        readonly runKeyless?: (call: AnyCall) => Promise<unknown>;
        readonly afterCommit?: (call: AnyCall, database: Database) => Promise<void>;
        readonly onRefused?: (call: AnyCall, error: RemesaError, tx: Transaction) => Promise<void>;
      }
    | {
        readonly kind: 'stream';
        readonly run: (call: AnyCall, database: Queryable) => Promise<StreamedAnswer>;
      }
    | {
        readonly kind: 'page';
        readonly showFailure: ShowFailure;
        readonly run: (call: AnyCall & (Visit | Posted), database: Queryable) => Promise<PageAnswer>;
      }
    | {
        readonly kind: 'document';
        readonly run: (call: AnyCall & Visit, tx: Transaction) => Promise<PageAnswer>;
      }
    | { readonly kind: 'raw'; readonly run: (request: FastifyRequest, reply: FastifyReply) => unknown }
  );

// biome-ignore lint/suspicious/noExplicitAny: the declared types end here; `read` and `command` checked them.
type AnyCall = Call<any, any, any, any>;

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
type AnswerOf<Schema> = Schema extends TSchema ? Static<Schema> | JsonText : undefined;

type Declared<A extends Access, P, Q, B, R> = Described & {
  readonly access: A;
  readonly inspect?: Inspect;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly literals?: readonly string[];
  readonly answer?: R;
};

/** Reads only: one or more single statements, no transaction. */
export function read<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Declared<A, P, Q, B, R> & {
    readonly run: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>,
      database: Queryable,
    ) => Promise<AnswerOf<R> | ListPage<AnswerOf<R>>>;
  },
): Route {
  return { ...declaration, kind: 'read' } as unknown as Route;
}

/** Writes: the verb runs in the command runner's one transaction. */
export function command<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
  Prepared = undefined,
>(
  declaration: Declared<A, P, Q, B, R> & {
    /** What must be asked of the outside first: the transaction does not wait for it. A repeated key ignores its answer. */
    readonly prepare?: (call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>) => Promise<Prepared>;
    /** Left out: 24 hours for a merchant's POST and PATCH, no key for an operator's. `false`: the route takes no key. */
    readonly idempotency?: Idempotency | false;
    /** Without a key: for a write that is harmless when it is done without an answer, and that shares its statement. */
    readonly runKeyless?: (call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>) => Promise<AnswerOf<R>>;
    readonly run: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>,
      tx: Transaction,
      prepared: Prepared,
    ) => Promise<AnswerOf<R>>;
    /** What the answer promises beyond the commit, which it waits for; also when the answer is that of a repeated key. */
    readonly afterCommit?: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>,
      database: Database,
    ) => Promise<void>;
    /** What must be recorded of an attempt that came to nothing: in a transaction of its own, after the other is undone. */
    readonly onRefused?: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>,
      error: RemesaError,
      tx: Transaction,
    ) => Promise<void>;
  },
): Route {
  const { method, access } = declaration;
  const takesKey = (method === 'POST' || method === 'PATCH') && access.token !== 'none';
  const usual = access.token === 'operator' ? false : { keepForHours: 24 };
  const idempotency = takesKey ? (declaration.idempotency ?? usual) : false;
  return { ...declaration, kind: 'command', idempotency: idempotency || undefined } as unknown as Route;
}

/** Reads more than fits into memory, and answers it piece by piece. */
export function stream<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, TSchema> & {
    readonly run: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, undefined>,
      database: Queryable,
    ) => Promise<StreamedAnswer>;
  },
): Route {
  return { ...declaration, kind: 'stream' } as unknown as Route;
}

type PageAccess = PublicAccess | OperatorAccess;
type PageCall<A extends PageAccess, P> = Call<A, StaticOf<P>, undefined, undefined>;
type DeclaredPage<A extends PageAccess, P> = Described & {
  readonly access: A;
  readonly params?: P;
  readonly showFailure: ShowFailure;
};

/** Shows something to a person: HTML, and also when it fails. Looking never writes. */
export function page<const A extends PageAccess, P extends TObject | undefined = undefined>(
  declaration: DeclaredPage<A, P> & {
    readonly method: 'GET';
    readonly run: (call: PageCall<A, P> & Visit, database: Queryable) => Promise<PageAnswer>;
  },
): Route {
  return { ...declaration, kind: 'page' } as unknown as Route;
}

/** Takes the form of a page, with or without files. Whoever may post says so by what the address or the form holds. */
export function post<const A extends PageAccess, P extends TObject | undefined = undefined>(
  declaration: DeclaredPage<A, P> & {
    readonly method: 'POST';
    readonly run: (call: PageCall<A, P> & Posted, database: Queryable) => Promise<PageAnswer>;
  },
): Route {
  return { ...declaration, kind: 'page' } as unknown as Route;
}

/** HTML for a program that hands it on: token, fields and errors as for any other call; HEAD does nothing. */
export function document<
  const A extends MerchantAccess,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, TSchema> & {
    readonly method: 'GET';
    readonly run: (
      call: Call<A, StaticOf<P>, StaticOf<Q>, undefined> & Visit,
      tx: Transaction,
    ) => Promise<PageAnswer>;
  },
): Route {
  return { answerType: 'text/html', ...declaration, kind: 'document' } as unknown as Route;
}

/** Answers by itself: streams, probes, what never changes. Never a write. */
export function raw(
  declaration: Described &
    Shapes & { access: PublicAccess; run: (request: FastifyRequest, reply: FastifyReply) => unknown },
): Route {
  return { ...declaration, kind: 'raw' };
}
