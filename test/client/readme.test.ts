/** The examples of the client's README, word by word, against a service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transformSync } from 'esbuild';
import { beforeAll, expect, it, vi } from 'vitest';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa({ hasRates: true });
const folder = newFolder();
const packageFolder = fileURLToPath(new URL('../../packages/client/', import.meta.url));
const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const codeIn = (text: string) => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
const examples = codeIn(readme);
const [ofProject = ''] = codeIn(readFileSync(join(packageFolder, '../../README.md'), 'utf8'));
const [transfer = '', errors = '', lists = '', notifications = ''] = examples;
const largestClientBytes = 12 * 1024;
const longestIntegration = 60;

/** The client as it is shipped, in one file. */
async function bundle(entry: 'index' | 'webhooks', minify = false): Promise<string> {
  const result = await build({
    entryPoints: [join(packageFolder, 'src', `${entry}.ts`)],
    bundle: true,
    format: 'esm',
    minify,
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  writeFileSync(join(folder, 'index.mjs'), await bundle('index'));
  writeFileSync(join(folder, 'webhooks.mjs'), await bundle('webhooks'));
});

/** Runs the example as a program of its own module, and returns what it printed. */
async function run(code: string, name: string): Promise<string[]> {
  const program = code
    .replace("'@remesa/client/webhooks'", "'./webhooks.mjs'")
    .replace("'@remesa/client'", "'./index.mjs'")
    .replaceAll('process.env.REMESA_URL', JSON.stringify(running.service.url))
    .replaceAll('http://127.0.0.1:3000', running.service.url);
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, transformSync(program, { loader: 'ts', format: 'esm' }).code);
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(values.join(' ')));
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  } finally {
    log.mockRestore();
  }
  return printed;
}

it('a whole integration with token, user, form, price, order, payment, notification and refund takes at most 60 lines', async () => {
  const lines = transfer.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
  expect(lines.length).toBeLessThanOrEqual(longestIntegration);
  const printed = await run(transfer, 'transfer');
  expect(printed).toEqual([
    expect.stringMatching(/^Show this form to Ana: http:/),
    expect.stringMatching(/^Ana pays 100 EUR to .+, with RF/),
    expect.stringMatching(/^order\.completed ord_/),
    expect.stringMatching(/^order\.refunded ord_/),
  ]);
});

it('the example in the README of the project completes an order, as it stands', async () => {
  const printed = await run(ofProject, 'project');
  expect([printed[0], printed.at(-1)]).toEqual(['order.awaiting_payment', 'order.completed']);
});

it('the example of errors shows the members of the problem', async () => {
  expect(await run(errors, 'errors')).toEqual(['At least 5 EUR']);
});

it('the example of lists and events reads all orders, and all events in order', async () => {
  const printed = await run(lists, 'lists');
  expect(printed.filter((line) => line.startsWith('ord_')).length).toBe(3);
  expect(printed.filter((line) => line.startsWith('order.')).slice(0, 2)).toEqual([
    'order.awaiting_payment',
    'order.payment_received',
  ]);
});

it('the example of notifications loads without a client', async () => {
  expect(await run(notifications, 'notifications')).toEqual([]);
});

it('the client is at most 12 kB, compressed, and its notifications alone less than 1 kB', async () => {
  expect(gzipSync(await bundle('index', true)).length).toBeLessThan(largestClientBytes);
  expect(gzipSync(await bundle('webhooks', true)).length).toBeLessThan(1024);
});
