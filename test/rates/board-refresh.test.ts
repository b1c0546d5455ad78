import { expect, it } from 'vitest';
import type { Queryable } from '../../src/postgres/statement.js';
import { Board } from '../../src/rates/board/board.js';
import { seedCorridors } from '../../src/rates/corridors/seed.js';
import { eventually } from '../harness/eventually.js';
import { useTestDatabase } from '../harness/test-database.js';

const { database } = useTestDatabase();

it('never runs two refreshes of the board at once, and shows what was committed before the last one was asked for', async () => {
  let reads = 0;
  const waiting: (() => void)[] = [];
  /** The answers to the first refresh arrive when the test lets them. */
  const slowAtFirst: Queryable = {
    async query(statement, values) {
      reads += 1;
      const isFirst = reads <= 3;
      const rows = await database.query(statement, values);
      if (isFirst) await new Promise<void>((resolve) => waiting.push(resolve));
      return rows;
    },
  };
  const board = new Board(slowAtFirst, [], { now: () => new Date() });
  const first = board.refresh();
  await eventually(async () => waiting.length === 3);
  await database.transaction((tx) => seedCorridors(tx, { isOpen: true }));
  const later = [board.refresh(), board.refresh()];
  expect(reads).toBe(3);
  for (const release of waiting) release();
  await first;
  expect(board.corridors()).toEqual([]);
  await Promise.all(later);
  expect(reads).toBe(6);
  expect(board.corridors().length).toBeGreaterThan(0);
});
