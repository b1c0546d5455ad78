/** A page of the reference as Markdown: the operations of one tag, from the OpenAPI document alone. */
import type { ProblemCatalogue } from '../../problems/problem-catalogue.js';
import { causedEvents } from './caused-events.js';
import {
  type ApiDocument,
  type Media,
  operationsOf,
  type Parameter,
  type PlacedOperation,
  type Reference,
  type Response,
  resolve,
  type Schema,
} from './document.js';
import { fieldTable, nameOf, table, typeOf } from './fields.js';
import { prologueMarkdown } from './prologue.js';
import { needsToken, samplesOf } from './samples.js';

export interface ReferenceContext {
  readonly document: ApiDocument;
  readonly problems: ProblemCatalogue;
  readonly baseUrl: string;
}

/** A code that so large a part of all operations can answer is explained once, not with each of them. */
const commonShare = 0.4;

export function referenceMarkdown(context: ReferenceContext, tag: string): string {
  const { document } = context;
  const operations = operationsOf(document, tag);
  const everywhere = codesOfMost(
    document,
    document.tags.flatMap(({ name }) => operationsOf(document, name)),
  );
  const onPage = [...codesOfMost(document, operations)].filter((code) => !everywhere.has(code));
  const objects = objectsOf(document, operations);
  const page = {
    shown: new Set(objects.keys()),
    common: new Set([...everywhere, ...onPage]),
    hasOwnErrors: onPage.length > 0,
  };
  return [
    `# ${tag}`,
    document.tags.find(({ name }) => name === tag)?.description ?? '',
    prologueOf(operations, context.baseUrl),
    ...operations.map((operation) => operationSection(context, operation, page)),
    ...[...objects].map(([name, schema]) => objectSection(document, name, schema, page.shown)),
    errorsOfPage(context, operations, onPage),
    eventsOf(document, tag),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function prologueOf(operations: readonly PlacedOperation[], baseUrl: string): string {
  if (!operations.some(needsToken)) return '';
  return prologueMarkdown(
    baseUrl,
    operations.every(({ path }) => path.startsWith('/operator/')),
  );
}

interface Page {
  readonly shown: ReadonlySet<string>;
  /** The codes that are not explained with each operation. */
  readonly common: ReadonlySet<string>;
  /** Whether some of them are explained at the end of the page. */
  readonly hasOwnErrors: boolean;
}

function operationSection(context: ReferenceContext, operation: PlacedOperation, page: Page): string {
  const { document, baseUrl } = context;
  const { shown } = page;
  const samples = samplesOf(document, operation, baseUrl);
  return [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description ?? '',
    parametersOf(document, operation, shown),
    bodyOf(document, operation, shown),
    ...samples.map(({ language, code }) => `\`\`\`${language}\n${code}\n\`\`\``),
    answerOf(document, operation, shown),
    eventsCausedBy(operation),
    errorsOf(context, operation, page),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function parametersOf(document: ApiDocument, operation: PlacedOperation, shown: ReadonlySet<string>): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter));
  const rows = parameters
    .filter(({ name }) => sharedParameters[name] === undefined)
    .map(({ name, in: place, schema, required = place === 'path', description = '' }) => ({
      name,
      type: `${typeOf(document, schema, shown)} in the ${place}`,
      isRequired: required,
      description,
    }));
  const sentences = parameters.flatMap(({ name }) => sharedParameters[name] ?? []);
  const own = rows.length === 0 ? '' : `\n\n${table(rows)}`;
  return parameters.length === 0 ? '' : `**Parameters** ${sentences.join(' ')}${own}`;
}

/** Parameters of many operations, in a sentence. */
const sharedParameters: Readonly<Record<string, string>> = {
  userId: 'With a merchant token, `userId` in the query names the user,',
  externalClientId: 'or `externalClientId` does.',
  'Idempotency-Key': 'The header `Idempotency-Key` makes a retry safe.',
  'Approval-Note': 'The header `Approval-Note` tells the second operator why you ask.',
};

function bodyOf(document: ApiDocument, { requestBody }: PlacedOperation, shown: ReadonlySet<string>): string {
  const media = requestBody && mediaOf(requestBody.content);
  if (!media) return '';
  return `**Body** (${Object.keys(requestBody.content).join(' or ')})\n\n${described(document, media.schema, shown)}`;
}

/** The fields, or where they stand. */
function described(document: ApiDocument, schema: Schema, shown: ReadonlySet<string>): string {
  const name = nameOf(schema);
  const fields = name !== undefined && shown.has(name) ? '' : fieldTable(document, schema, shown);
  return fields === '' ? `${sentenceOf(typeOf(document, schema, shown))}` : fields;
}

function sentenceOf(type: string): string {
  return `${type[0]?.toUpperCase()}${type.slice(1)}.`;
}

function answerOf(document: ApiDocument, { responses }: PlacedOperation, shown: ReadonlySet<string>): string {
  const success = responses[200] && resolve<Response>(document, responses[200]);
  if (!success) return '';
  const media = success.content && mediaOf(success.content);
  const { example, schema } = media ?? {};
  const hasSection = schema !== undefined && /^(list of )?\[/.test(typeOf(document, schema, shown));
  return [
    `**Answer** 200: ${success.description}`,
    schema ? described(document, schema, shown) : '',
    example === undefined || hasSection ? '' : jsonOf(example),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function eventsCausedBy({ operationId }: PlacedOperation): string {
  const events = causedEvents[operationId] ?? [];
  return events.length === 0 ? '' : `**Events** that it can cause: ${events.map((event) => `\`${event}\``).join(', ')}`;
}

function jsonOf(example: unknown): string {
  return `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

function mediaOf(content: Readonly<Record<string, Media>>): Media | undefined {
  return content['application/json'] ?? Object.values(content)[0];
}

function errorsOf({ document, problems }: ReferenceContext, operation: PlacedOperation, page: Page): string {
  const own = codesOf(document, operation).filter(([code]) => !page.common.has(code));
  const ofPage = page.hasOwnErrors ? '[errors of the calls on this page](#errors-of-these-calls) and the ' : '';
  const others = `Also the ${ofPage}[errors of every call](docs/errors).`;
  return own.length === 0 ? `**Errors** ${others}` : `**Errors** ${others}\n\n${errorTable(own, problems)}`;
}

/** What most calls of the page can answer. */
function errorsOfPage(
  { document, problems }: ReferenceContext,
  operations: readonly PlacedOperation[],
  codes: readonly string[],
): string {
  const statuses = new Map(operations.flatMap((operation) => codesOf(document, operation)));
  const rows = codes.map((code): [string, string] => [code, statuses.get(code) ?? '']);
  return rows.length === 0 ? '' : `## Errors of these calls\n\n${errorTable(rows, problems)}`;
}

function errorTable(codes: readonly [code: string, status: string][], problems: ProblemCatalogue): string {
  const rows = codes.map(
    ([code, status]) => `| [\`${code}\`](docs/errors#${code}) | ${status} | ${problems[code]?.remedy ?? ''} |`,
  );
  return ['| Code | Status | What to do |', '|---|---|---|', ...rows].join('\n');
}

/** The codes of the refusals, each with its status. */
function codesOf(document: ApiDocument, { responses }: PlacedOperation): [code: string, status: string][] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const { content = {} } = resolve<Response>(document, response);
      const examples = Object.values(content).flatMap((media) => Object.values(media.examples ?? {}));
      return examples.flatMap((example): [string, string][] => {
        const { value } = resolve<{ readonly value: { readonly code?: string } }>(document, example as Reference);
        return value.code === undefined ? [] : [[value.code, status]];
      });
    });
}

function codesOfMost(document: ApiDocument, operations: readonly PlacedOperation[]): Set<string> {
  const counts = new Map<string, number>();
  for (const operation of operations)
    for (const [code] of codesOf(document, operation)) counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > operations.length * commonShare).map(([code]) => code));
}

/** What several operations of the page answer or take: each is explained once, at the end. */
function objectsOf(document: ApiDocument, operations: readonly PlacedOperation[]): Map<string, Schema> {
  const counts = new Map<string, number>();
  for (const { requestBody, responses } of operations) {
    const contents = [requestBody?.content, responses[200] && resolve<Response>(document, responses[200]).content];
    for (const media of contents.flatMap((content) => (content ? [mediaOf(content)] : []))) {
      const name = media && (nameOf(media.schema) ?? (media.schema.items && nameOf(media.schema.items)));
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  return new Map(names.map((name) => [name, document.components.schemas?.[name] as Schema]));
}

function objectSection(document: ApiDocument, name: string, schema: Schema, shown: ReadonlySet<string>): string {
  const { examples } = schema as { readonly examples?: readonly unknown[] };
  return [
    `## ${name}`,
    schema.description ?? '',
    fieldTable(document, schema, new Set([...shown].filter((other) => other !== name))),
    examples?.[0] === undefined ? '' : jsonOf(examples[0]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The notifications about what the page is about. */
function eventsOf({ webhooks }: ApiDocument, tag: string): string {
  const prefix = channelOfTag[tag];
  const rows = Object.entries(webhooks)
    .filter(([name]) => prefix !== undefined && name.startsWith(prefix))
    .map(([name, { post }]) => `| \`${name}\` | ${post.summary} |`);
  if (rows.length === 0) return '';
  const heading =
    '## Events\n\nSent to your url, and kept for `GET /events`: see [notifications](docs/guides/webhooks).';
  return `${heading}\n\n${['| Event | When |', '|---|---|', ...rows].join('\n')}`;
}

const channelOfTag: Readonly<Record<string, string>> = {
  Orders: 'order.',
  KYC: 'kyc.',
  Webhooks: 'webhook.',
  Tokens: 'merchant.',
};
