/**
 * `npm run test:failover`: the service under traffic while the primary of a Patroni cluster is lost again and again.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { faults } from './faults.js';
import { type PoolMode, pgbouncerPorts, startPgbouncer } from './pgbouncer.js';
import { playRound } from './round.js';
import { runCommand } from './service-node.js';
import { type RunningSetup, rolePassword, urlOf, useNodes, useSetup } from './setup.js';

const roundsEach = Number(process.env.FAILOVER_ROUNDS ?? 4);
const setup = useSetup();
const haproxy = urlOf('remesa', rolePassword);

const throughHaproxy = { DATABASE_URL: haproxy, DATABASE_REPLICATION: 'synchronous' };

describe('through HAProxy', () => {
  useNodes(setup, 'haproxy', () => throughHaproxy);
  describeRounds(setup, 'HAProxy', roundsEach);
});

describe.each<PoolMode>(['session', 'transaction'])('through PgBouncer in %s mode', (mode) => {
  const settings = {
    DATABASE_URL: urlOf('remesa', rolePassword, pgbouncerPorts[mode]),
    DATABASE_DIRECT_URL: haproxy,
    DATABASE_POOLER: mode,
    DATABASE_REPLICATION: 'synchronous',
  };
  beforeAll(() => startPgbouncer(setup.cluster.folder, mode, rolePassword));
  useNodes(setup, mode, () => settings);
  describeRounds(setup, `PgBouncer ${mode}`, Math.min(roundsEach, 1));

  it('remesa doctor finds no fault', () => {
    const { output, code } = runCommand(setup.cluster.folder, settings, ['doctor']);
    expect(output).toContain('COMMIT waits for a standby; 1 connected.');
    expect(output).not.toMatch(/^fault/m);
    expect(code).not.toBe(1);
  });
});

it('remesa verify finds no fault in the audit log after all rounds', () => {
  const { output, code } = runCommand(setup.cluster.folder, throughHaproxy, ['verify']);
  expect(output).toMatch(/ 0 faults\./);
  expect(code).not.toBe(1);
});

function describeRounds(running: RunningSetup, way: string, count: number): void {
  const all = Array.from({ length: count }, () => faults).flat();
  it.each(all.map((fault, index) => [fault.name, index + 1, fault] as const))(
    'nothing is lost and both nodes serve within 15 s of the new primary when the old one is %s (round %i)',
    { timeout: 400_000 },
    async (_name, number, fault) => {
      const figures = await playRound(running, fault);
      running.figures[`${way} ${number}`] = figures;
      console.log(way, number, JSON.stringify(figures));
      expect(figures.acknowledged).toBeGreaterThan(0);
    },
  );
}
