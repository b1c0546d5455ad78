/** The OpenAPI documents against which tests hold the answers of their services. */
import { isDeepStrictEqual } from 'node:util';
import { openApiDocument } from '../../src/http/openapi/document.js';
import type { Route } from '../../src/http/route.js';
import { serviceProblems } from '../../src/problems.js';
import type { OpenApiDocument } from './openapi-observer.js';

interface Declaration {
  readonly text: string;
  readonly schemas: readonly (object | undefined)[];
}

const documents: { readonly declarations: readonly Declaration[]; readonly document: OpenApiDocument }[] = [];

/**
 * Services that declare the same routes share a document, and with it the compiled schemas. It must not be changed.
 * Comparing takes little, because most schemas are made by a module, once for all services.
 */
export function documentOf(routes: readonly Route[]): OpenApiDocument {
  const declarations = routes.map(declarationOf);
  const known = documents.find((other) => isDeepStrictEqual(other.declarations, declarations));
  if (known) return known.document;
  const document = openApiDocument({
    ...{ problems: serviceProblems(), routes, version: 'test' },
    baseUrl: () => 'http://service.example',
  }) as OpenApiDocument;
  documents.push({ declarations, document });
  return document;
}

/** The text leaves out the functions, which would keep a whole service in memory. */
function declarationOf({ params, query, body, answer, callback, ...others }: Route): Declaration {
  return { text: JSON.stringify(others), schemas: [params, query, body, answer, callback] };
}
