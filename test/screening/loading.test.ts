import { appendFileSync, chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readList } from '../../src/screening/loading/read-list.js';
import { WatchedList } from '../../src/screening/loading/watched-list.js';
import { ScreeningService } from '../../src/screening/service.js';
import { silentLog } from '../harness/silent-log.js';
import {
  inventedPeople,
  manyPeople,
  openSanctionsCsv,
  replaceFile,
  sdnCsv,
  temporaryFolder,
  writeOfac,
} from './list-files.js';

const signal = new AbortController().signal;

/** A list whose clock the test moves. */
function watched(path: string, format: 'ofac' | 'opensanctions' = 'ofac') {
  const clock = { ms: Date.now(), now: () => new Date(clock.ms) };
  const list = new WatchedList(
    { name: format, format, path },
    { clock, log: silentLog, mostShrinkPercent: 10, settleMs: 2_000 },
  );
  const service = new ScreeningService({
    lists: [list],
    thresholds: { matchScore: 80, strongScore: 95 },
    maxAgeDays: 7,
    clock,
  });
  /** Looks twice, with a pause that is long enough for files to be settled. */
  const settle = async () => {
    await list.check(signal);
    clock.ms += 3_000;
    await list.check(signal);
  };
  return { list, service, clock, settle };
}

const velkanov = { kind: 'person', names: ['Dragomir Velkanov'], birthDate: '1951-06-07' } as const;

describe('a list in files', () => {
  it('is loaded from the folder or from its sdn.csv, with the same version', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const [ofFolder, ofFile] = await Promise.all([
      readList({ name: 'ofac', format: 'ofac', path: folder }),
      readList({ name: 'ofac', format: 'ofac', path: join(folder, 'sdn.csv') }),
    ]);
    expect(ofFolder.indexed).toMatchObject({ entries: 5, names: 7, screened: 4 });
    expect(ofFolder.version).toBe(ofFile.version);
  });

  it('lets the event loop turn again and again while it is loaded', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, manyPeople(3_000));
    let turns = 0;
    const counter = setInterval(() => (turns += 1), 1);
    await readList({ name: 'ofac', format: 'ofac', path: folder });
    clearInterval(counter);
    expect(turns).toBeGreaterThan(20);
  });

  it('is not loaded to the end when it is no longer wanted', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, manyPeople(3_000));
    const abort = new AbortController();
    const loading = readList({ name: 'ofac', format: 'ofac', path: folder }, abort.signal);
    abort.abort(new Error('not wanted'));
    await expect(loading).rejects.toThrow('not wanted');
  });

  it('of OpenSanctions is loaded too', async () => {
    const path = join(temporaryFolder(), 'targets.simple.csv');
    replaceFile(path, openSanctionsCsv);
    const { list, service } = watched(path, 'opensanctions');
    await list.check(signal);
    expect(service.screen({ kind: 'person', names: ['Oksana Veremchuk'] })).toHaveLength(1);
    expect(service.screen({ kind: 'organisation', names: ['Tarkin Meridian'] })).toHaveLength(1);
  });
});

describe('a list that changes', () => {
  it('is replaced as a whole, while a snapshot keeps the lists of its moment', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const { list, service, settle } = watched(folder);
    await list.check(signal);
    const before = service.snapshot();
    writeOfac(folder, [...inventedPeople, { id: 200, name: 'NEUMANOV, Karpo', type: 'individual' }]);
    await settle();
    const after = service.snapshot();
    const karpo = { kind: 'person', names: ['Karpo Neumanov'] } as const;
    expect([before.screen(karpo).length, after.screen(karpo).length]).toEqual([0, 1]);
    expect(before.screen(velkanov)[0]?.score).toBe(after.screen(velkanov)[0]?.score);
    expect(before.version).not.toBe(after.version);
  });

  it('is not read while it is being written', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const { list, service, clock } = watched(folder);
    await list.check(signal);
    const { version } = service.snapshot();
    for (let part = 0; part < 4; part += 1) {
      appendFileSync(join(folder, 'sdn.csv'), sdnCsv([{ id: 300 + part, name: `PART${part}, Person` }]));
      clock.ms += 1_500;
      await list.check(signal);
      expect(service.snapshot().version).toBe(version);
    }
    clock.ms += 2_000;
    await list.check(signal);
    expect(service.listStatuses()[0]).toMatchObject({ entries: 9, state: 'ok' });
  });

  it('is not loaded again, but becomes younger, when the same content is written anew', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const { list, service, clock, settle } = watched(folder);
    await list.check(signal);
    const loadedAt = service.listStatuses()[0]?.loadedAt;
    clock.ms += 8 * 86_400_000;
    expect(service.usability()).toEqual({ isUsable: false, reason: 'ofac: is too old' });
    expect(service.screen(velkanov)).toHaveLength(1);
    clock.ms -= 8 * 86_400_000;
    writeOfac(folder, inventedPeople);
    await settle();
    expect(service.listStatuses()[0]?.loadedAt).toEqual(loadedAt);
    expect(service.usability()).toEqual({ isUsable: true });
  });
});

describe('a bad new version leaves the old one in use, and says why', () => {
  const people = [...inventedPeople, ...manyPeople(40)];
  it.each<[string, (folder: string) => void, RegExp]>([
    [
      'torn inside a row',
      (folder) => truncateSync(join(folder, 'sdn.csv'), sdnCsv(people).length - 12),
      /wrong row 45/,
    ],
    ['empty', (folder) => writeFileSync(join(folder, 'sdn.csv'), ''), /no entries/],
    ['suspiciously smaller', (folder) => writeOfac(folder, people.slice(0, 40)), /more than 10 % are gone/],
    ['missing', (folder) => rmSync(join(folder, 'alt.csv')), /alt\.csv does not exist/],
    ['a folder instead of a file', (folder) => rmAndMakeFolder(join(folder, 'sdn.csv')), /not a file/],
    ['huge', (folder) => truncateSync(join(folder, 'sdn.csv'), 2 ** 40), /at most 209715200 are read/],
    ['only ships', (folder) => writeOfac(folder, onlyShips, sdnCsv(onlyShips)), /no person and no organisation/],
  ])('%s', async (_what, damage, message) => {
    const folder = temporaryFolder();
    writeOfac(folder, people);
    const { list, service, settle } = watched(folder);
    await list.check(signal);
    damage(folder);
    await settle();
    expect(service.listStatuses()[0]).toMatchObject({ state: 'ok', entries: 45 });
    expect(service.listStatuses()[0]?.lastError?.message).toMatch(message);
    expect(service.warnings()).toEqual(['screening_list_refused']);
    expect(service.screen(velkanov)).toHaveLength(1);
    rmSync(join(folder, 'sdn.csv'), { recursive: true });
    writeOfac(folder, people);
    await settle();
    expect(service.listStatuses()[0]?.lastError).toBeUndefined();
  });

  it('and without an old one the list is missing and nobody is cleared', async () => {
    const { list, service, settle } = watched(join(temporaryFolder(), 'nowhere'));
    expect(service.usability()).toEqual({ isUsable: false, reason: 'ofac: is not loaded yet' });
    await settle();
    expect(list.loaded).toBeUndefined();
    expect(service.usability()).toEqual({ isUsable: false, reason: 'ofac: could not be loaded' });
    expect(service.warnings()).toEqual(['screening_lists_unusable', 'screening_list_refused']);
    expect(service.screen(velkanov)).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('that may not be read is refused', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, people);
    chmodSync(join(folder, 'sdn.csv'), 0);
    const { service, settle } = watched(folder);
    await settle();
    expect(service.listStatuses()[0]?.lastError?.message).toMatch(/EACCES/);
  });
});

const onlyShips = Array.from({ length: 60 }, (_, index) => ({
  id: index + 1,
  name: `SHIP ${index}`,
  type: 'vessel' as const,
}));

function rmAndMakeFolder(path: string): void {
  rmSync(path);
  writeOfac(path, []);
}
