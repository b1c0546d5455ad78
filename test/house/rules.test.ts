import { describe, expect, it } from 'vitest';
import { folderCircles } from './folder-circles.js';
import { breaches, crowdedFolders, houseRules, roomsWithoutBeginning } from './house-rules.js';
import { textFiles } from './repository.js';

const files = textFiles();

describe('the repository keeps the rules of the house', () => {
  it.each(houseRules.map((rule) => [rule.rule, rule] as const))('%s', (_rule, rule) => {
    expect(breaches(rule, files)).toEqual([]);
  });

  it('every room begins with what it owns and what it does not, in a comment of two lines or more', () => {
    expect(roomsWithoutBeginning(files)).toEqual([]);
  });

  it('no folder of the source has more than 16 files of its own', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  it('no two folders of a room import each other, also by way of a third', () => {
    expect(folderCircles(files)).toEqual([]);
  });
});

describe('a breach is seen', () => {
  it.each(houseRules.map((rule) => [rule.rule, rule] as const))('%s', (_rule, rule) => {
    expect(breaches(rule, [rule.broken])).toHaveLength(1);
  });

  it('a room whose files begin without a word', () => {
    const bare = { path: 'src/users/service.ts', text: '/** Users. */\n' };
    expect(roomsWithoutBeginning([bare])).toEqual(['src/users']);
  });

  it('a folder with 17 files, beside one with 16', () => {
    const fill = (folder: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `src/${folder}/file-${index}.ts`, text: '' }));
    expect(crowdedFolders([...fill('users', 16), ...fill('users/upkeep', 17)])).toEqual(['src/users/upkeep']);
  });

  it('a circle of three folders, beside an import that nothing returns', () => {
    const importing = (path: string, name: string) => ({
      path: `src/rates/${path}`,
      text: `import { a } from '${name}';`,
    });
    const circle = [
      importing('board/a.ts', '../sources/a.js'),
      importing('sources/a.ts', '../corridors/a.js'),
      importing('corridors/a.ts', '../board/b.js'),
    ];
    expect(folderCircles([...circle, importing('operator/a.ts', '../board/a.js')])).toEqual([
      'rates/board rates/corridors rates/sources',
    ]);
  });

  it('an exception to a rule names something that exists', () => {
    const named = houseRules.flatMap((rule) => Object.keys(rule.except ?? {}));
    expect(named.filter((path) => !files.some((file) => file.path.startsWith(path)))).toEqual([]);
  });
});
