import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { firstRequests } from '../../src/startup/welcome.js';
import { eventually } from '../harness/eventually.js';
import { useReceiver } from '../harness/receiver.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const readme = textOf('README.md');
const quickStart = textOf('docs/quick-start.md');
const shown = 'http://127.0.0.1:3000';

describe('README and quick start', () => {
  const running = useService(useTestDatabase());
  const receiver = useReceiver();

  it('show the first requests of the welcome, to the letter', () => {
    for (const text of [readme, quickStart])
      expect(firstRequests(shown).filter((line) => !text.includes(`\n${line}\n`))).toEqual([]);
  });

  it('lead from a token to a completed order and its notification when they are pasted in order', async () => {
    const [token, ...rest] = firstRequests(shown);
    const register = `curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"url": "${receiver.url}"}' ${shown}/merchant/webhook/order-notification`;
    const pasted = [token, register, ...rest].join('\necho\n').replaceAll(shown, running.service.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', pasted], { timeout: 60_000 });
    const answers = stdout.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [JSON.parse(line)] : []));
    const [user, levels, payment, order, events] = answers;
    expect(user).toEqual({
      id: expect.any(Number),
      externalClientId: expect.stringMatching(/^cli_[0-9A-Z]{26}$/),
    });
    expect(levels).toEqual({ userId: user.id, kycLevels: ['LEVEL_1'] });
    expect(payment).toMatchObject({ amount: 100, currency: 'EUR', outcome: 'applied', orderId: order.id });
    expect(order).toMatchObject({ userId: user.id, status: 'COMPLETED', amountIn: 100, amountOut: 1981.54 });
    expect(quickStart).toContain('"status":"COMPLETED"');
    expect(events.map(({ type }: { type: string }) => type)).toContain('order.completed');
    const completed = await eventually(
      async () => receiver.received.find(({ body }) => body.includes('"type":"order.completed"')),
      { what: 'the notification of the completed order' },
    );
    expect(JSON.parse(completed.body).data.object).toMatchObject({ id: order.id, status: 'COMPLETED' });
  });

  it('work in the order of the quick start, each command pasted after the ones before', async () => {
    const commands = [...quickStart.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => `${code}\necho\n`);
    const pasted = commands.join('').replaceAll(shown, running.service.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
    const answers = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers.filter(({ code }) => String(code).startsWith('rt_')).map(({ status }) => status)).toEqual([
      undefined,
      'open',
    ]);
    const refusals = answers.filter(({ type }) => type !== undefined);
    expect(refusals.map(({ code }) => code)).toEqual(['amount_out_of_range']);
    const { requestId: _, ...refusal } = refusals[0];
    const text = JSON.stringify(refusal).replaceAll(running.service.url, shown).slice(1, -1);
    for (const part of text.split(',"min"')) expect(quickStart).toContain(part);
  });
});
