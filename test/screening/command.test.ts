import { describe, expect, it } from 'vitest';
import { remesaHere } from '../commands/remesa.js';
import { inventedPeople, temporaryFolder, writeOfac } from './list-files.js';

describe('remesa screening check', () => {
  it('explains a match of the configured list in words, and ends with 2', async () => {
    const folder = temporaryFolder();
    writeOfac(folder, inventedPeople);
    const settings = { SCREENING_LISTS: `ofac:${folder}` };
    const outcome = await remesaHere(
      settings,
      'screening',
      'check',
      'Drago Velkanov',
      '--born',
      '1951',
      '--country',
      'bg',
    );
    expect(outcome.code).toBe(2);
    expect(outcome.stdout).toBe(
      [
        '99 (strong)  VELKANOV, Dragomir Petrovich  [ofac 101]',
        '     100  VELKANOFF, Drago',
        '       0  "drago" is equal',
        '      −9  "velkanov" is a spelling of "velkanoff"',
        '      +5  the birth date fits (listed: 1951-06-07)',
        '      +3  a country is equal',
        '',
      ].join('\n'),
    );
  });

  it('prints the same as JSON, and says which lists were searched when there is none', async () => {
    const json = await remesaHere({}, 'screening', 'check', 'Otto Sperrmann', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject([
      { list: 'sandbox', entryId: 'TEST-3', subjectName: 'Otto Sperrmann' },
    ]);
    const none = await remesaHere({}, 'screening', 'check', 'Anna Muster');
    expect([none.code, none.stdout]).toEqual([0, 'No match in sandbox.\n']);
  });

  it('refuses a wrong date, a wrong country, and a list that cannot be used', async () => {
    expect((await remesaHere({}, 'screening', 'check', 'X', '--born', '31.01.1970')).stderr).toContain(
      'Write a date as',
    );
    expect((await remesaHere({}, 'screening', 'check', 'X', '--country', 'Iran')).stderr).toContain('two letters');
    const missing = await remesaHere({ SCREENING_LISTS: 'ofac:/nowhere/at/all' }, 'screening', 'check', 'X');
    expect([missing.code, missing.stderr]).toEqual([1, 'The list ofac cannot be used: all does not exist.\n']);
  });
});
