/**
 * Calls the routes of operators from inside of the process, for pages: the same role, fields, transaction, keys, second
 * person and record of readings as over HTTP. Nothing else of the edge applies, such as tokens and limits of requests.
 */
import type { OperatorCaller } from '../../caller.js';
import { RemesaError } from '../../errors.js';
import { ListPage } from '../answers/answer.js';
import { encoderOf } from '../answers/encoder.js';
import type { StreamedAnswer } from '../answers/stream.js';
import { refusalOf } from '../authenticator.js';
import { parseJsonBody } from '../body/json-body.js';
import { literalPointers } from '../body/literal-pointers.js';
import { runChange } from '../commands/command.js';
import { type CommandContext, commandServer } from '../commands/serve-command.js';
import { fieldReader } from '../fields.js';
import { type AnyCall, type CommandRoute, isAudited, type Route } from '../route.js';

export interface OperatorRequest {
  readonly caller: OperatorCaller;
  readonly requestId: string;
  readonly address: string;
  /** A browser asks before anybody wants to see it: what the log must know of is then not read. */
  readonly isPrefetch: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The body as JSON text, so that amounts are read as they were written. */
  readonly body?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Why the operator asks, for the second person. */
  readonly note?: string | undefined;
}

export interface OperatorAnswer {
  /** 202: it waits for a second person. */
  readonly status: 200 | 202;
  /** Undefined for an empty body. */
  readonly value: unknown;
  /** The query of the next page of a list. */
  readonly next?: URLSearchParams | undefined;
}

export class OperatorCalls {
  readonly #context: CommandContext;
  readonly #byOperationId: ReadonlyMap<string, Route>;

  constructor(
    context: CommandContext,
    readonly routes: readonly Route[],
  ) {
    this.#context = context;
    this.#byOperationId = new Map(routes.map((route) => [route.operationId, route]));
  }

  find(operationId: string): Route | undefined {
    return this.#byOperationId.get(operationId);
  }

  /** Throws what the route throws, `role_missing`, `invalid_fields` and `prefetch_refused`. */
  async read(route: Route, request: OperatorRequest): Promise<OperatorAnswer> {
    refusePrefetch(route, request);
    const call = callOf(route, request);
    const answer = await this.#answerOf(route, call);
    const encode = encoderOf(route);
    if (!(answer instanceof ListPage)) return { status: 200, value: parsed(encode(answer)) };
    const next = answer.next === undefined ? undefined : new URLSearchParams(answer.next.split('?')[1]);
    return { status: 200, value: parsed(encode(answer.items)), next };
  }

  /** Throws as `read` does. A download that the log must know of is recorded before it begins. */
  async stream(route: Route, request: OperatorRequest): Promise<StreamedAnswer> {
    if (route.kind !== 'stream') throw new Error(`${route.operationId} is no stream`);
    refusePrefetch(route, request);
    const { look, run } = route;
    const { database } = this.#context;
    const call = callOf(route, request);
    const looked = look && (await database.transaction((tx) => look(call, tx)));
    return run(call, database.bulk, looked);
  }

  /** Throws as `read` does, and what the command runner throws. */
  async run(route: CommandRoute, request: OperatorRequest): Promise<OperatorAnswer> {
    if (request.isPrefetch) throw prefetchRefused();
    const call = callOf(route, request);
    const serve = commandServer(this.#context, route, encoderOf(route));
    const { status, body } = await serve({ request: sentRequest(route, request), call });
    return { status: status as 200 | 202, value: parsed(body) };
  }

  #answerOf(route: Route, call: AnyCall): Promise<unknown> {
    if (route.kind === 'read') return route.run(call, this.#context.database);
    if (route.kind === 'auditedRead') return runChange(this.#context.database, (tx) => route.run(call, tx));
    throw new Error(`${route.operationId} cannot be read`);
  }
}

function refusePrefetch(route: Route, { isPrefetch }: OperatorRequest): void {
  if (isPrefetch && isAudited(route)) throw prefetchRefused();
}

export function prefetchRefused(): RemesaError {
  return new RemesaError('unavailable', 'prefetch_refused', 'Each reading of this page is recorded.');
}

function callOf(route: Route, { caller, requestId, address, params, query, body }: OperatorRequest): AnyCall {
  const refusal = refusalOf(caller, route);
  if (route.access.token !== 'operator' || refusal)
    throw refusal ?? new Error(`${route.operationId} is not for operators`);
  const json = body === undefined ? undefined : parseJsonBody(Buffer.from(body), readingOf(route));
  return {
    ...fieldReader(route)({ params: params ?? {}, query: query ?? {}, body: json?.value }),
    caller,
    by: { actor: caller, requestId },
    user: undefined,
    literal: (pointer) => json?.literals.get(pointer),
    requestId,
    address,
  };
}

function readingOf({ literals, bodyBounds }: Route) {
  const pointers = literalPointers(literals ?? []);
  return { ...(pointers ? { literals: pointers } : {}), ...(bodyBounds ? { fields: bodyBounds.fields } : {}) };
}

/** The request as a program would have sent it. */
function sentRequest({ method, path }: Route, request: OperatorRequest) {
  const { caller, params = {}, query = {}, body, idempotencyKey, note } = request;
  return {
    method,
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    headers: {
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(note === undefined ? {} : { 'approval-note': encodeURIComponent(note) }),
    },
    params,
    query,
    rawBody: body === undefined ? undefined : Buffer.from(body),
    caller,
  };
}

function parsed(body: string): unknown {
  return body === '' ? undefined : JSON.parse(body);
}
