import { expect, it } from 'vitest';
import { Batcher } from '../../src/worker/batcher.js';

/** Batches that end when the test ends them. */
function controlledBatches() {
  const batches: number[][] = [];
  const ends: ((results: string[]) => void)[] = [];
  const perform = (items: readonly number[]) => {
    batches.push([...items]);
    return new Promise<string[]>((resolve) => ends.push(resolve));
  };
  return { batches, ends, perform };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

it('items that arrive during a batch wait for the next one, and each gets its own result', async () => {
  const { batches, ends, perform } = controlledBatches();
  const batcher = new Batcher({ gatherMs: 0, batchSize: 3, perform });
  const results = [1, 2].map((item) => batcher.add(item));
  await turn();
  results.push(...[3, 4, 5, 6].map((item) => batcher.add(item)));
  await turn();
  expect(batches).toEqual([[1, 2]]);
  ends[0]?.(['one', 'two']);
  await turn();
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  ends[1]?.(['three', 'four', 'five']);
  await turn();
  ends[2]?.(['six']);
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

it('performs at most as many batches at once as its concurrency allows', async () => {
  const { batches, ends, perform } = controlledBatches();
  const batcher = new Batcher({ batchSize: 2, concurrency: 2, perform });
  const results: Promise<string>[] = [];
  for (const item of [1, 2, 3]) {
    results.push(batcher.add(item));
    await turn();
  }
  expect(batches).toEqual([[1], [2]]);
  ends[1]?.(['two']);
  await turn();
  expect(batches).toEqual([[1], [2], [3]]);
  ends[0]?.(['one']);
  ends[2]?.(['three']);
  expect(await Promise.all(results)).toEqual(['one', 'two', 'three']);
});

it('a batch that fails rejects each of its items, and the next batch is performed', async () => {
  let calls = 0;
  const batcher = new Batcher({
    gatherMs: 0,
    batchSize: 2,
    async perform(items: readonly number[]) {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return items.map(String);
    },
  });
  const [first, second, third] = [batcher.add(1), batcher.add(2), batcher.add(3)];
  await expect(first).rejects.toThrow('away');
  await expect(second).rejects.toThrow('away');
  expect(await third).toBe('3');
});
