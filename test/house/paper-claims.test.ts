/** What is taken out of a paper, on small samples. */
import { expect, it } from 'vitest';
import * as claims from './paper-claims.js';

const paper = (text: string, path = 'docs/guide.md') => ({ path, text });

it('paths are read from code spans, patterns by what stands before them, fenced blocks not at all', () => {
  const text =
    'See `src/app.ts`, `./docs/x.md#top`, `src/a.ts:12`, `docs/decisions/*.md` and `src/<room>/store.ts`.\n```\n`src/no.ts`\n```\n';
  expect(claims.namedPaths(paper(text))).toEqual([
    'src/app.ts',
    'docs/x.md',
    'src/a.ts',
    'docs/decisions/',
    'src/',
  ]);
});

it('files without a folder are read, words are not', () => {
  expect(claims.namedFiles(paper('`.env.example`, `store.ts`, `remesa_now`, `a.b`, `GET /x.json`'))).toEqual([
    '.env.example',
    'store.ts',
  ]);
});

it('links are read relative to their paper; addresses and anchors are left alone', () => {
  const text =
    '[a](../README.md#start) [b](https://example.com) [c](#here) [d](decisions/0001.md "why")\n\n[e]: ./x.md\n';
  expect(claims.linkedPaths(paper(text))).toEqual(['README.md', 'docs/decisions/0001.md', 'docs/x.md']);
});

it('commands are read wherever they stand', () => {
  const text =
    '```sh\nnpm test\nnpm run remesa -- migrate --now\n./bin/remesa serve\n```\nor `npm run test:faults`, `npm start`';
  expect(claims.npmScripts(paper(text))).toEqual(['test', 'remesa', 'test:faults', 'start']);
  expect(claims.remesaCommands(paper(text))).toEqual(['migrate', 'serve']);
});

it('settings are told from words', () => {
  const text = '`DATA_DIR`, `PORT`, `PORT=0`, `MASTER_KEY_FILE`, `POST`, `CI=true`, `LEVEL_1`, `Some_THING`';
  expect(claims.settingLikeNames(paper(text))).toEqual([
    'DATA_DIR',
    'PORT',
    'MASTER_KEY_FILE',
    'CI',
    'LEVEL_1',
  ]);
});

it('the commands of the command line are read from commander', () => {
  const text = "program.command('serve').action(a); program.command('merchant <name>'); new Command('keys')";
  expect(claims.declaredCommands([paper(text, 'src/main.ts')])).toEqual(['serve', 'merchant', 'keys']);
});

it('of a script only what it runs is read', () => {
  expect(
    claims.shellCommands('#!/bin/sh\n# why\nset -eu\ncd "$(dirname "$0")/.."\n\nexec npm test\n'),
  ).toEqual(['npm test']);
});
