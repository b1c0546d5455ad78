/** A client that knows nothing but the OpenAPI document: it builds requests from its examples and checks every answer by its schemas. */
import { type OpenApiDocument, observeAnswer, valueFault } from '../harness/openapi-observer.js';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
}
interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: Readonly<Record<string, unknown>> }>>;
  };
}

/** What is known from earlier answers, by the name of the parameter or field that takes it. */
export type Facts = Record<string, unknown>;

export class DocumentClient {
  readonly facts: Facts = {};
  token: string | undefined;
  readonly #operations = new Map<string, { method: string; path: string; operation: Operation }>();

  constructor(
    readonly document: OpenApiDocument,
    readonly baseUrl: string,
  ) {
    for (const [path, methods] of Object.entries(document.paths))
      for (const [method, found] of Object.entries(methods)) {
        const operation = found as unknown as Operation;
        this.#operations.set(operation.operationId, { method, path, operation });
      }
  }

  /** The operation that a request of a guide is, by its method and path. */
  operationAt(method: string, path: string): string {
    const at = [...this.#operations.values()].find(
      (candidate) =>
        candidate.method === method.toLowerCase() &&
        new RegExp(`^${candidate.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    if (!at) throw new Error(`the document has no ${method} ${path}`);
    return at.operation.operationId;
  }

  /** Calls the operation with its example, in which what is known replaces what is invented. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer, which the test examines.
  async call(operationId: string, fields: Facts = {}): Promise<any> {
    const found = this.#operations.get(operationId);
    if (!found) throw new Error(`the document has no operation ${operationId}`);
    const { method, operation } = found;
    const { address, headers } = this.#addressOf(found.path, operation, fields);
    const body = this.#bodyOf(found, fields);
    if (operation.security.length > 0) headers.authorization = `Bearer ${this.token}`;
    if (body) headers['content-type'] = body.type;
    const response = await fetch(`${this.baseUrl}${address}`, {
      ...{ method: method.toUpperCase(), headers },
      ...(body ? { body: body.text } : {}),
    });
    const bodyText = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const answer = { method: method.toUpperCase(), path: address, status: response.status };
    observeAnswer(this.document, { ...answer, contentType, bodyText });
    if (response.status !== 200) throw new Error(`${operationId}: ${response.status} ${bodyText}`);
    return bodyText === '' ? undefined : JSON.parse(bodyText);
  }

  #addressOf(path: string, operation: Operation, fields: Facts) {
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    let address = path;
    for (const parameter of (operation.parameters ?? []).map((named) => this.#resolve(named))) {
      const value = fields[parameter.name] ?? this.facts[parameter.name];
      if (value === undefined) {
        if (parameter.required) throw new Error(`${operation.operationId} needs ${parameter.name}`);
      } else if (parameter.in === 'path') address = address.replace(`{${parameter.name}}`, String(value));
      else if (parameter.in === 'query') query.set(parameter.name, String(value));
      else headers[parameter.name] = String(value);
    }
    return { address: query.size > 0 ? `${address}?${query}` : address, headers };
  }

  #resolve(parameter: Parameter | { readonly $ref: string }): Parameter {
    if (!('$ref' in parameter)) return parameter;
    const path = parameter.$ref.slice(2).split('/');
    return path.reduce<unknown>(
      (at, name) => (at as Record<string, unknown>)[name],
      this.document,
    ) as Parameter;
  }

  #bodyOf(
    { method, path, operation }: { method: string; path: string; operation: Operation },
    fields: Facts,
  ) {
    const content = operation.requestBody?.content;
    const type = content && ('application/json' in content ? 'application/json' : Object.keys(content)[0]);
    if (!content || !type) return undefined;
    const example = content[type]?.example ?? {};
    const known = { ...this.facts, ...fields };
    const body = Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, name in known ? known[name] : value]),
    );
    const text = JSON.stringify(body);
    const pointer = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
    const at = `#/paths/${pointer(path)}/${method}/requestBody/content/${pointer(type)}/schema`;
    const fault = valueFault(this.document, at, text);
    if (fault) throw new Error(`the request of ${operation.operationId}: ${fault}`);
    return { type, text };
  }
}
