/** The papers tell the truth: what they name exists. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/config.js';
import * as claims from './paper-claims.js';
import { readText, root, type TextFile, textFiles } from './repository.js';

const required = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const files = textFiles();
const papers = files.filter(({ path }) => required.includes(path) || /^docs\/.*\.md$/.test(path));
const source = files.filter(({ path }) => /^(src|migrations)\//.test(path) && path !== 'src/config/config.ts');
const manifest = JSON.parse(readText('package.json'));

/** Every claim of every paper that is not true, with the paper it stands in. */
function untrue(claimsOf: (paper: TextFile) => string[], isTrue: (claim: string) => boolean): string[] {
  const all = papers.flatMap((paper) => claimsOf(paper).map((claim) => ({ claim, path: paper.path })));
  // A reader that finds nothing would find no fault either.
  expect(all.length).toBeGreaterThan(0);
  return all.filter(({ claim }) => !isTrue(claim)).map(({ claim, path }) => `${path}: ${claim}`);
}

const existsInRepository = (path: string) => existsSync(join(root, path));

describe('the papers', () => {
  it('are all there', () => {
    expect(required.filter((path) => !existsInRepository(path))).toEqual([]);
  });

  it('name paths that exist', () => {
    expect(untrue(claims.namedPaths, existsInRepository)).toEqual([]);
  });

  it('name files that exist somewhere', () => {
    const known = new Set(files.map(({ path }) => basename(path)));
    expect(untrue(claims.namedFiles, (name) => known.has(name))).toEqual([]);
  });

  it('link to files that exist', () => {
    expect(untrue(claims.linkedPaths, existsInRepository)).toEqual([]);
  });

  it('name npm scripts that exist', () => {
    expect(untrue(claims.npmScripts, (script) => script in manifest.scripts)).toEqual([]);
  });

  it('name commands that the command line has', () => {
    const entry = files.filter(({ path }) => /^src\/(main\.ts|commands\/.*\.ts)$/.test(path));
    const commands = new Set(claims.declaredCommands(entry));
    expect(untrue(claims.remesaCommands, (command) => commands.has(command))).toEqual([]);
  });

  it('name a file and a test for every duty', () => {
    const rows = claims.duties({ path: '', text: readText('docs/compliance.md') });
    expect(rows.length).toBeGreaterThan(3);
    const lacking = rows.flatMap(({ duty, paths, tests }) => [
      ...(tests.length > 0 && paths.length > tests.length ? [] : [`${duty}: no file, or no test`]),
      ...paths.filter((path) => !existsInRepository(path)),
      ...tests.filter(({ path, name }) => !readText(path).includes(name)).map(({ path, name }) => `${path}: ${name}`),
    ]);
    expect(lacking).toEqual([]);
  });

  it('name settings that exist', () => {
    const secrets = Object.entries(settings).filter(([, setting]) => setting.secret);
    const ofTests = ['CI', 'POSTGRES_BIN', 'MODEL_SEED', 'MODEL_PATH', 'MODEL_STEPS'];
    const known = new Set([...Object.keys(settings), ...secrets.map(([name]) => `${name}_FILE`), ...ofTests]);
    // States, levels and zones are written like settings; they are words of the source.
    const isWord = (name: string) => source.some(({ text }) => new RegExp(`['"]${name}['"]`).test(text));
    expect(untrue(claims.settingLikeNames, (name) => known.has(name) || isWord(name))).toEqual([]);
  });
});

describe('the decisions', () => {
  it('give a reason for every dependency', () => {
    const decisions = papers.filter(({ path }) => path.startsWith('docs/decisions/'));
    const named = new Set(decisions.flatMap((paper) => claims.codeSpans(paper)));
    const used = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    expect(used.filter((name) => !named.has(name))).toEqual([]);
  });
});

describe('the continuous integration', () => {
  it('runs the test command that README names, and nothing else', () => {
    expect(claims.npmScripts({ path: 'README.md', text: readText('README.md') })).toContain('test');
    expect(claims.shellCommands(readText('.ci/run'))).toEqual(['npm test']);
  });
});
