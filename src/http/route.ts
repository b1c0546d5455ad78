/**
 * A route is one declaration. Validation, serialisation, authorisation, the OpenAPI document and the tests over all
 * routes follow from it. No other code knows the path.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { FieldFault, RemesaError } from '../errors.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, SealedQueryable, Transaction } from '../postgres/statement.js';
import type { Access, ByOf, CallerOf, OperatorAccess, PublicAccess, UserOf } from './access.js';
import type { JsonText, ListPage } from './answers/answer.js';
import type { StreamedAnswer } from './answers/stream.js';
import type { FourEyes } from './four-eyes.js';
import type { Idempotency, KeyDeclaration, Subject } from './key-declaration.js';
import type { PageAnswer, Posted, RunLive, ShowFailure, Upload, Visit } from './page.js';

export interface Call<A extends Access, Params, Query, Body> {
  readonly caller: CallerOf<A>;
  readonly by: ByOf<A>;
  readonly user: UserOf<A>;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /**
   * Returns a number of the body as it was written, by JSON pointer: `literal('/amountIn')`. Declare it in `literals`.
   */
  literal(pointer: string): string | undefined;
  readonly requestId: string;
  /** The network address of the caller. For IPv6 it is the /64, which belongs to one subscriber. */
  readonly address: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Described {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Describes the 200 in the API reference. */
  readonly returns?: string;
  /** The error codes that only this route answers. Those that every route may answer are added automatically. */
  readonly refusals?: readonly string[];
  /** Further codes, asked for once all routes are known: for a route that runs other routes. */
  readonly moreRefusals?: () => readonly string[];
  readonly hidden?: boolean;
  /** Absent: errors are problem documents. `oauth`: forms are accepted too, and errors are those of RFC 6749. */
  readonly protocol?: 'oauth';
  /** The media types that the body may have. Absent: application/json. */
  readonly bodyTypes?: readonly string[];
  /** Allows a larger body than usual. Only for routes with a token: the caller is known before the body is read. */
  readonly bodyBounds?: BodyBounds;
  /** The media type of the answer. Absent: application/json. */
  readonly answerType?: string;
  /** The media types of a stream that answers one of several. */
  readonly answerTypes?: readonly string[];
  readonly isAlsoPage?: boolean;
  /** Answers, by status, that are neither the 200 nor a problem document. */
  readonly otherAnswers?: Readonly<Record<number, OtherAnswer>>;
  /** Marks a file of the hosted pages, such as their style. It is counted with the pages. */
  readonly servesPages?: boolean;
  /** The request that we then send to the url in the body. */
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
  /** The answers that we expect, by status. */
  readonly answers: Readonly<Record<string, string>>;
}

/** A request that we send unasked: an entry of the `webhooks` section. */
export interface Webhook extends Callback {
  readonly name: string;
  readonly tag: string;
}

export interface OtherAnswer {
  readonly description: string;
  /** Absent: an empty body. */
  readonly schema?: TSchema;
}

/** Checks what a schema cannot express. It runs with the schema, so that the caller gets all faults at once. */
export type Inspect = (body: unknown) => readonly FieldFault[];

export interface Shapes {
  readonly inspect?: Inspect;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The numbers of the body that `call.literal` returns, by JSON pointer; `*` stands for every index or key. */
  readonly literals?: readonly string[];
  /** Absent: 200 with an empty body. */
  readonly answer?: TSchema;
}

export type Route = Described &
  Shapes & { readonly access: Access } & (
    | { readonly kind: 'read'; readonly run: (call: AnyCall, database: SealedQueryable) => Promise<unknown> }
    | { readonly kind: 'auditedRead'; readonly run: (call: AnyCall, tx: Transaction) => Promise<unknown> }
    | {
        readonly kind: 'command';
        readonly idempotency: Idempotency | undefined;
        readonly subject?: Subject<AnyCall>;
        readonly fourEyes?: FourEyes<AnyCall, unknown>;
        readonly prepare?: (call: AnyCall) => Promise<unknown>;
        readonly run: (call: AnyCall, tx: Transaction, prepared: unknown) => Promise<unknown>;
        readonly runKeyless?: (call: AnyCall) => Promise<unknown>;
        readonly asksPassword?: boolean;
        readonly afterCommit?: (call: AnyCall, database: Database, prepared: unknown) => Promise<void>;
        readonly onRefused?: (call: AnyCall, error: RemesaError, tx: Transaction) => Promise<void>;
      }
    | {
        readonly kind: 'stream';
        readonly look?: (call: AnyCall, tx: Transaction) => Promise<unknown>;
        readonly run: (call: AnyCall, database: Queryable, looked: unknown) => Promise<StreamedAnswer>;
      }
    | {
        readonly kind: 'upload';
        readonly run: (call: AnyCall & Upload) => Promise<unknown>;
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
    | { readonly kind: 'live'; readonly run: RunLive<AnyCall> }
    | { readonly kind: 'raw'; readonly run: (request: FastifyRequest, reply: FastifyReply) => unknown }
  );

export type CommandRoute = Extract<Route, { kind: 'command' }>;

// biome-ignore lint/suspicious/noExplicitAny: the declared types end here; `read` and `command` checked them.
export type AnyCall = Call<any, any, any, any>;

export type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;
// biome-ignore lint/suspicious/noConfusingVoidType: a verb without an answer returns nothing.
export type AnswerOf<Schema> = Schema extends TSchema ? Static<Schema> | JsonText : void;

/** The call of a route with these schemas. */
export type CallOf<A extends Access, P, Q = undefined, B = undefined> = Call<A, StaticOf<P>, StaticOf<Q>, StaticOf<B>>;

/** What `read`, `command` and the other functions take, besides what they run. */
export type Declared<A extends Access, P, Q, B, R> = Described & {
  readonly access: A;
  readonly inspect?: Inspect;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly literals?: readonly string[];
  readonly answer?: R;
};

/** Reads with single statements, without a transaction. May answer a `ListPage`. */
export function read<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Declared<A, P, Q, B, R> & {
    readonly run: (call: CallOf<A, P, Q, B>, database: SealedQueryable) => Promise<AnswerOf<R> | ListPage<AnswerOf<R>>>;
  },
): Route {
  return { ...declaration, kind: 'read' } as unknown as Route;
}

/**
 * Reads what the audit log must know of. The verb records who looked, in a transaction that is committed before the
 * answer. May answer a `ListPage`.
 */
export function auditedRead<
  const A extends OperatorAccess,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, R> & {
    readonly method: 'GET';
    readonly run: (call: CallOf<A, P, Q, undefined>, tx: Transaction) => Promise<AnswerOf<R> | ListPage<AnswerOf<R>>>;
  },
): Route {
  return { ...declaration, kind: 'auditedRead' } as unknown as Route;
}

/** Writes. The verb runs in the one transaction of the command runner. */
export function command<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  R extends TSchema | undefined = undefined,
  Prepared = undefined,
>(
  declaration: Declared<A, P, Q, B, R> & {
    readonly method: Exclude<Method, 'GET'>;
    /** Runs before the transaction, for slow work such as calls to other companies. A retry ignores its result. */
    readonly prepare?: (call: CallOf<A, P, Q, B>) => Promise<Prepared>;
    /** Runs instead of `run` when the call has no key: for a write that may be lost or done twice without harm. */
    readonly runKeyless?: (call: CallOf<A, P, Q, B>) => Promise<AnswerOf<R>>;
    readonly run: (call: CallOf<A, P, Q, B>, tx: Transaction, prepared: Prepared) => Promise<AnswerOf<R>>;
    /** The console asks for the password once more: it gives access, takes it away, or shows a secret. */
    readonly asksPassword?: boolean;
    /** Runs between the commit and the answer, also for a retry: for effects that the answer promises. */
    readonly afterCommit?: (call: CallOf<A, P, Q, B>, database: Database, prepared: Prepared) => Promise<void>;
    /** Records a refused attempt, in a transaction of its own after the first one was rolled back. */
    readonly onRefused?: (call: CallOf<A, P, Q, B>, error: RemesaError, tx: Transaction) => Promise<void>;
  } & KeyDeclaration<A, CallOf<A, P, Q, B>, StaticOf<R>>,
): Route {
  const { method, access } = declaration;
  const takesKey = method !== 'DELETE' && access.token !== 'none';
  const idempotency = takesKey ? (declaration.idempotency ?? { keepForHours: 24 }) : false;
  return { ...declaration, kind: 'command', idempotency: idempotency || undefined } as unknown as Route;
}

/** Reads more than fits into memory, and answers it in chunks. */
export function stream<
  const A extends Access,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
>(
  declaration: Declared<A, P, Q, undefined, TSchema> & {
    readonly run: (call: CallOf<A, P, Q>, database: Queryable) => Promise<StreamedAnswer>;
  },
): Route {
  return { ...declaration, kind: 'stream' } as unknown as Route;
}

/**
 * Streams what the audit log must know of. `look` records who looked, and is committed before the first byte is sent.
 */
export function auditedStream<
  const A extends OperatorAccess,
  P extends TObject | undefined = undefined,
  Looked = never,
>(
  declaration: Declared<A, P, undefined, undefined, TSchema> & {
    readonly method: 'GET';
    readonly look: (call: Call<A, StaticOf<P>, undefined, undefined>, tx: Transaction) => Promise<Looked>;
    readonly run: (
      call: Call<A, StaticOf<P>, undefined, undefined>,
      database: Queryable,
      looked: Looked,
    ) => Promise<StreamedAnswer>;
  },
): Route {
  return { ...declaration, kind: 'stream' } as unknown as Route;
}

/** True when each request is recorded in the audit log. */
export function isAudited(route: Route): boolean {
  return route.kind === 'auditedRead' || (route.kind === 'stream' && route.look !== undefined);
}

/** A form with files, for the API reference: one file, in the field `file`. */
const FileForm = Type.Object(
  { file: Type.String({ contentMediaType: 'application/octet-stream', description: 'The file.' }) },
  { title: 'FileForm', examples: [{ file: 'the bytes of the file' }] },
);

/**
 * Receives files as `multipart/form-data`, while they arrive. It takes no key: the verb decides what a repetition does.
 */
export function upload<
  const A extends Access,
  P extends TObject | undefined = undefined,
  R extends TSchema | undefined = undefined,
>(
  declaration: Declared<A, P, undefined, undefined, R> & {
    readonly run: (call: CallOf<A, P> & Upload) => Promise<AnswerOf<R>>;
  },
): Route {
  const form = { body: FileForm, bodyTypes: ['multipart/form-data'] };
  return { ...declaration, ...form, kind: 'upload' } as unknown as Route;
}

/** Answers without the edge's checks: probes, tokens, files that never change. It never writes. */
export function raw(
  declaration: Described &
    Shapes & { access: PublicAccess; run: (request: FastifyRequest, reply: FastifyReply) => unknown },
): Route {
  return { ...declaration, kind: 'raw' };
}
