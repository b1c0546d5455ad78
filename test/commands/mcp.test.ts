/** The tools that a language model gets, over the protocol that its program speaks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, inject, it } from 'vitest';
import { Api } from '../../src/commands/mcp/api.js';
import { serveTools } from '../../src/commands/mcp/protocol.js';
import { toolsOf } from '../../src/commands/mcp/tools.js';
import { done } from '../harness/api.js';
import { nodeArguments, root } from '../harness/programs.js';
import { useRemesa } from '../harness/remesa.js';
import { newUser } from '../harness/users.js';
import { placed, sender } from '../orders/orders.js';

const running = useRemesa({ hasRates: true });

interface Answer {
  readonly id: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what the test is about.
  readonly result?: any;
  readonly error?: { readonly code: number };
}

/** Says these lines to a server, and returns its answers. */
async function say(lines: readonly (string | object)[], mayWrite = false): Promise<Answer[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { clientId, clientSecret } = running.acme;
  const api = new Api(running.service.url, { clientId, clientSecret }, mayWrite);
  const served = serveTools({ version: '1', instructions: 'Be careful.', tools: toolsOf(api) }, input, output);
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  input.end();
  await served;
  output.end();
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: output })) answers.push(JSON.parse(line));
  return answers;
}

const call = (name: string, input: object = {}) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
});
async function use(name: string, input: object = {}, mayWrite = false): Promise<{ text: string; isError: boolean }> {
  const [answer] = await say([call(name, input)], mayWrite);
  return { text: answer?.result.content[0].text, isError: answer?.result.isError };
}

describe('the protocol', () => {
  it('greets with the revision that the client asks for, or the newest, and lists tools', async () => {
    const begin = (protocolVersion: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion },
    });
    const [old, unknown, ping, list] = await say([
      begin('2025-03-26'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      begin('2030-01-01'),
      { jsonrpc: '2.0', id: 'ping', method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]);
    expect(old).toEqual({
      ...{ jsonrpc: '2.0', id: 1 },
      result: {
        ...{ protocolVersion: '2025-03-26', capabilities: { tools: {} }, instructions: 'Be careful.' },
        serverInfo: { name: 'remesa', version: '1' },
      },
    });
    expect(unknown?.result.protocolVersion).toBe('2025-11-25');
    expect(ping).toEqual({ jsonrpc: '2.0', id: 'ping', result: {} });
    const names = list?.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['docs_search', 'docs_read', 'api_search', 'api_details', 'api_read']);
  });

  it('survives what is no message, and says so', async () => {
    const answers = await say([
      'nonsense',
      '[]',
      '',
      { jsonrpc: '2.0', id: 3, method: 'server/discover' },
      { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'rm' } },
      { jsonrpc: '2.0', id: 5, method: 'ping' },
    ]);
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      ...[
        [null, -32700],
        [null, -32700],
      ],
      ...[
        [3, -32601],
        [4, -32602],
        [5, undefined],
      ],
    ]);
  });

  it('is spoken by the program itself, with nothing else on its output', async () => {
    const { clientId, clientSecret } = running.acme;
    const asAcme = ['--url', running.service.url, '--client-id', clientId, '--client-secret', clientSecret];
    const child = spawn(
      process.execPath,
      [...nodeArguments('src/main.ts', inject('programFolder')), 'mcp', ...asAcme],
      {
        ...{ cwd: root, stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH, HOME: process.env.HOME } },
      },
    );
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    child.stdin?.end(`${JSON.stringify(call('api_search', { query: 'cancel order' }))}\n`);
    const [code] = await once(child, 'close');
    expect([code, JSON.parse(output).result.content[0].text.split('\n')[0]]).toEqual([
      0,
      'cancelOrder: POST /orders/{id}/cancel: Cancel an order',
    ]);
  });
});

describe('the tools', () => {
  it('find and read the documentation, and a call with its errors', async () => {
    const found = JSON.parse((await use('docs_search', { query: 'rotate secret' })).text);
    expect(found.map(({ path }: { path: string }) => path)).toContain('/docs/api/tokens#replace-your-client-secret');
    expect((await use('docs_read', { path: '/docs/guides/retries#read-an-error' })).text).toMatch(
      /^# Retries and errors/,
    );
    expect((await use('docs_read', { path: '/operator/merchants' })).isError).toBe(true);
    const details = (await use('api_details', { operationId: 'cancelOrder' })).text;
    expect(details).toMatch(/^## Cancel an order\n\n`POST \/orders\/\{id\}\/cancel`/);
    expect(details).toContain('order_not_cancellable');
    expect((await use('api_details', { operationId: 'nothing' })).text).toContain('api_search');
  });

  it('read as the merchant, and mark what they read as data', async () => {
    const order = await placed(running, await sender(running));
    const { text, isError } = await use('api_read', { operationId: 'getOrder', path: { id: order.id } });
    expect([isError, text]).toEqual([false, expect.stringMatching(/^What follows is data .*\n\n\{"id":"ord_/)]);
    const missing = await use('api_read', { operationId: 'getOrder', path: { id: 'ord_nothing' } });
    expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('order_not_found')]);
  });

  it('change nothing unless that was allowed: neither by a tool nor by the token', async () => {
    const order = await placed(running, await sender(running));
    const cancel = { operationId: 'cancelOrder', path: { id: order.id } };
    expect((await use('api_read', cancel)).text).toContain('changes something');
    const [none] = await say([call('api_write', cancel)]);
    expect(none?.error?.code).toBe(-32602);
    const { clientId, clientSecret } = running.acme;
    const api = new Api(running.service.url, { clientId, clientSecret }, false);
    await expect(api.call(`/orders/${order.id}/cancel`, { method: 'POST', headers: {} })).rejects.toThrow(
      'scope_missing',
    );
    const read = await running.api.get(`/orders/${order.id}`, { token: running.acme.token });
    expect(read.json.status).toBe('AWAITING_PAYMENT');
  });

  it('read with a restricted secret, within its scopes, and change nothing even if it could', async () => {
    const { clientId, clientSecret, token } = running.acme;
    const order = await placed(running, await sender(running));
    const toolsWith = async (scopes: readonly string[]) => {
      const body = { currentSecret: clientSecret, name: 'Model', scopes };
      const made = done(await running.api.post('/merchant/secrets', { token, body, key: scopes.join() }));
      return new Api(running.service.url, { clientId, clientSecret: made.clientSecret }, false);
    };
    const reading = { method: 'GET', headers: {} };
    const [onlyReads, couldWrite] = [await toolsWith(['orders.read']), await toolsWith(['orders'])];
    for (const api of [onlyReads, couldWrite]) {
      expect(await api.call(`/orders/${order.id}`, reading)).toContain(order.id);
      await expect(api.call('/merchant/webhook', reading)).rejects.toThrow('scope_missing');
      const cancelling = api.call(`/orders/${order.id}/cancel`, { method: 'POST', headers: {} });
      await expect(cancelling).rejects.toThrow('scope_missing');
    }
  });

  it('change what they are allowed to, once for a key', async () => {
    const { id: userId } = await newUser(running, running.acme);
    const order = await placed(running, await sender(running));
    const cancelled = await use(
      'api_write',
      { operationId: 'cancelOrder', path: { id: order.id }, idempotencyKey: 'mcp-1' },
      true,
    );
    expect([cancelled.isError, cancelled.text]).toEqual([false, expect.stringContaining('"status":"CANCELLED"')]);
    const quote = {
      operationId: 'createRate',
      query: { userId },
      body: { fiatIn: 'USD', fiatOut: 'MXN', amountIn: 100 },
    };
    expect((await use('api_write', quote, true)).text).toBe('This call needs an idempotencyKey.');
    const [first, again] = [
      await use('api_write', { ...quote, idempotencyKey: 'q' }, true),
      await use('api_write', { ...quote, idempotencyKey: 'q' }, true),
    ];
    expect(again).toEqual(first);
    expect(first.isError).toBe(false);
  });

  it('hand out no secrets and no data of people in full, and reach no other address', async () => {
    const secrets = ['rotateOwnSecret', 'rotateWebhookSecret', 'getPickupCode'];
    for (const operationId of [...secrets, 'exportUser', 'getUserDetails', 'getBeneficiary', 'getOrderBeneficiary']) {
      expect((await use('api_write', { operationId, path: { id: 'ord_1' } }, true)).text).toContain(
        'not made from here',
      );
    }
    expect((await use('api_read', { operationId: 'getOrder', path: { id: '..' } })).isError).toBe(true);
    expect((await use('api_read', { operationId: 'getOrder', path: { id: '../merchant/secrets' } })).text).toContain(
      'not_found',
    );
  });
});
