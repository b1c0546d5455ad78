/** The checkers: processes of their own that may break, and take nobody with them. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../harness/eventually.js';
import { endProcessesAfterEach, startProgram } from '../harness/processes.js';
import { jpegOf, photograph } from './images.js';
import {
  closeInspectorsAfterAll,
  documentOf,
  faultOf,
  hasProcessFolder,
  type Inspecting,
  inspecting,
  runningCheckers,
} from './inspecting.js';

let jpeg: Buffer;
beforeAll(async () => {
  jpeg = await jpegOf(await photograph());
});
closeInspectorsAfterAll();
endProcessesAfterEach();

/** An inspector with one checker that has done a file and waits for the next. */
async function withIdleChecker(limits: Parameters<typeof inspecting>[0] = {}): Promise<Inspecting & { pid: number }> {
  const before = runningCheckers();
  const made = inspecting({ checkers: 1, ...limits });
  documentOf(await made.inspect(jpeg));
  const pid = runningCheckers().find((one) => !before.includes(one));
  if (pid === undefined) throw new Error('no checker is running');
  stopped.push(pid);
  return { ...made, pid };
}

const stopped: number[] = [];
afterEach(() => {
  for (const pid of stopped.splice(0)) {
    if (runningCheckers().includes(pid)) process.kill(pid, 'SIGCONT');
  }
});

describe.skipIf(!hasProcessFolder)('a checker (only seen on Linux, in /proc)', () => {
  it('that is killed in the middle of a file refuses it, and the next file is checked', async () => {
    const { inspector, inspect, pid, logText } = await withIdleChecker();
    process.kill(pid, 'SIGSTOP');
    const { source, taken } = announced(jpeg);
    const underWay = inspector.inspectUpload(source, 'a form');
    await taken;
    process.kill(pid, 'SIGKILL');
    expect(faultOf(await underWay)).toBe('unreadable');
    expect(logText()).toContain('the checker of uploads crashed on a file');
    expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
  });

  it('that takes too long is killed, and the next file is checked by another', async () => {
    const { inspect, pid } = await withIdleChecker({ checkMs: 5_000 });
    process.kill(pid, 'SIGSTOP');
    expect(faultOf(await inspect(jpeg))).toBe('timeout');
    await eventually(() => !runningCheckers().includes(pid));
    expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
  });

  it('that is killed while it waits costs nobody anything', async () => {
    const { inspect, pid } = await withIdleChecker();
    process.kill(pid, 'SIGKILL');
    // Its entry goes when this process has heard of its end.
    await eventually(() => !existsSync(`/proc/${pid}`));
    expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
  });

  it('is replaced after so many files, and at once after one that it could not read', async () => {
    const { inspect, pid } = await withIdleChecker({ filesPerChecker: 2 });
    documentOf(await inspect(jpeg));
    await eventually(() => !runningCheckers().includes(pid));

    const other = await withIdleChecker();
    expect(faultOf(await other.inspect(jpeg.subarray(0, 100)))).toBe('unreadable');
    await eventually(() => !runningCheckers().includes(other.pid));
  });

  it('is ended when it has had nothing to do for a while', async () => {
    const { pid } = await withIdleChecker({ idleMs: 50 });
    await eventually(() => !runningCheckers().includes(pid));
  });

  it('has nothing of the service’s environment', async () => {
    process.env.SECRET_OF_THE_TEST = 'very secret';
    const { pid } = await withIdleChecker();
    delete process.env.SECRET_OF_THE_TEST;
    const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .map((entry) => entry.split('=')[0] ?? '');
    // What a shell sets by itself.
    expect(names.filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([]);
  });

  it('can write no file, leave no picture of its memory, and has no more memory than it may', async () => {
    const megabyte = 1024 * 1024;
    const { pid } = await withIdleChecker({ memoryBytes: 700 * megabyte });
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8');
    expect(limits).toMatch(/^Max file size +0 +0 /m);
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
    expect(limits).toMatch(/^Max cpu time +900 +900 /m);
    // Versions of Node map very different amounts at their start. What counts is what is left for a file.
    const [, most] = /^Max data size +(\d+) +\1 /m.exec(limits) ?? [];
    const [, used] = /^VmData:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const room = (Number(most) - Number(used) * 1024) / megabyte;
    expect(room).toBeGreaterThan(500);
    expect(room).toBeLessThan(700);
  });

  it('ends by itself when the service that started it was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remesa-orphan-'));
    writeFileSync(join(folder, 'file'), jpeg);
    const program = startProgram('test/documents/waiting-program.ts', {}, [join(folder, 'file')]);
    await eventually(() => program.output().includes('checked'), { withinMs: 45_000 });
    const [checker] = runningCheckers(program.process.pid);
    expect(checker).toBeGreaterThan(0);
    await program.end('SIGKILL');
    await eventually(() => !existsSync(`/proc/${checker}`));
    rmSync(folder, { recursive: true });
  });

  it('is waited for while it is busy', async () => {
    const { inspect, pid } = await withIdleChecker();
    process.kill(pid, 'SIGSTOP');
    const both = [inspect(jpeg), inspect(jpeg)];
    process.kill(pid, 'SIGCONT');
    for (const inspection of await Promise.all(both)) {
      expect(documentOf(inspection).mediaType).toBe('image/jpeg');
    }
  });

  it('of two is left to other forms while another one has a file of this form', async () => {
    const { inspector, inspect, pid } = await withIdleChecker({ checkers: 2 });
    const upload = () => inspector.inspectUpload(announced(jpeg).source, 'a busy form');
    process.kill(pid, 'SIGSTOP');
    const first = announced(jpeg);
    const stuck = [inspector.inspectUpload(first.source, 'a busy form')];
    await first.taken;
    stuck.push(upload(), upload(), upload());
    expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
    expect(documentOf(await inspect(jpeg)).mediaType).toBe('image/jpeg');
    process.kill(pid, 'SIGCONT');
    for (const inspection of await Promise.all(stuck)) documentOf(inspection);
  });
});

describe('an inspector', () => {
  it('starts no checker before the first file that needs one', async () => {
    const { inspect } = inspecting();
    const before = hasProcessFolder ? runningCheckers() : [];
    expect(faultOf(await inspect(Buffer.from('GIF89a and more')))).toBe('not_an_accepted_type');
    expect(hasProcessFolder ? runningCheckers() : []).toEqual(before);
  });

  it('that is closed refuses what is under way and what comes', async () => {
    const { inspector, inspect } = inspecting();
    const underWay = inspect(jpeg);
    await new Promise((resolve) => setImmediate(resolve));
    await inspector.close();
    expect(faultOf(await underWay)).toBe('checker_unavailable');
    expect(faultOf(await inspect(jpeg))).toBe('checker_unavailable');
  });

  it('whose checkers can not be started says so, and logs why', async () => {
    const { inspect, logText } = inspecting({ startMs: 1 });
    expect(faultOf(await inspect(jpeg))).toBe('checker_unavailable');
    expect(logText()).toContain('uploads cannot be checked');
  });
});

/** The bytes, and when the last of them was taken: from then on they are the checker's. */
function announced(bytes: Buffer): { source: AsyncIterable<Buffer>; taken: Promise<void> } {
  let tell = () => {};
  const taken = new Promise<void>((resolve) => {
    tell = () => setImmediate(resolve);
  });
  async function* source() {
    yield bytes;
    tell();
  }
  return { source: source(), taken };
}
