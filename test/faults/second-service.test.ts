import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { embeddedUrl, endEmbeddedServer, postmasterPid } from '../harness/embedded-place.js';
import { endProcessesAfterEach, startNotesService, startProgram } from '../harness/processes.js';
import { slowness } from '../harness/slowness.js';
import { postNote } from '../harness/traffic.js';
import { notesTable } from '../rooms/notes.js';

describe('the embedded database belongs to one service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remesa-second-'));
  endProcessesAfterEach();
  afterAll(async () => {
    await endEmbeddedServer(folder);
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses a second service within 2 s, names the first one, and leaves it healthy', async () => {
    const first = await startNotesService({ DATA_DIR: folder });
    await run(folder, notesTable);
    const second = await startSecond(folder);
    expect(second.code).toBe(1);
    expect(second.milliseconds).toBeLessThan(2_000 * (await slowness()));
    expect(second.output).toContain(`process ${first.process.pid}`);
    expect((await postNote(first.url, 'healthy')).status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);
  });

  it('does so also while the first one is stopped with SIGSTOP', async () => {
    const first = await startNotesService({ DATA_DIR: folder });
    first.process.kill('SIGSTOP');
    const second = await startSecond(folder);
    first.process.kill('SIGCONT');
    expect(second.code).toBe(1);
    expect(second.milliseconds).toBeLessThan(2_000 * (await slowness()));
    expect(second.output).toContain(`process ${first.process.pid}`);
    expect((await postNote(first.url, 'healthy-after-a-stop')).status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);
  });

  it('lets running requests finish on Ctrl-C before the database stops', async () => {
    const service = await startNotesService({ DATA_DIR: folder });
    const running = fetch(`${service.url}/notes/slowly?ms=1200`, {
      method: 'POST',
      headers: { authorization: 'Bearer merchant-1', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'slow' }),
    });
    await expect
      .poll(() => run(folder, 'SELECT count(*) FROM pg_stat_activity WHERE wait_event = $$PgSleep$$'))
      .toEqual([{ count: '1' }]);
    const ended = service.end('SIGINT');
    expect((await running).status).toBe(200);
    expect(await ended).toBe(0);
    expect(postmasterPid(folder)).toBeUndefined();
  });
});

async function startSecond(folder: string): Promise<{ code: number; output: string; milliseconds: number }> {
  const began = performance.now();
  const second = startProgram('src/main.ts', { DATA_DIR: folder, PORT: '0' }, ['serve']);
  const [code] = (await once(second.process, 'close')) as [number];
  return { code, output: second.output(), milliseconds: performance.now() - began };
}

async function run(folder: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: embeddedUrl(folder) });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
