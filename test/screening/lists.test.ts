import { describe, expect, it } from 'vitest';
import { readOfac } from '../../src/screening/lists/ofac.js';
import { readOpenSanctions } from '../../src/screening/lists/opensanctions.js';
import { readOpenSanctionsEntities } from '../../src/screening/lists/opensanctions-entities.js';
import { altCsv, inventedPeople, openSanctionsCsv, sdnCsv } from './list-files.js';

const sdn = Buffer.from(sdnCsv(inventedPeople));
const alt = Buffer.from(altCsv(inventedPeople));

describe('the OFAC layout', () => {
  it('is read with kinds, other names, birth dates of every precision, and countries', async () => {
    const entries = await readOfac({ sdn, alt });
    expect(entries.map(({ id, kind }) => [id, kind])).toEqual([
      ['101', 'person'],
      ['102', 'person'],
      ['103', 'person'],
      ['104', 'organisation'],
      ['105', 'other'],
    ]);
    expect(entries[0]).toEqual({
      id: '101',
      kind: 'person',
      names: ['VELKANOV, Dragomir Petrovich', 'VELKANOFF, Drago'],
      birthDates: [{ from: 19510607, to: 19510607, isApproximate: false }],
      countries: ['BG'],
    });
    expect(entries[1]?.birthDates).toEqual([
      { from: 19600101, to: 19601231, isApproximate: true },
      { from: 19580101, to: 19621231, isApproximate: false },
    ]);
    expect(entries[1]?.countries).toEqual(['IQ', 'SY']);
    expect(entries[2]?.birthDates).toEqual([{ from: 19740101, to: 19740131, isApproximate: false }]);
    expect(entries[2]?.countries).toEqual(['KP']);
  });

  it('takes the countries of addresses from add.csv', async () => {
    const add = Buffer.from('104,1,"1 Quay","Piraeus","Greece",-0- \r\n');
    const entries = await readOfac({ sdn, alt, add });
    expect(entries[3]?.countries).toEqual(['CY', 'GR']);
  });

  it('accepts the end-of-file character of DOS and Windows-1252, in which OFAC has published', async () => {
    const rows = [{ id: 1, name: 'PEÑA, Iñaki', type: 'individual' }] as const;
    const bytes = Buffer.concat([Buffer.from(sdnCsv(rows), 'latin1'), Buffer.from([0x1a])]);
    const [entry] = await readOfac({ sdn: bytes, alt: Buffer.alloc(0) });
    expect(entry?.names).toEqual(['PEÑA, Iñaki']);
  });
});

describe('the layout of OpenSanctions', () => {
  it('is read with quoted aliases, several birth dates, and only countries that exist', async () => {
    const entries = await readOpenSanctions(Buffer.from(openSanctionsCsv), 'targets.simple.csv');
    expect(entries).toEqual([
      {
        id: 'NK-1',
        kind: 'person',
        names: ['Oksana Veremchuk', 'Оксана Веремчук', 'Veremchuk; Oksana'],
        birthDates: [
          { from: 19690302, to: 19690302, isApproximate: false },
          { from: 19700101, to: 19701231, isApproximate: false },
        ],
        countries: ['UA', 'RU'],
      },
      { id: 'NK-2', kind: 'either', names: ['Tarkin Meridian'], birthDates: [], countries: ['CY'] },
      { id: 'NK-3', kind: 'other', names: ['Night Heron'], birthDates: [], countries: [] },
    ]);
  });
});

describe('the entities of OpenSanctions', () => {
  const line = (id: string, schema: string, properties: object) => JSON.stringify({ id, schema, properties });
  const read = (...lines: string[]) => readOpenSanctionsEntities(Buffer.from(lines.join('\n')), 'peps.json');

  it('tell by their topics who is politically exposed only, and the rest is no entry', async () => {
    const entries = await read(
      line('Q1', 'Person', {
        name: ['Amal Wazir'],
        alias: ['أمل وزير'],
        birthDate: ['1961-09-09', '1962'],
        nationality: ['mx'],
        country: ['mx', 'Mexico City'],
        topics: ['role.pep', 'gov.national'],
      }),
      line('Q2', 'Person', { name: ['Her Brother'], topics: ['role.rca'] }),
      line('Q3', 'Person', { name: ['Sanctioned Minister'], topics: ['role.pep', 'sanction'] }),
      line('NK-A', 'Address', { full: ['1 Quay'] }),
      '',
      line('Q4', 'Company', { name: ['Front Ltd'], topics: ['sanction.linked'] }),
    );
    expect(entries.map(({ id, kind, isExposure }) => [id, kind, isExposure])).toEqual([
      ['Q1', 'person', true],
      ['Q2', 'person', true],
      ['Q3', 'person', false],
      ['Q4', 'organisation', false],
    ]);
    expect(entries[0]).toMatchObject({ names: ['Amal Wazir', 'أمل وزير'], countries: ['MX'] });
    expect(entries[0]?.birthDates).toHaveLength(2);
  });

  it.each([
    ['torn', '{"id":"Q1","schema":"Person","prop'],
    ['no entity', '{"id":"Q1"}'],
    ['no JSON', 'id,schema,name'],
    ['null', 'null'],
  ])('are refused as a whole when a line is %s', async (_what, wrong) => {
    const right = line('Q1', 'Person', { name: ['A B'], topics: ['role.pep'] });
    await expect(read(right, wrong)).rejects.toThrow('peps.json has a wrong line 2');
  });
});

describe('a damaged file is refused as a whole, with what is wrong', () => {
  const wholeFile = sdn.toString();
  const ofac = (file: string | Buffer, other: string | Buffer = alt) =>
    readOfac({ sdn: Buffer.from(file), alt: Buffer.from(other) });
  const openSanctions = (file: string | Buffer) => readOpenSanctions(Buffer.from(file), 'targets.simple.csv');

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'torn inside a quoted field',
      () =>
        ofac(
          wholeFile
            .slice(0, 60)
            .replace(/\r\n.*/s, '')
            .slice(0, 20),
        ),
      /incomplete/,
    ],
    ['torn inside a row', () => ofac(wholeFile.slice(0, wholeFile.lastIndexOf(',-0- ,-0- '))), /wrong row 5/],
    [
      'torn at the end of a row, so that many aliases have no entry',
      () => ofac(manyOrphans.sdn, manyOrphans.alt),
      /belong to no entry/,
    ],
    ['empty', () => ofac(''), /no entries/],
    ['with a row of another layout', () => ofac(`${wholeFile}<html>,not found\r\n`), /wrong row 6/],
    ['with NUL bytes', () => ofac(Buffer.concat([sdn, Buffer.from([0])])), /NUL/],
    ['in UTF-16', () => ofac(Buffer.from(wholeFile, 'utf16le')), /NUL/],
    ['binary', () => ofac(Buffer.from([0x50, 0x4b, 3, 4, 0, 255, 254])), /NUL/],
    ['with a lonely quote', () => ofac(wholeFile.replace('"VELKANOV', '"VELKA"NOV')), /not valid CSV/],
    ['a page instead of a list', () => openSanctions('<!doctype html><p>Not found</p>'), /no column id/],
    ['OpenSanctions without rows', () => openSanctions(openSanctionsCsv.split('\n')[0] ?? ''), /no entries/],
    ['OpenSanctions torn', () => openSanctions(openSanctionsCsv.slice(0, -40)), /incomplete|wrong row/],
    ['OpenSanctions in Latin-1', () => openSanctions(Buffer.from(`${openSanctionsCsv}é`, 'latin1')), /not UTF-8/],
    ['a row without end', () => openSanctions(`${openSanctionsCsv}"${'x'.repeat(5 * 2 ** 20)}`), /not valid CSV/],
  ])('%s', async (_what, read, message) => {
    await expect(read()).rejects.toThrow(message);
  });
});

const manyOrphans = {
  sdn: sdnCsv(inventedPeople.slice(0, 1)),
  alt: altCsv([{ id: 999, name: '', otherNames: Array.from({ length: 20 }, (_, index) => `NOBODY ${index}`) }]),
};
