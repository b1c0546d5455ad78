/** The OpenAPI documents against which tests hold the answers of their services. */
import { createHash } from 'node:crypto';
import { openApiDocument } from '../../src/http/openapi/document.js';
import type { Route } from '../../src/http/route.js';
import { serviceProblems } from '../../src/problems.js';
import type { OpenApiDocument } from './openapi-observer.js';

const documents = new Map<string, OpenApiDocument>();

/** Services that declare the same routes share a document, and with it the compiled schemas. It must not be changed. */
export function documentOf(routes: readonly Route[]): OpenApiDocument {
  const declarations = createHash('sha256').update(JSON.stringify(routes)).digest('hex');
  const known = documents.get(declarations);
  if (known) return known;
  const made = openApiDocument({
    ...{ problems: serviceProblems(), routes, version: 'test' },
    baseUrl: () => 'http://service.example',
  }) as OpenApiDocument;
  documents.set(declarations, made);
  return made;
}
