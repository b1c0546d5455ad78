/** The documentation routes: the OpenAPI document, the start page, the API reference, the errors and the guides. */
import { constantAnswer } from '../answers/constant-answer.js';
import { type Documented, openApiDocument } from '../openapi/document.js';
import { type Route, raw } from '../route.js';
import { changelogRoutes } from './changelog.js';
import { errorRoutes } from './errors.js';
import { guideRoutes } from './guides.js';
import { referenceRoutes } from './reference/routes.js';
import { searchRoute } from './search.js';
import { llmsRoute, startRoutes } from './start.js';
import { tryRoutes } from './try.js';

export function docsRoutes(documented: Documented): Route[] {
  return [
    rootRoute(),
    documentRoute(documented, { path: '/openapi.json', operationId: 'getOpenApiDocument', of: 'This API' }),
    documentRoute(ofMerchants(documented), {
      path: '/openapi.merchant.json',
      operationId: 'getMerchantOpenApiDocument',
      of: 'What merchants call',
    }),
    ...startRoutes(documented.baseUrl),
    ...referenceRoutes(documented),
    ...tryRoutes(),
    ...errorRoutes(documented.problems),
    ...guideRoutes(documented.baseUrl),
    ...changelogRoutes(documented.baseUrl),
    searchRoute(documented),
    llmsRoute(documented.baseUrl),
  ];
}

const described = { method: 'GET', access: { token: 'none' }, tag: 'Documentation', hidden: true } as const;

/** Redirects a browser to the documentation. A program gets 404. */
function rootRoute(): Route {
  return raw({
    ...described,
    path: '/',
    operationId: 'getRoot',
    summary: 'Leads a browser to the documentation',
    run: (request, reply) => {
      reply.header('vary', 'accept');
      if (request.headers.accept?.includes('text/html')) return reply.redirect('docs', 302);
      reply.callNotFound();
      return reply;
    },
  });
}

/** Without what operators and monitoring call, which no client of a merchant needs. */
function ofMerchants(documented: Documented): Documented {
  const isOthers = ({ path, tag }: Route) => path.startsWith('/operator/') || tag === 'Operations';
  return { ...documented, routes: documented.routes.filter((route) => !isOthers(route)) };
}

function documentRoute(
  documented: Documented,
  { path, operationId, of }: { readonly path: string; readonly operationId: string; readonly of: string },
): Route {
  return raw({
    ...described,
    path,
    operationId,
    summary: `${of} as an OpenAPI document`,
    run: constantAnswer({
      contentType: 'application/json; charset=utf-8',
      make: () => JSON.stringify(openApiDocument(documented)),
    }),
  });
}
