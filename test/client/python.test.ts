/** The client for Python, run by Python, and the generated clients of other languages. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newFolder } from '../harness/new-folder.js';
import { useRemesa } from '../harness/remesa.js';

const running = useRemesa({ hasRates: true });
const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(root, 'clients/README.md'), 'utf8');
const folder = newFolder();
const hasPython = spawnSync('python3', ['--version']).status === 0;

async function run(program: string, url: string): Promise<string[]> {
  const file = join(folder, 'program.py');
  writeFileSync(file, program);
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: join(root, 'clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    REMESA_URL: url,
  };
  return (await promisify(execFile)('python3', [file], { env, timeout: 60_000 })).stdout.trim().split('\n');
}

/** A service that answers what the test says, and remembers what it was asked. */
const asked: { readonly path: string; readonly key: string | undefined; readonly token: string | undefined }[] = [];
/** What `/oauth/token` answers before it gives a token. */
let tokenRefusals: ('overloaded' | 'reset' | 'refused')[] = [];
let answers: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object }[] = [];
const fake = createServer((request: IncomingMessage, response) => {
  const { url = '', headers } = request;
  if (url === '/oauth/token') {
    asked.push({ path: url, key: undefined, token: undefined });
    const refusal = tokenRefusals.shift();
    if (refusal === 'reset') return void request.socket.destroy();
    if (refusal === 'overloaded') return void response.writeHead(503, { 'retry-after': '0' }).end('{}');
    if (refusal === 'refused') return void response.writeHead(401).end('{"error":"invalid_client"}');
    response.end(JSON.stringify({ access_token: `token-${asked.length}`, expires_in: 3600 }));
    return;
  }
  asked.push({ path: url, key: headers['idempotency-key'] as string | undefined, token: headers.authorization });
  const { status, headers: sent = {}, body = {} } = answers.shift() ?? { status: 500 };
  // The connection ends in the middle of the body.
  if (status === 0) {
    response.writeHead(200, { 'content-length': '100' }).flushHeaders();
    return void response.write('{', () => request.socket.end());
  }
  response.writeHead(status, { 'content-type': 'application/json', ...sent }).end(JSON.stringify(body));
});
let fakeUrl = '';

beforeAll(async () => {
  fake.listen(0, '127.0.0.1');
  await once(fake, 'listening');
  fakeUrl = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
});
afterAll(() => void fake.close());

const beginning = `import os
from remesa import NoAnswer, NotSent, Remesa, RemesaError, read_notification
remesa = Remesa(os.environ["REMESA_URL"], "demo", "demo-secret")
`;

it.skipIf(!hasPython)('the example in Python completes an order, as it stands', async () => {
  const [, example = ''] = /```python\n([\s\S]*?)```/.exec(readme) ?? [];
  const printed = await run(example, running.service.url);
  expect(printed).toEqual([
    expect.stringMatching(/^Show this form to Ana: http:/),
    expect.stringMatching(/^Ana pays 100 EUR with RF/),
    expect.stringMatching(/^Completed: [\d.]+ KES$/),
    'Orders: 1',
    'amount_out_of_range 5',
  ]);
});

it.skipIf(!hasPython)(
  'in Python a call that is safe is repeated, with the same key, after as long as the service says',
  async () => {
    asked.length = 0;
    answers = [
      { status: 503, headers: { 'retry-after': '0' }, body: { code: 'overloaded' } },
      { status: 401, body: { code: 'unauthorized' } },
      { status: 200, body: { code: 'rt_1', amountIn: 0.1 } },
      { status: 503, body: { code: 'overloaded' } },
    ];
    const printed = await run(
      `${beginning}
quote = remesa.rates.create({"fiatIn": "EUR", "fiatOut": "KES", "amountIn": 1})
print(quote["amountIn"] * 3)
try:
    remesa.call("POST", "/orders/preflight", {})
except RemesaError as error:
    print(error.status, error.code)
`,
      fakeUrl,
    );
    expect(printed).toEqual(['0.3', '503 overloaded']);
    const [, first, second, , third, last] = asked;
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect([second?.key, third?.key]).toEqual([first?.key, first?.key]);
    expect([first?.token, second?.token, third?.token]).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-4']);
    // A call without a key may have been carried out: it is not repeated.
    expect([last?.path, last?.key, asked.length]).toEqual(['/orders/preflight', undefined, 6]);
  },
);

it.skipIf(!hasPython)('in Python a token is asked for again, and a call that was not sent is told apart', async () => {
  const post = (refusals: typeof tokenRefusals, retries: number) => {
    asked.length = 0;
    tokenRefusals = refusals;
    answers = [{ status: 200, body: { done: true } }];
    return run(
      `${beginning}
remesa = Remesa(os.environ["REMESA_URL"], "demo", "demo-secret", retries=${retries})
try:
    print(remesa.call("POST", "/orders/preflight", {}))
except (NoAnswer, RemesaError) as error:
    print(type(error).__name__)
`,
      fakeUrl,
    );
  };
  expect(await post(['overloaded', 'reset'], 2)).toEqual(["{'done': True}"]);
  expect(asked.map(({ path }) => path)).toEqual([...Array(3).fill('/oauth/token'), '/orders/preflight']);
  expect(await post(['reset'], 0)).toEqual(['NotSent']);
  // A wrong secret is not tried again.
  expect([await post(['refused'], 2), asked.length]).toEqual([['RemesaError'], 1]);
});

it.skipIf(!hasPython)('in Python an answer that ends early is no answer, and a safe call is repeated', async () => {
  answers = [{ status: 0 }, { status: 200, body: { id: 'a' } }, { status: 0 }];
  const printed = await run(
    `${beginning}
print(remesa.call("GET", "/orders/a"))
try:
    remesa.call("POST", "/orders/preflight", {})
except NoAnswer as error:
    print(type(error).__name__)
`,
    fakeUrl,
  );
  expect(printed).toEqual(["{'id': 'a'}", 'NoAnswer']);
});

it.skipIf(!hasPython)('in Python pages follow one another, and what is not there is said', async () => {
  asked.length = 0;
  answers = [
    { status: 200, headers: { link: '</merchant/orders?limit=1&after=x%2B1>; rel="next"' }, body: [{ id: 'a' }] },
    { status: 200, body: [{ id: 'b' }] },
  ];
  const printed = await run(
    `${beginning}
print([order["id"] for order in remesa.orders.list_all(limit=1, external_order_id="a b")])
try:
    remesa.orders.destroy("x")
except AttributeError as error:
    print(str(error)[:22])
`,
    fakeUrl,
  );
  expect(printed).toEqual(["['a', 'b']", 'orders has no destroy.']);
  expect(asked.slice(1).map(({ path }) => path)).toEqual([
    '/merchant/orders?limit=1&externalOrderId=a+b',
    '/merchant/orders?limit=1&after=x%2B1',
  ]);
});

it('clients for Go, Java and PHP are generated by the commands of the guide', async () => {
  const text = await (await fetch(`${running.service.url}/openapi.merchant.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), text);
  const commands = [...readme.matchAll(/^npx @redocly\/cli@([\d.]+) (generate-client .+ --generator \w+ -o \S+)$/gm)];
  expect(commands).toHaveLength(3);
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [, version, line = ''] of commands) {
    expect(version).toBe(devDependencies['@redocly/cli']);
    const redocly = join(root, 'node_modules/.bin/redocly');
    expect(spawnSync(redocly, line.split(' '), { cwd: folder }).status).toBe(0);
  }
  const made = ['remesa.go', 'Remesa.java', 'remesa.php'].map((name) => statSync(join(folder, name)).size);
  expect(Math.min(...made)).toBeGreaterThan(50_000);
});
