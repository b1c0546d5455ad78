import { expect, it } from 'vitest';
import { Grouped } from '../../src/worker/batcher.js';

/** Performs when the test says so. */
function held() {
  const groups: number[][] = [];
  const ends: ((answers: string[]) => void)[] = [];
  const perform = (items: readonly number[]) => {
    groups.push([...items]);
    return new Promise<string[]>((resolve) => ends.push(resolve));
  };
  return { groups, ends, perform };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

it('what comes while one group is under way goes with the next, never beside it, and each gets its own answer', async () => {
  const { groups, ends, perform } = held();
  const grouped = new Grouped({ gatherMs: 0, itemsAtOnce: 3, perform });
  const answers = [1, 2].map((item) => grouped.add(item));
  await turn();
  answers.push(...[3, 4, 5, 6].map((item) => grouped.add(item)));
  await turn();
  expect(groups).toEqual([[1, 2]]);
  ends[0]?.(['one', 'two']);
  await turn();
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  ends[1]?.(['three', 'four', 'five']);
  await turn();
  ends[2]?.(['six']);
  expect(await Promise.all(answers)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});

it('a group that fails fails for each of its own, and the next is performed all the same', async () => {
  let calls = 0;
  const grouped = new Grouped({
    gatherMs: 0,
    itemsAtOnce: 2,
    async perform(items: readonly number[]) {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return items.map(String);
    },
  });
  const [one, two, three] = [grouped.add(1), grouped.add(2), grouped.add(3)];
  await expect(one).rejects.toThrow('away');
  await expect(two).rejects.toThrow('away');
  expect(await three).toBe('3');
});
