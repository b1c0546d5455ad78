import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type FollowedEvent, follow } from '../../src/commands/listen/follower.js';
import { StateFile } from '../../src/commands/listen/state-file.js';

const folder = mkdtempSync(join(tmpdir(), 'remesa-listen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const event = (sequence: number): FollowedEvent => ({
  ...{
    id: `evt_${sequence}`,
    channel: 'order',
    type: 'order.completed',
    timestamp: '2026-11-15T09:00:00.000Z',
  },
  data: { sequence, object: { id: 'ord_1', status: 'COMPLETED' } },
});
const log = [1, 2, 3, 4, 5].map(event);

it('hands over each event in order, again when the receiver failed, and goes on after a restart where it was', async () => {
  const path = join(folder, 'state.json');
  const taken: number[] = [];
  const run = (takesAtMost: number, failsAt?: number) => {
    const state = new StateFile(path);
    const stopping = new AbortController();
    let failures = 0;
    let count = 0;
    return follow({
      read: async (after) => log.filter(({ data }) => data.sequence > after).slice(0, 2),
      async hand({ data }) {
        if (data.sequence === failsAt && failures === 0) {
          failures += 1;
          throw new Error('the receiver is down');
        }
        taken.push(data.sequence);
        count += 1;
        if (count === takesAtMost) stopping.abort();
      },
      cursor: state.cursorOf('order') ?? 0,
      saveCursor: (sequence) => state.save('order', sequence),
      complain: () => {},
      signal: stopping.signal,
    });
  };
  await run(2, 2);
  expect(taken).toEqual([1, 2]);
  await run(3);
  expect(taken).toEqual([1, 2, 3, 4, 5]);
  expect(new StateFile(path).cursorOf('order')).toBe(5);
  expect(new StateFile(path).secret).toEqual(new StateFile(path).secret);
});
