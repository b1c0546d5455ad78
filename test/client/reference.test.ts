/** The examples of the API reference, as the service shows them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { clientMethods } from '../../src/http/docs/reference/methods.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const running = useService(useTestDatabase());
const root = fileURLToPath(new URL('../../', import.meta.url));
/** Inside the project, so that the client is found as its users find it. */
const folder = join(root, 'test-output', `reference-${process.pid}`);
const merchantTags = ['tokens', 'users', 'kyc', 'beneficiaries', 'rates', 'orders', 'webhooks', 'requests', 'sandbox'];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function examples(language: 'ts' | 'python'): Promise<string[]> {
  const pages = merchantTags.map(async (tag) => (await fetch(`${running.service.url}/docs/api/${tag}.md`)).text());
  const text = (await Promise.all(pages)).join('\n');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

it('every example in TypeScript fits the types of the client, which has a method for each of them', async () => {
  const codes = (await examples('ts')).filter((code) => code.includes('remesa.'));
  expect(codes).toHaveLength(Object.values(clientMethods).flatMap((methods) => Object.values(methods)).length);
  const given = [
    'remesa: Remesa',
    'userId: number',
    'file: Blob',
    'id: string',
    'code: string',
    'caseId: string',
    'linkId: string',
    'secretId: string',
  ];
  const program = codes.map((code) => `{\n${code}\n}`).join('\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'examples.ts'),
    `import type { Remesa } from '../../packages/client/src/index.js';\n` +
      `export async function examples(${given.join(', ')}) {\n${program}\n}\n`,
  );
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions: { noUnusedParameters: false }, include: ['.'] }),
  );
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('each operation of a merchant has a method, but for those that browsers and the client itself send', async () => {
  const document = await (await fetch(`${running.service.url}/openapi.merchant.json`)).json();
  const operations = Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId }) => operationId ?? []);
  const methods: string[] = Object.values(clientMethods).flatMap((each) => Object.values(each));
  expect(operations.filter((operation) => !methods.includes(operation)).sort()).toEqual([
    ...['createToken', 'getKycForm', 'getServerMetadata', 'getSigningKeys'],
    ...['getWebhookKeys', 'revokeToken'],
  ]);
});

it('every example in Python names what the reader has: a token, ids and a user', async () => {
  const names = (await examples('python')).flatMap((code) =>
    [...code.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name),
  );
  expect([...new Set(names)].sort()).toEqual(
    ['case_id', 'client_id', 'code', 'id', 'kyc_level', 'link_id', 'secret_id', 'token', 'zone'].sort(),
  );
});
