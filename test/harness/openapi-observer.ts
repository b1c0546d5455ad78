/** Holds an answer against the OpenAPI document, with a validator that the service itself does not use. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, Response>>;
    readonly schemas?: Readonly<Record<string, object>>;
  };
}
interface Operation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}
interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

export interface ObservedAnswer {
  readonly method: string;
  /** With its query, as it was asked for. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly bodyText: string;
}

/** Throws when the document does not foresee the answer. `undocumented`: the paths of routes that it leaves out. */
export function observeAnswer(
  document: OpenApiDocument,
  answer: ObservedAnswer,
  undocumented: readonly string[] = [],
): void {
  const fault = faultOf(document, answer, undocumented);
  if (fault) {
    const body = answer.bodyText.slice(0, 500);
    throw new Error(`${answer.method} ${answer.path} answered ${answer.status}: ${fault}\n${body}`);
  }
}

function faultOf(
  document: OpenApiDocument,
  answer: ObservedAnswer,
  undocumented: readonly string[],
): string | undefined {
  const path = answer.path.replace(/[?#].*$/, '');
  if (undocumented.includes(path)) return undefined;
  if (!isReadable(path)) return problemFault(document, answer, 400);
  const template = templateOf(document, path);
  if (template === undefined) return problemFault(document, answer, 404);
  const isHead = answer.method === 'HEAD';
  const method = isHead ? 'get' : answer.method.toLowerCase();
  const operation = document.paths[template]?.[method];
  if (!operation) return problemFault(document, answer, 405);
  const foreseen = operation.responses[answer.status];
  if (!foreseen) return `the document foresees ${Object.keys(operation.responses).join(', ')} only`;
  if (isHead) return undefined;
  const at =
    '$ref' in foreseen
      ? foreseen.$ref
      : `#/paths/${pointer(template)}/${method}/responses/${pointer(String(answer.status))}`;
  return contentFault(document, answer, '$ref' in foreseen ? referredTo(document, foreseen.$ref) : foreseen, at);
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** One without parameters wins over one with them, as on the server. */
function templateOf(document: OpenApiDocument, path: string): string | undefined {
  if (path in document.paths) return path;
  return patternsOf(document).find(({ pattern }) => pattern.test(path))?.template;
}

interface PathPattern {
  readonly template: string;
  readonly pattern: RegExp;
}

const patterns = new WeakMap<OpenApiDocument, readonly PathPattern[]>();

/** Made once per document: every answer is looked up in them. */
function patternsOf(document: OpenApiDocument): readonly PathPattern[] {
  const known = patterns.get(document);
  if (known) return known;
  const made = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  patterns.set(document, made);
  return made;
}

function referredTo(document: OpenApiDocument, reference: string): Response {
  const name = reference.split('/').at(-1) ?? '';
  const found = document.components.responses?.[name];
  if (!found) throw new Error(`${reference} is not in the document`);
  return found;
}

function problemFault(document: OpenApiDocument, answer: ObservedAnswer, expected: number): string | undefined {
  if (answer.status !== expected) return `for what is not in the document, ${expected} is expected`;
  if (answer.method === 'HEAD') return undefined;
  if (mediaType(answer) !== 'application/problem+json') return `not a problem document: ${answer.contentType}`;
  return schemaFault(document, answer, '#/components/schemas/Problem');
}

function contentFault(
  document: OpenApiDocument,
  answer: ObservedAnswer,
  { content }: Response,
  at: string,
): string | undefined {
  if (!content) return answer.bodyText === '' ? undefined : 'an empty body is expected';
  const type = mediaType(answer);
  if (!(type in content)) return `${type || 'no content type'} instead of ${Object.keys(content).join(', ')}`;
  return /[/+]json$/.test(type) ? schemaFault(document, answer, `${at}/content/${pointer(type)}/schema`) : undefined;
}

function mediaType({ contentType }: ObservedAnswer): string {
  return contentType.replace(/;.*$/, '').trim().toLowerCase();
}

function schemaFault(document: OpenApiDocument, answer: ObservedAnswer, at: string): string | undefined {
  return valueFault(document, at, answer.bodyText);
}

/** What is wrong with a JSON text by the schema at a place of the document. */
export function valueFault(document: OpenApiDocument, at: string, bodyText: string): string | undefined {
  const validate = validatorOf(document).getSchema(`document${at}`);
  if (!validate) return `the document has no schema at ${at}`;
  let value: unknown;
  try {
    value = JSON.parse(bodyText);
  } catch {
    return 'the body is not JSON';
  }
  if (validate(value)) return undefined;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
  );
  return faults.join('; ');
}

const validators = new WeakMap<OpenApiDocument, Ajv2020>();

function validatorOf(document: OpenApiDocument): Ajv2020 {
  const known = validators.get(document);
  if (known) return known;
  // Making the code of a schema shorter takes as long as a thousand answers against it.
  const code = { optimize: false };
  const made = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false, code });
  formats.default(made);
  made.addSchema(document, 'document');
  validators.set(document, made);
  return made;
}

function pointer(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
