/** Whatever is uploaded, the process that serves everybody else stays small and quick. On the compiled code. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { slowness } from '../harness/slowness.js';
import { corpus } from './corpus.js';

const compiled = fileURLToPath(new URL('../../dist/kyc/documents/inspector.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'remesa-corpus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
endProcessesAfterEach();

beforeAll(async () => {
  for (const [index, file] of corpus.entries())
    writeFileSync(join(folder, String(index)), await file.bytes());
}, 300_000);

it('the hostile files, four at a time, neither fill its memory nor hold it up', {
  timeout: 900_000,
}, async () => {
  expect(existsSync(compiled)).toBe(true);
  const slower = await slowness();
  const limits = { checkMs: Math.round(20_000 * slower), startMs: 60_000, waitMs: 600_000 };
  const program = startProgram('test/kyc-documents/measuring-program.ts', {}, [
    compiled,
    folder,
    JSON.stringify(limits),
  ]);
  await new Promise((resolve) => program.process.on('close', resolve));
  const measured = JSON.parse(program.output().trim().split('\n').at(-1) ?? '');

  // In the compiled form too, each file comes to what it must.
  const wrong = corpus.filter(
    (file, index) => !(file.outcome as string[]).includes(measured.outcomes[index]),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
  expect(measured.heldBytes).toBe(0);
  expect(measured.grownBytes).toBeLessThan(100 * 1024 * 1024);
  // Decoding one of the bombs would hold it up for seconds even on a free machine.
  expect(measured.latestMs).toBeLessThan(500 * slower);
});
