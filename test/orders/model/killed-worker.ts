/**
 * A worker in a process of its own that is killed at one moment of its work: at a COMMIT, or while the rail has its
 * request.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { Batch, Report } from '../../../src/payouts/rail.js';
import { testMasterKey } from '../../harness/master-key.js';
import { nodeArguments, root } from '../../harness/programs.js';
import { FaultProxy } from '../../harness/proxy.js';
import type { BookedRail } from './booked-rail.js';

export const killMoments = ['before a commit', 'after a commit', 'before the rail', 'after the rail'] as const;
type KillMoment = (typeof killMoments)[number];

export interface Kill {
  readonly job: 'orders.advance' | 'payouts.send';
  readonly moment: KillMoment;
  /** It dies at the first, the second … such moment. */
  readonly after: number;
}

export interface WorkerPlace {
  readonly databaseUrl: string;
  readonly rail: BookedRail;
  readonly settings: Readonly<Record<string, string>>;
}

/** Starts a worker, lets it make one pass, and kills it on the way. Returns false when it came to the end alive. */
export async function killedPass(place: WorkerPlace, kill: Kill): Promise<boolean> {
  const proxy = new FaultProxy(place.databaseUrl);
  const databaseUrl = await proxy.listen();
  const death = new Death(kill);
  const bank = await startBank(place.rail, death);
  const child = startWorker({ ...place.settings, DATABASE_URL: databaseUrl, RAIL_URL: bank.url });
  try {
    await line(child, 'ready');
    death.victim = child;
    proxy.harm = (chunk) => (chunk.includes('COMMIT') ? death.atCommit() : 'pass');
    const isDone = line(child, 'done').then(() => false);
    child.stdin?.write(`${kill.job}\n`);
    return await Promise.race([once(child, 'exit').then(() => true), isDone]);
  } finally {
    await end(child);
    bank.close();
    await proxy.close();
  }
}

/** Kills the worker when its moment has come. */
class Death {
  victim: ChildProcess | undefined;
  #left: number;

  constructor(readonly kill: Kill) {
    this.#left = kill.after;
  }

  atCommit(): 'pass' | 'cut-before' {
    if (this.comes('before a commit')) return 'cut-before';
    this.comes('after a commit');
    return 'pass';
  }

  comes(moment: KillMoment): boolean {
    if (!this.victim || moment !== this.kill.moment) return false;
    this.#left -= 1;
    if (this.#left !== 0) return false;
    this.victim.kill('SIGKILL');
    return true;
  }
}

/** The rail of the test, for the worker's process. */
async function startBank(rail: BookedRail, death: Death): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const reference = request.url?.slice(1) ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (death.comes('before the rail')) return;
    const reports = await answerOf(rail, reference, request.method === 'GET' ? undefined : Buffer.concat(chunks));
    if (death.comes('after the rail')) return;
    response.writeHead(reports ? 200 : 500).end(JSON.stringify(reports));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Undefined when the rail fails or does not answer. */
function answerOf(
  rail: BookedRail,
  reference: string,
  content: Buffer | undefined,
): Promise<readonly Report[] | undefined> {
  const asked = content
    ? rail.submit({ messageId: 'MSG', createdAt: new Date(), payments: [{ reference, content }] } as Batch)
    : rail.find(reference).then((found) => (typeof found === 'object' ? found.reports : []));
  return asked.catch(() => undefined);
}

function startWorker(settings: Readonly<Record<string, string>>): ChildProcess {
  const program = nodeArguments('test/programs/model-worker.ts', inject('programFolder'));
  return spawn(process.execPath, program, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      MASTER_KEY: testMasterKey,
      ...settings,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Resolves when the worker says this. Throws when it ends before. */
async function line(child: ChildProcess, said: string): Promise<void> {
  const chunks: string[] = [];
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        chunks.push(String(data));
        if (chunks.join('').includes(said)) resolve();
      });
    child.once('exit', (code) => {
      if (code === null) return;
      reject(new Error(`the worker ended with ${code}: ${chunks.join('')}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
