import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const running = useService(useTestDatabase());

it('every command under First requests of the README works when it is pasted after the ones before', async () => {
  const [, section = ''] = readme.split('\n## First requests\n');
  const [first = ''] = section.split('\n## ');
  const commands = [...first.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => `${code}\necho\n`);
  const pasted = commands.join('').replaceAll('http://127.0.0.1:3000', running.service.url);
  const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
  const answers = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  expect(answers.filter(({ code }) => String(code).startsWith('rt_')).map(({ status }) => status)).toEqual([
    undefined,
    'open',
  ]);
  const refusals = answers.filter(({ type }) => type !== undefined);
  expect(refusals.map(({ code }) => code)).toEqual(['amount_out_of_range']);
  const { requestId: _, ...refusal } = refusals[0];
  const shown = JSON.stringify(refusal).replaceAll(running.service.url, 'http://127.0.0.1:3000').slice(1, -1);
  for (const part of shown.split(',"min"')) expect(readme).toContain(part);
});
