/** The documentation routes: the OpenAPI document, the API reference, the errors and the guides. */
import { constantAnswer } from '../answers/constant-answer.js';
import { type Documented, openApiDocument } from '../openapi/document.js';
import { type Route, raw } from '../route.js';
import { errorPageRoute } from './errors.js';
import { guideRoutes } from './guides.js';
import { referenceRoutes } from './reference.js';

export function docsRoutes(documented: Documented): Route[] {
  return [
    rootRoute(),
    documentRoute(documented),
    ...referenceRoutes(),
    errorPageRoute(documented.problems),
    ...guideRoutes(documented.baseUrl),
  ];
}

const described = { method: 'GET', access: { token: 'none' }, tag: 'Documentation', hidden: true } as const;

/** Redirects a browser to the API reference. A program gets 404. */
function rootRoute(): Route {
  return raw({
    ...described,
    path: '/',
    operationId: 'getRoot',
    summary: 'Leads a browser to the API reference',
    run: (request, reply) => {
      reply.header('vary', 'accept');
      if (request.headers.accept?.includes('text/html')) return reply.redirect('docs', 302);
      reply.callNotFound();
      return reply;
    },
  });
}

function documentRoute(documented: Documented): Route {
  return raw({
    ...described,
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'This API as an OpenAPI document',
    run: constantAnswer({
      contentType: 'application/json; charset=utf-8',
      make: () => JSON.stringify(openApiDocument(documented)),
    }),
  });
}
