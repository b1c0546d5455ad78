import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { remesaHere } from '../commands/remesa.js';
import { altCsv, inventedPeople, sdnCsv, temporaryFolder, writeOfac } from './list-files.js';

let server: Server;
let files: Record<string, string | undefined> = {};
let truncates = false;
const many = Array.from({ length: 40 }, (_, index) => ({
  ...inventedPeople[0],
  id: index + 1,
  name: `DOE, Jon ${index}`,
}));

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = files[request.url ?? ''];
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'last-modified': 'Sat, 14 Nov 2026 10:00:00 GMT' });
    response.end(truncates ? body.slice(0, body.length / 2) : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());
beforeEach(() => {
  truncates = false;
  files = { '/SDN.CSV': sdnCsv(many), '/ALT.CSV': altCsv(many), '/ADD.CSV': '' };
});

const fetchInto = (folder: string, ...options: string[]) => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return remesaHere({ SCREENING_LISTS: `ofac:${folder}` }, 'screening', 'fetch', '--ofac', address, ...options);
};

describe('remesa screening fetch', () => {
  it('downloads the list, and says how old it is and whether it is new', async () => {
    const folder = temporaryFolder();
    const first = await fetchInto(folder);
    expect([first.code, first.stdout]).toEqual([0, 'ofac: 40 entries, published 2026-11-14, new.\n']);
    expect(readdirSync(folder).sort()).toEqual(['add.csv', 'alt.csv', 'sdn.csv']);
    expect((await fetchInto(folder)).stdout).toBe('ofac: 40 entries, published 2026-11-14, unchanged.\n');
  });

  it('keeps the list that is there when the download fails, is torn, or is empty', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const before = readFileSync(join(folder, 'sdn.csv'), 'utf8');
    const failures: string[] = [];
    const fail = async () => failures.push((await fetchInto(folder)).stderr.split('\n').at(-2) ?? '');
    files['/ALT.CSV'] = undefined;
    await fail();
    files = { '/SDN.CSV': '', '/ALT.CSV': '', '/ADD.CSV': '' };
    await fail();
    files = { '/SDN.CSV': sdnCsv(many), '/ALT.CSV': altCsv(many), '/ADD.CSV': '' };
    truncates = true;
    await fail();
    expect(failures.map((text) => text.startsWith('ofac is not renewed: '))).toEqual([true, true, true]);
    expect(readFileSync(join(folder, 'sdn.csv'), 'utf8')).toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('.download-'))).toEqual([]);
  });

  it('refuses a list that lost more than it may, unless a person says that it is right', async () => {
    const folder = temporaryFolder();
    await fetchInto(folder);
    files = { '/SDN.CSV': sdnCsv(many.slice(0, 30)), '/ALT.CSV': altCsv(many.slice(0, 30)), '/ADD.CSV': '' };
    const refused = await fetchInto(folder);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('more than 10 % are gone');
    expect((await fetchInto(folder, '--shrunken')).stdout).toBe('ofac: 30 entries, published 2026-11-14, new.\n');
  });
});
