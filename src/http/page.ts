/**
 * Pages for people: HTML with its own headers, forms instead of JSON, and failures that are pages as well. GET writes
 * nothing; a submitted form writes in one transaction, which is retried like that of a command.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Database } from '../postgres/database.js';
import type { Queryable, Transaction } from '../postgres/statement.js';
import type { StreamedAnswer } from './answers/stream.js';
import type { Form, ReceiveFile } from './body/form.js';
import { readForm } from './body/form-body.js';
import { runChange } from './commands/command.js';
import { asRemesaError, statusOfKind } from './problems/problem.js';
import type { LiveFeed } from './traffic/live-answers.js';

export interface PageAnswer {
  /** Absent: 200. */
  readonly status?: number;
  /** Absent: an empty body, as in a redirect. */
  readonly html?: string;
  /** The answer to the script of a page, which asked for JSON. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A download instead of a page; it has its own headers. */
  readonly stream?: StreamedAnswer;
}

/** What a page knows about its request. */
export interface Visit {
  readonly headers: IncomingHttpHeaders;
  /** The address without its query. */
  readonly path: string;
  readonly search: Readonly<Record<string, unknown>>;
  readonly acceptLanguage: string | undefined;
  /** The script of a page sent the request, and shows the answer itself. */
  readonly wantsJson: boolean;
  /** The caller accepts HTML, and likes it better than JSON. */
  readonly prefersHtml: boolean;
}

/** A script that follows a page. */
export interface LiveVisit {
  /** The last event that the browser saw, also on a former connection. */
  readonly lastEventId: string | undefined;
}

/** Undefined: there is nothing to follow. */
export type RunLive<Call> = (call: Call & LiveVisit, database: Queryable) => Promise<LiveFeed | undefined>;

export interface Upload {
  readonly database: Queryable;
  readForm<Received>(receiveFile: ReceiveFile<Received>): Promise<Form<Received>>;
  /** Runs the verb in a transaction. When it throws, nothing was changed. */
  change<Result>(verb: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

export interface Posted extends Visit, Upload {
  /** Call it when only waiting is left: the request then occupies no working slot. */
  releaseSlot(): void;
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
    headers: request.headers,
    path,
    search: request.query as Record<string, unknown>,
    acceptLanguage: request.headers['accept-language'],
    wantsJson: request.headers.accept === 'application/json',
    prefersHtml: prefersHtml(request.headers.accept),
  };
}

/** No browser sends so long a list, and ranking thousands of types takes noticeable time. */
const longestWish = 1000;

function prefersHtml(accept = '*/*'): boolean {
  const negotiator = new Negotiator({ headers: { accept: accept.slice(0, longestWish) } });
  return negotiator.mediaType(['application/json', 'text/html']) === 'text/html';
}

export function postedOf(request: FastifyRequest, database: Database): Posted {
  return {
    ...visitOf(request),
    database,
    readForm: (receiveFile) => readForm(request, receiveFile),
    releaseSlot: () => request.slot?.release(),
    change: (verb) => runChange(database, verb),
  };
}

export function sendPage(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  reply.code(answer.status ?? 200).headers(answer.headers ?? {});
  if (answer.json !== undefined) return reply.send(answer.json);
  if (answer.html === undefined) return reply.send();
  return reply.header('content-type', 'text/html; charset=utf-8').send(answer.html);
}

export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  showFailure: ShowFailure,
): void {
  const known = asRemesaError(error);
  const retryAfterSeconds = known?.details.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
  const failure = {
    ...visitOf(request),
    status: known ? statusOfKind[known.kind] : 500,
    code: known?.code ?? 'internal_error',
    requestId: request.id,
  };
  sendPage(reply, { ...showFailure(failure), status: failure.status });
}
