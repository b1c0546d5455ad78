import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/postgres/embedded/server.js';
import { endEmbeddedServer, postmasterPid } from '../harness/embedded-place.js';
import { eventually } from '../harness/eventually.js';
import { isAlive } from '../harness/is-alive.js';
import { copyNewCluster } from '../harness/new-cluster.js';
import { type RunningService, startNotesService } from '../harness/processes.js';
import { FaultProxy } from '../harness/proxy.js';
import { rounds } from '../harness/rounds.js';
import { slowness } from '../harness/slowness.js';
import { postNote, Traffic } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

const hurtMs = rounds(3_000, 20_000);

describe('the database goes away under traffic', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-away-'));
  let server: EmbeddedServer;
  /** Keeps the address while the server comes back on another port. */
  let proxy: FaultProxy;
  /** The same one for all tests: it must be alive after each. */
  let service: RunningService;

  const startServer = () => startEmbeddedPostgres({ dataDirectory: folder, say: () => {} });
  beforeAll(async () => {
    await copyNewCluster(folder);
    server = await startServer();
    proxy = new FaultProxy(server.connectionString);
    service = await startNotesService({ DATABASE_URL: await proxy.listen() });
    await query(notesTable);
  });
  afterAll(async () => {
    await service?.end('SIGKILL');
    await proxy?.close();
    await server.stop().catch(() => {});
    await endEmbeddedServer(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Traffic before, during and after the harm; then everything that must hold in any case. */
  async function underTraffic(name: string, harm: () => Promise<void>): Promise<void> {
    const pauseMs = rounds(50, 0);
    const traffic = new Traffic(() => service.url, { clients: 8, name, pauseMs }).start();
    await eventually(() => traffic.acknowledged().length >= 50, { what: 'traffic before the harm' });
    await harm();
    await eventually(async () => (await postNote(service.url, `${name}-healed`)).status === 200, {
      withinMs: 10_000,
      what: 'the service being back',
    });
    const before = traffic.acknowledged().length;
    await eventually(() => traffic.acknowledged().length >= before + 50, { what: 'traffic after the harm' });
    const outcomes = await traffic.stop();

    expect(service.process.exitCode).toBeNull();
    expect(outcomes.filter(({ status }) => ![200, 409, 503].includes(status ?? 0))).toEqual([]);
    const longestMs = 5_000 * (await slowness());
    expect(outcomes.filter(({ ms }) => ms > longestMs)).toEqual([]);
    await expectNothingHalfDone(name, traffic);
  }

  async function expectNothingHalfDone(name: string, traffic: Traffic): Promise<void> {
    const [row] = await query<Record<'notes' | 'texts' | 'audited' | 'keys', number>>(
      `SELECT count(*)::int AS notes, count(DISTINCT text)::int AS texts,
              (SELECT count(*)::int FROM changes WHERE action = 'note.kept') AS audited,
              (SELECT count(*)::int FROM idempotency_keys) AS keys FROM notes`,
    );
    expect(row).toEqual({ notes: row?.notes, texts: row?.notes, audited: row?.notes, keys: row?.notes });
    const kept = new Set((await query<{ text: string }>('SELECT text FROM notes')).map(({ text }) => text));
    expect(traffic.acknowledged().filter(({ text }) => !kept.has(text))).toEqual([]);
    expect(name).not.toBe('');
  }

  async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  it('by backends that are terminated one by one: it lives, answers in 5 s, nothing is half-done', {
    timeout: 120_000,
  }, async () => {
    await underTraffic('terminated', async () => {
      const until = Date.now() + hurtMs;
      await eventually(
        async () => {
          await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE application_name IN ('remesa', 'remesa reads', 'remesa wake-ups') ORDER BY random() LIMIT 1`);
          return Date.now() > until;
        },
        { withinMs: hurtMs + 60_000, everyMs: rounds(50, 20) },
      );
    });
  });

  it('by SIGSTOP of the whole server: it lives, answers in 5 s, and is back by itself', {
    timeout: 120_000,
  }, async () => {
    await underTraffic('stopped', async () => {
      const pids = serverProcesses(server.processId);
      signalAll(pids, 'SIGSTOP');
      const began = Date.now();
      const refused = await eventually(
        async () => (await postNote(service.url, `stopped-${Date.now()}`)).status === 503,
        {
          withinMs: 15_000,
        },
      );
      expect(refused).toBe(true);
      await eventually(() => Date.now() - began > hurtMs + 4_000, { withinMs: hurtMs + 60_000 });
      signalAll(pids, 'SIGCONT');
    });
  });

  it('by kill -9 and a restart on the same port: it lives, answers in 5 s, and is back by itself', {
    timeout: 120_000,
  }, async () => {
    await underTraffic('killed', async () => {
      signalAll(serverProcesses(server.processId), 'SIGKILL');
      await eventually(() => !isAlive(server.processId), { what: 'the end of the server' });
      await server.stop().catch(() => {});
      server = await startServer();
      proxy.target.port = Number(new URL(server.connectionString).port);
    });
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('at the start: the service says what is wrong and ends', async () => {
    const unreachable = 'postgres://remesa:secret-password@127.0.0.1:1/remesa';
    await expect(startNotesService({ DATABASE_URL: unreachable })).rejects.toThrow(
      'No PostgreSQL server listens at 127.0.0.1:1. Start it, or correct DATABASE_URL.',
    );
    expect(postmasterPid(folder)).toBe(server.processId);
  });
});

function serverProcesses(postmaster: number): number[] {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return [postmaster, ...children.filter(([, parent]) => parent === postmaster).map(([pid]) => Number(pid))];
}

/** A process that has ended in the meantime needs no signal. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
