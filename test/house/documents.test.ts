/** The documents are complete: their links lead to headings, and operators find every job and metric. */
import { join, normalize } from 'node:path/posix';
import { expect, it } from 'vitest';
import { readText, textFiles } from './repository.js';

const files = textFiles();
const documents = files.filter(({ path }) => path.endsWith('.md'));
const source = files
  .filter(({ path }) => /^src\/.*\.ts$/.test(path))
  .map(({ text }) => text)
  .join('\n');
const running = readText('docs/running.md');

it('documents link to headings that exist', () => {
  const headings = new Map(documents.map(({ path, text }) => [path, headingIds(text)]));
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s:#]*)#([^)\s]+)\)/g)]
      .map(([, file = '', id = '']) => ({ file: file === '' ? path : besides(path, file), id }))
      .filter(({ file, id }) => headings.get(file)?.includes(id) === false)
      .map(({ file, id }) => `${path}: ${file}#${id}`),
  );
  expect(broken).toEqual([]);
});

it('running.md lists every job, and no job that does not exist', () => {
  const listed = firstColumn('Jobs');
  const declared = [...source.matchAll(/\b(?:name:|\w*Job(?:Name)? =) '([a-z]+\.[a-z-]+)'/g)].map(
    ([, name = '']) => name,
  );
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});

it('running.md lists every metric', () => {
  const declared = [...source.matchAll(/\bname: '(remesa_[a-z_]+)'/g)].map(([, name = '']) => name);
  expect(declared.length).toBeGreaterThan(5);
  expect(declared.filter((name) => !running.includes(`\`${name}\``))).toEqual([]);
});

/** The code spans in the first column of the tables of a section. */
function firstColumn(heading: string): string[] {
  const [, section = ''] = running.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

function besides(path: string, file: string): string {
  return normalize(join(path, '..', file));
}

/** As GitHub makes them. */
function headingIds(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}
