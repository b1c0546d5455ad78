/** The Bruno collection of the first transfer, sent as Bruno would send it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa({ hasRates: true });
const folder = new URL('../../clients/bruno/', import.meta.url);
type Blocks = ReadonlyMap<string, string>;
type Variables = Map<string, string>;

/** Blocks by name; their lines are indented by two spaces. */
function blocksOf(name: string): Blocks {
  const text = readFileSync(new URL(name, folder), 'utf8');
  const blocks = [...text.matchAll(/^([\w:-]+) \{\n([\s\S]*?)^\}$/gm)];
  return new Map(blocks.map(([, block = '', content = '']) => [block, content.replaceAll(/^ {2}/gm, '')]));
}

function pairs(blocks: Blocks, name: string): [string, string][] {
  const lines = (blocks.get(name) ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
}

function filled(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name);
    if (value === undefined) throw new Error(`no request before has set ${name}`);
    return value;
  });
}

async function send(blocks: Blocks, variables: Variables): Promise<{ status: number; body: unknown }> {
  const method = ['get', 'post'].find((each) => blocks.has(each)) ?? '';
  const request = Object.fromEntries(pairs(blocks, method));
  const json = blocks.get('body:json');
  const form = pairs(blocks, 'body:form-urlencoded').map(([name, value]) => [name, filled(value, variables)]);
  const token = Object.fromEntries(pairs(blocks, 'auth:bearer')).token;
  const answer = await fetch(filled(request.url ?? '', variables), {
    method: method.toUpperCase(),
    headers: {
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${filled(token, variables)}` } : {}),
    },
    ...(json ? { body: filled(json, variables) } : {}),
    ...(form.length > 0 ? { body: new URLSearchParams(form) } : {}),
  });
  return { status: answer.status, body: await answer.json() };
}

/** `res.body.status` and the like. */
function valueAt(res: object, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], res);
}

function faultsOf(blocks: Blocks, res: object): string[] {
  return pairs(blocks, 'assert')
    .filter(([path, expected]) => {
      const [operator = '', wanted = ''] = expected.split(/ (.*)/s);
      const value = String(valueAt(res, path));
      return operator === 'contains' ? !value.includes(wanted) : value !== wanted;
    })
    .map(([path, expected]) => `${path}: ${expected}, but ${valueAt(res, path)}`);
}

it('leads from a token to a completed order, each request with what the ones before have set', async () => {
  const environment = pairs(blocksOf('environments/Sandbox.bru'), 'vars');
  const variables: Variables = new Map([...environment, ['baseUrl', running.service.url]]);
  const requests = readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.bru'))
    .sort();
  const sequence = requests.map((name) => Object.fromEntries(pairs(blocksOf(name), 'meta')).seq);
  expect(sequence).toEqual(requests.map((_, index) => String(index + 1)));
  for (const name of requests) {
    const blocks = blocksOf(name);
    // A person sends a request again until the order has moved on.
    await eventually(
      async () => {
        const res = await send(blocks, variables);
        const faults = faultsOf(blocks, res);
        if (faults.length > 0) throw new Error(`${name}: ${faults.join('; ')} ${JSON.stringify(res.body)}`);
        for (const [variable, path] of pairs(blocks, 'vars:post-response')) {
          variables.set(variable, String(valueAt(res, path)));
        }
        return true;
      },
      { withinMs: 30_000, what: name },
    );
  }
  expect(variables.get('orderId')).toMatch(/^ord_/);
});
