/** No request leaves for an address that is not public, whatever a merchant, his name server or his receiver tries. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namespaceCommand } from '../harness/network-namespace.js';
import { nodeArguments, root } from '../harness/programs.js';
import { type SsrfOutcome, ssrfCases } from './ssrf-cases.js';

const command = namespaceCommand();
const skipped = typeof command === 'string' ? command : undefined;
if (skipped !== undefined) {
  const message = `NO NETWORK NAMESPACE: the SSRF matrix does not run. ${skipped}`;
  console.warn(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
}

const folder = mkdtempSync(join(tmpdir(), 'remesa-ssrf-'));
const proxy = 'http://10.9.9.9:8080';
/** Nobody of ours reads them; they stand for every case, so that every case would show it. */
const proxies = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  ALL_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  all_proxy: proxy,
  NODE_USE_ENV_PROXY: '1',
  npm_config_proxy: proxy,
  NO_PROXY: '',
};

describe.skipIf(skipped !== undefined)('in a network where every address answers', () => {
  let trap: { reached: string[]; connectionsBegun: number };
  let questions: string[];
  let outcomes: SsrfOutcome[];

  beforeAll(() => {
    const [program = '', ...args] = command as readonly string[];
    const own = [
      process.execPath,
      ...nodeArguments('test/faults/ssrf-matrix-program.ts', inject('programFolder')),
      folder,
    ];
    const { stdout, stderr, status } = spawnSync(program, [...args, ...own], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...proxies },
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    });
    if (status !== 0) throw new Error(`the program ended with ${status}: ${stderr}`);
    ({ trap, questions, outcomes } = JSON.parse(stdout));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a call without the guard is seen', () => {
    expect(trap).toEqual({
      reached: ['10.0.0.1', '169.254.169.254', '::127.0.0.1', '64:ff9b::7f00:1'],
      connectionsBegun: 4,
    });
  });

  it('a look-up is called off in time: it does not ask again', () => {
    expect(questions).toEqual(['A silent.example', 'AAAA silent.example']);
  });

  it('tries at least a hundred cases', () => {
    expect(outcomes.length).toBeGreaterThan(100);
    expect(outcomes).toHaveLength(ssrfCases.length);
  });

  it.each(ssrfCases.map((each, index) => [each.mode, each.what, each.url, index] as const))(
    '%s: %s (%s)',
    (_mode, _what, _url, index) => {
      expect(outcomes[index]).toEqual(ssrfCases[index]?.expected);
    },
  );
});
