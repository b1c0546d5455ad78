/** Makes the OpenAPI document from the declarations of the routes alone. */
import type { ProblemCatalogue } from '../problems/problem-catalogue.js';
import type { Route, Webhook } from '../route.js';
import { Components, type JsonObject } from './components.js';
import { introduction, tagsOf } from './introduction.js';
import { operationOf, webhookOf } from './operation.js';

export interface Documented {
  readonly routes: readonly Route[];
  readonly version: string;
  readonly problems: ProblemCatalogue;
  readonly webhooks?: readonly Webhook[];
  /** The public address of the service, known once it listens. */
  readonly baseUrl: () => string;
}

export function openApiDocument({ routes, version, problems, webhooks = [], baseUrl }: Documented): object {
  const shown = routes.filter((route) => !route.hidden);
  const components = new Components(baseUrl(), problems);
  const paths = pathsOf(shown, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remesa',
      version,
      summary: 'An open, self-hostable cross-border money-transfer service',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl(), description: 'This service' }],
    tags: tagsOf(new Set(shown.map((route) => route.tag))),
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, webhookOf(webhook, components)])),
    components: components.toJson(),
  };
}

function pathsOf(routes: readonly Route[], components: Components): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(route, components),
    };
  }
  return paths;
}
