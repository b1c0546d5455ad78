/** The commands of the guides, pasted one after the other by somebody who has done the quick start. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { firstRequests } from '../../src/startup/welcome.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const running = useService(useTestDatabase());
const shown = 'http://127.0.0.1:3000';
const textOf = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
/** Without those that start a program of the reader. */
const commandsOf = (guide: string) =>
  [...textOf(`docs/${guide}.md`).matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, code = '']) => code)
    .filter((code) => !/^(npm|node) /m.test(code));

/** What the quick start leaves behind. */
let known = '';

async function paste(commands: readonly string[]): Promise<string> {
  const text = commands.join('\necho\n').replaceAll(shown, running.service.url);
  return (await promisify(execFile)('bash', ['-euc', text], { timeout: 30_000 })).stdout;
}

beforeAll(async () => {
  const requests = firstRequests(shown).slice(0, 7);
  const made = await paste([...requests, 'echo "known $TOKEN $USER_ID $ORDER"']);
  const [, token, user, order] = /^known (\S+) (\S+) (\S+)$/m.exec(made) ?? [];
  known = `BASE_URL=${shown}; TOKEN=${token}; USER_ID=${user}; ORDER_ID=${order}`;
});

it.each<readonly [guide: string, refusals: readonly string[]]>([
  ['users-and-tokens', []],
  ['retries', ['invalid_fields']],
  ['reconciliation', []],
  ['transfer-pages', []],
  ['limits', []],
  ['quotes', []],
  ['beneficiaries', []],
  ['webhooks', []],
])('the commands of %s are answered, with no other error than the guide shows', async (guide, refusals) => {
  const commands = commandsOf(guide);
  expect(commands.length).toBeGreaterThan(0);
  const answers = await paste([known, ...commands]);
  const codes = [...answers.matchAll(/"type":"[^"]*\/docs\/errors#(\w+)"/g)].map(([, code]) => code);
  expect(codes).toEqual(refusals);
});

it('the guide to retries repeats a request with the same answer', async () => {
  const quotes = (await paste([known, ...commandsOf('retries').slice(0, 1)])).match(/rt_[0-9A-Z]+/g) ?? [];
  expect(quotes).toHaveLength(2);
  expect(new Set(quotes).size).toBe(1);
});
