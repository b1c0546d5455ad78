/** The service that the demo talks to: a running one, or one that is started for it with a database of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoService {
  readonly url: string;
  /** It was there before, and stays. */
  readonly isKept: boolean;
  /** Stops the service if the demo started it. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Of the project. */
  readonly root: string;
  /** Absent: the one that listens on the usual port, or one that is started. */
  readonly url: string | undefined;
  readonly say: (text: string) => void;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

const startsWithinMs = 120_000;

/** Throws when the service cannot be started, or must not be. */
export async function findOrStartService(options: ServiceOptions): Promise<DemoService> {
  const { url, say } = options;
  const port = process.env.PORT ?? '3000';
  const usual = `http://127.0.0.1:${port}`;
  const kept = { isKept: true, stop: async () => {} };
  if (url !== undefined) return { url: url.replace(/\/$/, ''), ...kept };
  if (await isSandbox(usual)) return { url: usual, ...kept };
  say(`No sandbox listens on port ${port}: starting one, with a database of its own …`);
  return start(options);
}

/** A live instance has no sandbox, so nothing is tried out there. */
async function isSandbox(url: string): Promise<boolean> {
  const response = await fetch(`${url}/sandbox/clock`).catch(() => undefined);
  return response?.status === 401;
}

async function start({ root, signal }: ServiceOptions): Promise<DemoService> {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-demo-'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', DATA_DIR: folder, MODE: 'sandbox', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [join(root, 'scripts', 'remesa.mjs'), 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A Ctrl-C reaches the demo only, which then stops the service when it needs it no more.
    detached: true,
  });
  const ended = once(child, 'exit');
  const endAlong = () => child.kill('SIGTERM');
  process.once('exit', endAlong);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    process.off('exit', endAlong);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: await listening(child, signal), isKept: false, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the address once the service listens. Throws what it wrote when it ended. */
function listening(child: ChildProcess, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    const fail = () => reject(new Error(`The service did not start.\n${errors}`.trim()));
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
      const found = /Listening on\s+(\S+)/.exec(errors)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', fail);
    signal.addEventListener('abort', fail);
    setTimeout(fail, startsWithinMs).unref();
  });
}
