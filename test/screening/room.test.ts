import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { screeningRoom } from '../../src/screening/room.js';
import { operatorTokens, type Running, startNode, stopNodesAfterAll } from '../harness/access.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { silentLog } from '../harness/silent-log.js';
import { useTestDatabase } from '../harness/test-database.js';
import { inventedPeople, writeOfac } from './list-files.js';

stopNodesAfterAll();
const { url } = useTestDatabase();
const folder = newFolder();
let node: Running;
let viewer = '';

beforeAll(async () => {
  writeOfac(folder, inventedPeople);
  node = await startNode(url, { settings: { SCREENING_LISTS: `ofac:${folder}` } });
  viewer = (await operatorTokens(node, { vic: 'viewer' })).vic;
});

const lists = async () => (await node.api.get('/operator/screening/lists', { token: viewer })).json;
const readiness = async () => (await node.api.get('/readyz')).json;
const metrics = async () => (await fetch(`${node.service.url}/metrics`)).text();

describe('GET /operator/screening/lists', () => {
  it('200: each list with its counts, version and age', async () => {
    await eventually(async () => (await lists())[0].state === 'ok', { withinMs: 30_000 });
    expect(await lists()).toEqual([
      {
        name: 'ofac',
        format: 'ofac',
        state: 'ok',
        entries: 5,
        names: 7,
        version: expect.stringMatching(/^[0-9a-f]{32}$/),
        loadedAt: expect.any(String),
        writtenAt: expect.any(String),
        ageSeconds: expect.any(Number),
      },
    ]);
    expect(await readiness()).not.toHaveProperty('warnings');
    expect(await metrics()).toContain('remesa_screening_list_entries{list="ofac"} 5');
  });

  it('a damaged new file raises the alarm everywhere and leaves the old list in use; a good one ends it', async () => {
    writeFileSync(join(folder, 'sdn.csv'), 'not a list');
    await eventually(async () => (await lists())[0].lastError !== undefined, { withinMs: 30_000 });
    expect((await lists())[0]).toMatchObject({
      state: 'ok',
      entries: 5,
      lastError: { message: expect.stringContaining('sdn.csv has a wrong row 1') },
    });
    expect(await readiness()).toMatchObject({ status: 'ready', warnings: ['screening_list_refused'] });
    expect(await metrics()).toContain('remesa_screening_list_problem{list="ofac"} 1');
    writeOfac(folder, [...inventedPeople, { id: 400, name: 'LATER, Arrival', type: 'individual' }]);
    await eventually(async () => (await lists())[0].entries === 6, { withinMs: 30_000 });
    expect((await lists())[0]).not.toHaveProperty('lastError');
    expect(await readiness()).not.toHaveProperty('warnings');
  });
});

describe('without SCREENING_LISTS', () => {
  const settings = {
    screeningLists: [],
    screeningListMaxAgeDays: 7,
    screeningListMaxShrinkPercent: 10,
    screeningMatchScore: 80,
    screeningStrongScore: 95,
  };
  const roomIn = (mode: 'sandbox' | 'live') =>
    screeningRoom({ settings: { ...settings, mode }, clock: systemClock, log: silentLog });

  it('the sandbox has its test names', async () => {
    const { service } = await roomIn('sandbox');
    expect(service.usability()).toEqual({ isUsable: true });
    const found = (names: string[], more = {}) =>
      service.screen({ kind: 'person', names, ...more }).map(({ entryId, isStrong }) => [entryId, isStrong]);
    expect(found(['Iris Blockwell'], { birthDate: '1970-01-31' })).toEqual([['TEST-1', true]]);
    expect(found(['Iris Blokwell'])).toEqual([['TEST-1', false]]);
    expect(found(['Iris Blockwell'], { birthDate: '1999-09-09', isVerified: true })).toEqual([]);
    expect(found(['Khaled Tajriba al-Mamnou'], { birthDate: '1966-03-01' })).toEqual([['TEST-2', true]]);
    expect(service.screen({ kind: 'organisation', names: ['Forbidden Freight Trading'] })).toHaveLength(1);
  });

  it('live has no list, so that nobody is cleared', async () => {
    const room = await roomIn('live');
    expect(room.service.usability()).toEqual({
      isUsable: false,
      reason: 'No screening list is configured.',
    });
    expect(room.warnings()).toEqual(['screening_lists_unusable']);
  });
});
