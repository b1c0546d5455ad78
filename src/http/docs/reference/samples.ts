/** How a call looks in curl, in TypeScript with the client, and in Python. */
import type { ApiDocument, Parameter, PlacedOperation } from './document.js';
import { resolve } from './document.js';
import { clientMethods } from './methods.js';

export interface Sample {
  /** Of the fence in Markdown. */
  readonly language: 'sh' | 'ts' | 'python';
  readonly code: string;
}

const methodNames = new Map(
  Object.entries(clientMethods).flatMap(([resource, methods]) =>
    Object.entries(methods).map(([method, operationId]) => [operationId as string, `${resource}.${method}`] as const),
  ),
);

interface Call {
  readonly operation: PlacedOperation;
  readonly body: unknown;
  /** `multipart/form-data` with one file. */
  readonly isUpload: boolean;
  readonly needsToken: boolean;
  readonly query: Readonly<Record<string, unknown>>;
}

/** `baseUrl`: the address of this service. */
export function samplesOf(document: ApiDocument, operation: PlacedOperation, baseUrl: string): Sample[] {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const content = operation.requestBody?.content ?? {};
  const media = content['application/json'] ?? Object.values(content)[0];
  const call: Call = {
    operation,
    body: media?.example,
    isUpload: 'multipart/form-data' in content,
    needsToken: needsToken(operation),
    query: queryOf(parameters),
  };
  return [
    { language: 'sh', code: curlOf(call, baseUrl) },
    { language: 'ts', code: typescriptOf(call, baseUrl) },
    { language: 'python', code: pythonOf(call, baseUrl) },
  ];
}

export function needsToken({ description }: PlacedOperation): boolean {
  return description?.includes('**Token**') ?? false;
}

/** Without a user, a call about a user is refused. */
function queryOf(parameters: readonly Parameter[]): Readonly<Record<string, unknown>> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const isAboutUser = inQuery.some(({ name }) => name === 'externalClientId');
  const required = inQuery.filter((parameter) => parameter.required).map((each) => [each.name, exampleValue(each)]);
  return { ...(isAboutUser ? { userId: exampleUser } : {}), ...Object.fromEntries(required) };
}

const exampleUser = 241958564297829;

/** The list of currencies has no example of its own. */
const exampleCurrencies: Readonly<Record<string, string>> = { fiatIn: 'USD', fiatOut: 'MXN' };

function exampleValue({ schema, name }: Parameter): unknown {
  return exampleCurrencies[name] ?? schema.examples?.[0] ?? schema.enum?.[0] ?? (schema.type === 'integer' ? 1 : name);
}

function curlOf({ operation, body, isUpload, needsToken, query }: Call, baseUrl: string): string {
  const { method, path } = operation;
  const parts = [
    `curl${method === (body === undefined && !isUpload ? 'GET' : 'POST') ? '' : ` -X ${method}`} "${addressOf(baseUrl, path, query)}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(isUpload ? ['-F file=@document.jpg'] : []),
    ...(body === undefined || isUpload
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`]),
  ];
  return parts.join(' \\\n  ');
}

function addressOf(baseUrl: string, path: string, query: Readonly<Record<string, unknown>>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${name === 'userId' ? '$USER_ID' : value}`);
  return `${baseUrl}${filled}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** With the client, where it has a method for the call. */
function typescriptOf({ operation, body, isUpload, needsToken, query }: Call, baseUrl: string): string {
  const method = methodNames.get(operation.operationId);
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const { userId, ...others } = query;
  const parameters = [
    ...(userId === undefined ? [] : ['userId']),
    ...Object.entries(others).map(([name, value]) => `${name}: ${literal(value)}`),
  ];
  if (method === undefined) {
    const address = `${baseUrl}${operation.path.replaceAll('{', '${')}`;
    const headers = needsToken ? ["headers: { authorization, 'content-type': 'application/json' }"] : [];
    const sent = body === undefined ? [] : [`body: JSON.stringify(${literal(body)})`];
    const init = [`method: '${operation.method}'`, ...headers, ...sent];
    return `await fetch(\`${address}\`, {\n  ${init.join(',\n  ')},\n});`;
  }
  const input = [
    ...ids,
    ...(isUpload ? ['form'] : body === undefined ? [] : [literal(body)]),
    ...(parameters.length > 0 ? [`{ ${parameters.join(', ')} }`] : []),
  ];
  const form = isUpload ? "const form = new FormData();\nform.set('file', file);\n" : '';
  return `${form}await remesa.${method}(${input.join(', ')});`;
}

/** As TypeScript is written: names without quotes, texts in single ones. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\.)*)"/g, "'$1'");
}

function pythonOf({ operation, body, isUpload, needsToken, query }: Call, baseUrl: string): string {
  const { method, path } = operation;
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${snakeCase(name)}}`);
  const pairs = Object.entries(query).map(([name, value]) =>
    name === 'userId' ? '"userId": user_id' : `"${name}": ${pythonLiteral(value)}`,
  );
  const input = [
    `${address.includes('{') ? 'f' : ''}"${baseUrl}${address}"`,
    ...(needsToken ? ['headers={"Authorization": f"Bearer {token}"}'] : []),
    ...(pairs.length > 0 ? [`params={${pairs.join(', ')}}`] : []),
    ...(isUpload ? ['files={"file": open("document.jpg", "rb")}'] : []),
    ...(body === undefined || isUpload ? [] : [`json=${pythonLiteral(body)}`]),
  ];
  return `httpx.${method.toLowerCase()}(\n    ${input.join(',\n    ')},\n)`;
}

function pythonLiteral(value: unknown): string {
  const text = JSON.stringify(value, null, 4).replaceAll(/: (true|false|null)\b/g, (_, word: string) =>
    word === 'null' ? ': None' : `: ${word === 'true' ? 'True' : 'False'}`,
  );
  return text.replaceAll('\n', '\n    ');
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
