import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Logs 60,000 lines, then reports its memory use on standard error. */
const program = `
  import { createLog } from './src/log.ts';
  const sink = createLog({ level: 'info' });
  const filler = 'x'.repeat(1000);
  let written = 0;
  const logging = setInterval(() => {
    for (let line = 0; line < 500; line += 1) sink.log.info({ filler }, 'line');
    written += 500;
    if (written === 60000) {
      clearInterval(logging);
      sink.flush();
      process.stderr.write(JSON.stringify({ megabytes: process.memoryUsage().rss / 2 ** 20 }));
    }
  }, 1);`;

it('the process keeps running with bounded memory when the reader of its log closes the pipe', async () => {
  child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  let report = '';
  child.stderr?.on('data', (data) => {
    report += data;
  });
  // Like `| head -1`: reads a little, then closes the pipe.
  child.stdout?.once('data', () => child?.stdout?.destroy());
  const [code, signal] = await once(child, 'close');

  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(JSON.parse(report).megabytes).toBeLessThan(200);
});
