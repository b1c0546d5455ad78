/** The OpenAPI documents against which tests hold the answers of their services. */
import { openApiDocument } from '../../src/http/openapi/document.js';
import type { Route } from '../../src/http/route.js';
import { serviceProblems } from '../../src/problems.js';
import type { OpenApiDocument } from './openapi-observer.js';

const documents = new Map<string, OpenApiDocument>();

/** Services that declare the same routes share a document, and with it the compiled schemas. It must not be changed. */
export function documentOf(routes: readonly Route[]): OpenApiDocument {
  const declarations = routes.map(textOf).join('\n');
  const known = documents.get(declarations);
  if (known) return known;
  const made = openApiDocument({
    ...{ problems: serviceProblems(), routes, version: 'test' },
    baseUrl: () => 'http://service.example',
  }) as OpenApiDocument;
  documents.set(declarations, made);
  return made;
}

/** The schemas are most of the text. Modules declare them, so that services have the same ones. */
function textOf({ params, query, body, answer, ...others }: Route): string {
  return [JSON.stringify(others), ...[params, query, body, answer].map(schemaText)].join('\n');
}

const schemaTexts = new WeakMap<object, string>();

function schemaText(schema: object | undefined): string {
  if (!schema) return '';
  const known = schemaTexts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  schemaTexts.set(schema, text);
  return text;
}
