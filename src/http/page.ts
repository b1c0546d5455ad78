/**
 * Pages for people: HTML with header fields of its own, forms instead of JSON, and failures that are pages as well.
 * A page that is looked at writes nothing; a form that is posted writes in one transaction, repeated like a command's.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { Form, TakeFile } from './body/form.js';
import { acceptForms, readForm } from './body/form-body.js';
import { runChange } from './command.js';
import { asRemesaError, statusOfKind } from './problem.js';

export interface PageAnswer {
  /** Absent: 200. */
  readonly status?: number;
  /** Absent: an empty body, as in a redirect. */
  readonly html?: string;
  /** For the script of a page, which asked for JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a page may know of the one who looks at it. */
export interface Visit {
  /** The address without its query. */
  readonly path: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly acceptLanguage: string | undefined;
  /** A script of ours asks, which shows the answer by itself. */
  readonly wantsJson: boolean;
}

export interface Posted extends Visit {
  readonly database: Queryable;
  readForm<Taken>(takeFile: TakeFile<Taken>): Promise<Form<Taken>>;
  /** To be called when the answer only waits: the request then occupies no working slot. */
  releaseSlot(): void;
  /** Once for each post; what it answers is to be shown, what it throws has changed nothing. */
  change<Result>(verb: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export interface Failure extends Visit {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
}

export type ShowFailure = (failure: Failure) => PageAnswer;

export function visitOf(request: FastifyRequest): Visit {
  const [path = ''] = request.url.split('?', 1);
  return {
    path,
    search: request.query as Record<string, unknown>,
    acceptLanguage: request.headers['accept-language'],
    wantsJson: request.headers.accept === 'application/json',
  };
}

export function postedOf(request: FastifyRequest, database: Database): Posted {
  return {
    ...visitOf(request),
    database,
    readForm: (takeFile) => readForm(request, takeFile),
    releaseSlot: () => request.slot?.giveBack(),
    change: (verb) => runChange(database, verb),
  };
}

export function sendPage(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  reply.code(answer.status ?? 200).headers(answer.headers ?? {});
  if (answer.json !== undefined) return reply.send(answer.json);
  if (answer.html === undefined) return reply.send();
  return reply.header('content-type', 'text/html; charset=utf-8').send(answer.html);
}

/** For a part of the server that holds nothing but pages with this way to show a failure. */
export function servePages(server: FastifyInstance, log: Log, showFailure: ShowFailure): void {
  acceptForms(server);
  server.setErrorHandler((error, request, reply) => {
    const known = asRemesaError(error);
    const isCallerGone = error === request.raw.errored || request.raw.destroyed;
    if (!known && !isCallerGone)
      log.error({ requestId: request.id, route: request.routeOptions.url, err: error }, 'unforeseen error');
    const retryAfterSeconds = known?.details.retryAfterSeconds;
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
    const failure = {
      ...visitOf(request),
      status: known ? statusOfKind[known.kind] : 500,
      code: known?.code ?? 'internal_error',
      requestId: request.id,
    };
    sendPage(reply, { ...showFailure(failure), status: failure.status });
  });
}
