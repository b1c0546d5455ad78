/** Turns operations into methods: `orders.get(id)`, `orders.create(body, { userId })`, `for await (… of orders.list())`. */

import { NoAnswer, RemesaError, toRemesaError } from './errors.js';
import { ApiError, OPERATIONS, type OperationId, type Ops, type RequestOptions } from './generated/api.js';
import type { operations } from './generated/operations.js';

/** What every call takes beside the parameters of its operation. */
export interface CallOptions {
  /** Absent: a new one for each call that takes one, the same at every retry. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

type ArgsOf<Id extends OperationId> = Ops[Id]['args'];
type PathOf<Id extends OperationId> =
  ArgsOf<Id> extends { path: { id: infer Of; linkId: infer Link } }
    ? [id: Of, linkId: Link]
    : ArgsOf<Id> extends { path: infer Path }
      ? [id: Path[keyof Path]]
      : [];
type BodyOf<Id extends OperationId> = ArgsOf<Id> extends { body: infer Body } ? [body: Body] : [];
type ParametersOf<Id extends OperationId> =
  ArgsOf<Id> extends { query: infer Query }
    ? [parameters: Query & CallOptions]
    : ArgsOf<Id> extends { query?: infer Query }
      ? [parameters?: Query & CallOptions]
      : [options?: CallOptions];
type AnswerOf<Id extends OperationId> = Ops[Id]['headers'] extends { link?: string }
  ? List<Ops[Id]['result'] extends readonly (infer Item)[] ? Item : never>
  : Promise<Ops[Id]['result']>;
export type Call<Id extends OperationId> = (
  ...input: [...PathOf<Id>, ...BodyOf<Id>, ...ParametersOf<Id>]
) => AnswerOf<Id>;
export type Resources = {
  readonly [Resource in keyof typeof operations]: {
    readonly [Method in keyof (typeof operations)[Resource]]: (typeof operations)[Resource][Method] extends infer Id extends
      OperationId
      ? Call<Id>
      : never;
  };
};

/** Wait for it for one page, or loop over it with `for await` for everything there is. */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<Item[]> {
  constructor(private readonly read: (next?: URLSearchParams) => Promise<{ page: Item[]; next?: URLSearchParams }>) {}

  // biome-ignore lint/suspicious/noThenProperty: one page is awaited as a promise is.
  then<Result = Item[], Refusal = never>(
    onPage?: ((page: Item[]) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    return this.read()
      .then(({ page }) => page)
      .then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    let next: URLSearchParams | undefined = new URLSearchParams();
    while (next) {
      const { page, next: following }: { page: Item[]; next?: URLSearchParams } = await this.read(next);
      yield* page;
      next = following;
    }
  }
}

/** Of the generated client. */
export type Send = (id: OperationId, args: object, options: RequestOptions) => Promise<Answered>;
interface Answered {
  readonly data: unknown;
  readonly headers: { readonly link?: string };
}
type Selector = { readonly userId?: number; readonly externalClientId?: string };

/** Asked for page by page where the caller names no size: without one, the service answers with everything at once. */
const usualPageSize = 100;
const callOptions = new Set(['idempotencyKey', 'signal', 'timeoutMs']);

/** The methods of all resources. `selector`: the user that their calls are about. */
export function resourcesOf(table: typeof operations, send: Send, selector: Selector = {}): Resources {
  const methodsOf = (ids: Readonly<Record<string, OperationId>>) =>
    Object.fromEntries(Object.entries(ids).map(([method, id]) => [method, callOf(id, send, selector)]));
  return Object.fromEntries(
    Object.entries(table).map(([resource, ids]) => [resource, methodsOf(ids)]),
  ) as unknown as Resources;
}

function callOf(id: OperationId, send: Send, selector: Selector) {
  const operation = OPERATIONS[id] as (typeof OPERATIONS)['createOrder'];
  const parameters: readonly { readonly name: string; readonly in: string }[] = operation.params ?? [];
  const names = (where: string) => parameters.filter((each) => each.in === where).map(({ name }) => name);
  const takesKey = names('header').includes('Idempotency-Key');
  const selected = names('query').includes('userId') ? selector : {};
  return (...input: readonly unknown[]) => {
    const left = [...input];
    const path = Object.fromEntries(names('path').map((name) => [name, left.shift()]));
    const body = 'body' in operation ? left.shift() : undefined;
    const given = (left.shift() ?? {}) as CallOptions & Record<string, unknown>;
    const query: Record<string, unknown> = {
      ...selected,
      ...Object.fromEntries(Object.entries(given).filter(([name]) => !callOptions.has(name))),
    };
    const headers = takesKey ? { 'Idempotency-Key': given.idempotencyKey ?? crypto.randomUUID() } : {};
    const ask = (more: object) =>
      answered(
        send(id, { path, body, headers, query: { ...query, ...more } }, { ...optionsOf(given), envelope: true }),
        given.signal,
      );
    const isList = operation.responseHeaders.some(({ name }: { readonly name: string }) => name === 'link');
    return isList ? new List(pagesOf(ask, query)) : ask({}).then(({ data }) => data);
  };
}

function optionsOf({ signal, timeoutMs }: CallOptions): RequestOptions {
  return { ...(signal ? { signal } : {}), ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) };
}

/** Reads one page as the caller asked for it, or, when it is told where to go on, the next one of all. */
function pagesOf(ask: (more: object) => Promise<Answered>, query: Readonly<Record<string, unknown>>) {
  return async (next?: URLSearchParams) => {
    const { data, headers } = await ask(
      next ? { limit: query.limit ?? usualPageSize, ...Object.fromEntries(next) } : {},
    );
    const target = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(headers.link ?? '')?.[1];
    // The address only says where to go on: the request goes to the same service as before.
    const following = target === undefined ? {} : { next: new URL(target, 'http://localhost').searchParams };
    return { page: data as never[], ...following };
  };
}

/** Every failure is a `RemesaError`, except that the caller has given up. */
async function answered(call: Promise<Answered>, signal: AbortSignal | undefined): Promise<Answered> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof RemesaError || signal?.aborted) throw error;
    if (error instanceof ApiError) throw toRemesaError(error.status, error.body, new Headers());
    throw new NoAnswer({ status: 0, detail: 'The service gave no answer.', cause: error });
  }
}
