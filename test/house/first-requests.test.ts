import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { firstRequests } from '../../src/startup/welcome.js';
import { useService } from '../harness/service.js';
import { useTestDatabase } from '../harness/test-database.js';

const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8');
const shown = 'http://127.0.0.1:3000';

describe('the first requests of the README', () => {
  const { service } = wrap();

  it('are those of the welcome, to the letter', () => {
    expect(firstRequests(shown).filter((line) => !readme.includes(`\n${line}\n`))).toEqual([]);
  });

  it('work when they are pasted in order, and answer what the README shows', async () => {
    const pasted = firstRequests(shown).join('\n').replaceAll(shown, service().url);
    const { stdout } = await promisify(execFile)('bash', ['-c', pasted]);
    const [user, quote] = stdout
      .replace('}{', '}\n{')
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(user).toEqual({
      id: expect.any(Number),
      externalClientId: expect.stringMatching(/^cli_[0-9A-Z]{26}$/),
    });
    const { code, expirationDate, ...price } = quote;
    expect(code).toMatch(/^rt_[0-9A-Z]{26}$/);
    expect(Date.parse(expirationDate)).toBeGreaterThan(Date.now());
    expect(readme).toContain(JSON.stringify(price).slice(1, -1));
  });
});

function wrap() {
  const running = useService(useTestDatabase());
  return { service: () => running.service };
}
