/** Fifty hostile receivers at once take no memory worth the name, and nothing from a good one. */
import { expect, it } from 'vitest';
import { AddressGuard } from '../../src/outgoing/guard.js';
import type { AttemptResult } from '../../src/webhooks/delivery/attempt.js';
import { EndpointClient } from '../../src/webhooks/delivery/client.js';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { rounds } from '../harness/rounds.js';

endProcessesAfterEach();

const guard = new AddressGuard({ allowsLoopback: true, allowedNetworks: [] });
/** Short enough for some rounds, long enough for a machine that is busy with other things. */
const limits = { headMs: 1_500, bodyMs: 300 };
const outcomes: Readonly<Record<string, string>> = {
  'never answers': 'timeout',
  'endless body': 'answered 200',
  'lying length': 'answered 200',
  'endless header': 'protocol_error',
  'endless extension': 'answered 200',
  'dripping head': 'timeout',
  'dripping body': 'answered 200',
};

it('memory stays flat, and the good one is served all the time', { timeout: 600_000 }, async () => {
  const program = startProgram('test/webhooks/hostile-receivers-program.ts', {});
  const ports: Record<string, number> = await eventually(() => JSON.parse(program.output()), {
    withinMs: 30_000,
    what: 'the receivers',
  });
  const clientOf = (kind: string) => {
    const url = `http://127.0.0.1:${ports[kind]}/`;
    const client = new EndpointClient({ url, lanes: 4, guard, limits });
    const post = () => client.post({ headers: {}, body: Buffer.from('{}') });
    return { kind, client, post };
  };
  const hostile = Array.from({ length: 50 }, (_, index) => {
    const kinds = Object.keys(outcomes);
    return clientOf(kinds[index % kinds.length] as string);
  });
  const good = clientOf('good');

  const seen = new Set<string>();
  const attackOnce = () =>
    Promise.all(
      hostile.flatMap(({ kind, post }) =>
        Array.from({ length: 4 }, async () => {
          const result = await post();
          seen.add(`${kind}: ${wordOf(result)}`);
        }),
      ),
    );
  // What a process takes for its heap in the first rounds it does not give back.
  for (let round = 0; round < 3; round += 1) await attackOnce();
  const before = process.memoryUsage().rss;
  let most = 0;
  let served = 0;
  for (let round = 0; round < rounds(2, 60); round += 1) {
    const attack = attackOnce();
    for (let count = 0; count < 50; count += 1) {
      expect(await good.post()).toMatchObject({ kind: 'answered', status: 200 });
      served += 1;
      most = Math.max(most, process.memoryUsage().rss);
    }
    await attack;
  }
  await Promise.all([good, ...hostile].map(({ client }) => client.close()));

  expect(served).toBe(50 * rounds(2, 60));
  // A machine that stalls lets any answer come too late, so a timeout may come on top.
  const expected = Object.entries(outcomes).map(([kind, outcome]) => `${kind}: ${outcome}`);
  expect([...seen]).toEqual(expect.arrayContaining(expected));
  const others = [...seen].filter((outcome) => !expected.includes(outcome));
  expect(others.filter((outcome) => !outcome.endsWith(': timeout'))).toEqual([]);
  expect((most - before) / 1024 / 1024, 'MB of growth').toBeLessThan(50);
});

function wordOf(result: AttemptResult): string {
  if (result.kind === 'answered') return `answered ${result.status}`;
  return result.kind === 'failed' ? result.reason : result.kind;
}
