import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { generatedClient, pythonTable } from '../../scripts/generate-client.mjs';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';
import { lintFaults } from './openapi-lint.js';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const committed = pathOf('docs/openapi.json');
const baseUrl = 'http://127.0.0.1:3000';
const running = useService(useTestDatabase(), { settings: { BASE_URL: baseUrl } });
let document: Document;

beforeAll(async () => {
  const response = await fetch(`${running.service.url}/openapi.json`);
  document = (await response.json()) as Document;
});

it('docs/openapi.json is what the service publishes (npm run generate renews it)', async () => {
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(committed);
});

it('the client is what the generator makes of what the service publishes (npm run generate renews it)', async () => {
  const text = await (await fetch(`${running.service.url}/openapi.merchant.json`)).text();
  for (const [name, content] of Object.entries(generatedClient(text)))
    await expect(content).toMatchFileSnapshot(pathOf(`packages/client/src/generated/${name}`));
  await expect(pythonTable(text)).toMatchFileSnapshot(pathOf('clients/python/remesa_operations.py'));
});

it('the document for merchants has no operation of operators and nothing that only those use', async () => {
  const ofMerchants = (await (await fetch(`${running.service.url}/openapi.merchant.json`)).json()) as Document;
  const text = JSON.stringify(ofMerchants);
  expect(Object.keys(ofMerchants.paths).filter((path) => path.startsWith('/operator'))).toEqual([]);
  expect(text).not.toContain('operatorToken');
  expect(text).toContain('"createOrder"');
});

it('a linter that is not ours finds nothing to say about it, and is listened to: a schema that does not exist is found', () => {
  const livez = document.paths['/livez']?.get;
  if (!livez) throw new Error('there is no /livez');
  const broken = structuredClone({ ...livez, operationId: 'broken' });
  Object.assign(broken.responses['200']?.content?.['application/json'] ?? {}, {
    schema: { $ref: '#/components/schemas/Nothing' },
  });
  const faults = lintFaults({ ...document, paths: { ...document.paths, '/broken': { get: broken } } });
  expect(faults).toEqual([expect.stringMatching(/^no-unresolved-refs: .*~1broken/)]);
});

it('every request body and every JSON answer of success shows an example', () => {
  const lacking = operations().flatMap(({ operationId, requestBody, responses }) => [
    ...exampleless(requestBody?.content).map(() => `${operationId}: request body`),
    ...exampleless(responses['200']?.content).map(() => `${operationId}: 200`),
  ]);
  expect(lacking).toEqual([]);
});

it('no two operations have the same name', () => {
  const names = operations().map(({ operationId }) => operationId);
  expect(names).toEqual([...new Set(names)]);
});

function operations(): Operation[] {
  return Object.values(document.paths).flatMap((methods) => Object.values(methods));
}

function exampleless(content: Record<string, Media> = {}): string[] {
  return Object.entries(content)
    .filter(([type, media]) => type.endsWith('json') && media.example === undefined)
    .map(([type]) => type);
}
