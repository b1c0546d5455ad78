import { afterEach, expect, it, vi } from 'vitest';
import { Refresher } from '../../src/worker/refresher.js';

/** Loads that end when the test says so. */
function controlledLoads() {
  const pending: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const load = () => new Promise<void>((resolve, reject) => pending.push({ resolve, reject }));
  return { pending, load };
}

const turn = () => new Promise(setImmediate);

afterEach(() => {
  vi.useRealTimers();
});

it('runs one load at a time, and callers that come during a load share a later one', async () => {
  const { pending, load } = controlledLoads();
  const refresher = new Refresher(load, 1_000);
  const first = refresher.refresh();
  await turn();
  let ended = 0;
  const later = [refresher.refresh(), refresher.refresh()].map((refresh) => refresh.then(() => (ended += 1)));
  await turn();
  expect(pending).toHaveLength(1);
  pending[0]?.resolve();
  await first;
  await turn();
  expect([pending.length, ended]).toEqual([2, 0]);
  pending[1]?.resolve();
  await Promise.all(later);
  expect(pending).toHaveLength(2);
});

it('throws the error of its own load, and not that of the load before', async () => {
  const { pending, load } = controlledLoads();
  const refresher = new Refresher(load, 1_000);
  const first = refresher.refresh();
  await turn();
  const second = refresher.refresh();
  pending[0]?.reject(new Error('the first load failed'));
  await expect(first).rejects.toThrow('the first load failed');
  await turn();
  pending[1]?.resolve();
  await expect(second).resolves.toBeUndefined();
});

it('loads at the start and then at every interval, also after a failure, until it is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let loads = 0;
  const refresher = new Refresher(async () => {
    loads += 1;
    if (loads === 2) throw new Error('the database is away');
  }, 1_000);
  await refresher.start();
  for (const expected of [2, 3]) {
    vi.advanceTimersByTime(1_000);
    await turn();
    expect(loads).toBe(expected);
  }
  refresher.stop();
  vi.advanceTimersByTime(5_000);
  await turn();
  expect(loads).toBe(3);
});
