import { afterEach, expect, it, vi } from 'vitest';
import { PartsProgress, Progress, withProgress } from '../../src/commands/progress.js';

function shown(isTTY: boolean, steps: readonly (readonly [ms: number, done: number])[], total?: number): string {
  let [text, now] = ['', 0];
  const output = {
    isTTY,
    write(line: unknown) {
      text += line;
      return true;
    },
  };
  const progress = new Progress('Checksums', total, output, () => now);
  for (const [ms, done] of steps) {
    now = ms;
    progress.at(done);
  }
  progress.end();
  return text;
}

it('a terminal has one line with share, rate and time left, which is removed at the end', () => {
  expect(
    shown(
      true,
      [
        [100, 1],
        [1000, 25_000],
      ],
      100_000,
    ),
  ).toBe('\r\u001b[KChecksums: 25 % (25 k of 100 k), 25 k/s, 3 s left\r\u001b[K');
});

it('elsewhere there is a line each minute, and none for what is done sooner', () => {
  expect(
    shown(
      false,
      [
        [1000, 25_000],
        [59_000, 50_000],
      ],
      100_000,
    ),
  ).toBe('');
  expect(
    shown(
      false,
      [
        [60_000, 600],
        [61_000, 610],
        [120_000, 1200],
      ],
      6000,
    ),
  ).toBe('Checksums: 10 % (600 of 6000), 10/s, 9 min 0 s left\nChecksums: 20 % (1200 of 6000), 10/s, 8 min 0 s left\n');
});

it('the progress of work without a known total shows what is done', () => {
  expect(shown(false, [[60_000, 600]])).toBe('Checksums: 600, 10/s\n');
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a part that takes long is shown each minute too, and nothing is shown once the work has failed', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  const work = withProgress('Migrations', 29, async (progress) => {
    progress.at(12);
    await new Promise((resolve) => setTimeout(resolve, 150_000));
    throw new Error('failed');
  });
  const failure = expect(work).rejects.toThrow('failed');
  await vi.advanceTimersByTimeAsync(200_000);
  await failure;
  expect(lines.map((line) => line.replace(/,.*/s, ''))).toEqual([
    'Migrations: 41 % (12 of 29)',
    'Migrations: 41 % (12 of 29)',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it('work in several parts shows each with its own total', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text).trim());
    return true;
  });
  const parts = new PartsProgress({ heads: 'Signed heads', entries: 'Entries' });
  parts.at('heads', 0, 10);
  vi.advanceTimersByTime(60_000);
  parts.at('heads', 5, 10);
  parts.at('entries', 0, 1000);
  vi.advanceTimersByTime(60_000);
  parts.at('entries', 100, 1000);
  parts.end();
  expect(lines).toEqual([
    'Signed heads: 50 % (5 of 10), 0/s, 1 min 0 s left',
    'Entries: 10 % (100 of 1000), 2/s, 9 min 0 s left',
  ]);
});
