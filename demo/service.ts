/** The service that the demo talks to: a running one, or one that is started for it with a database of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface DemoService {
  readonly url: string;
  /** Stops the service if the demo started it. */
  stop(): Promise<void>;
}

const startsWithinMs = 120_000;

/** Throws when the service cannot be started. */
export async function findOrStartService(
  root: string,
  url: string | undefined,
  say: (text: string) => void,
): Promise<DemoService> {
  const usual = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
  if (url !== undefined) return { url: url.replace(/\/$/, ''), stop: async () => {} };
  if (await isSandbox(usual)) return { url: usual, stop: async () => {} };
  say('No service is running: one is started for this demo, and stopped again.');
  return start(root);
}

/** A live instance has no sandbox, so nothing is tried out there. */
async function isSandbox(url: string): Promise<boolean> {
  const response = await fetch(`${url}/sandbox/clock`).catch(() => undefined);
  return response?.status === 401;
}

async function start(root: string): Promise<DemoService> {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-demo-'));
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { ...inherited, PORT: '0', DATA_DIR: folder, MODE: 'sandbox', LOG_LEVEL: 'error' };
  const child = spawn(process.execPath, [join(root, 'scripts', 'remesa.mjs'), 'serve'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /Listening on\s+(\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    setTimeout(() => reject(new Error('The service did not start.')), startsWithinMs).unref();
    void ended.then(() => reject(new Error('The service did not start.')));
  });
  try {
    return { url: await url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
