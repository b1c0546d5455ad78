import { expect, it } from 'vitest';
import { composeProblems } from '../../src/http/problems/problem-catalogue.js';
import { serviceProblems } from '../../src/problems.js';
import { textFiles } from '../house/repository.js';
import { codesIn, literalsIn } from './problem-codes.js';

const catalogue = serviceProblems();
const isCatalogue = /^src\/([a-z]+\/)?(edge-)?problems\.ts$/;
const sources = textFiles().filter(({ path }) => /^src\/.*\.ts$/.test(path) && !isCatalogue.test(path));
const uses = sources.flatMap(codesIn);

it('every error is made with a code that can be read in the source', () => {
  expect(uses.filter(({ kind, code }) => kind === undefined || code === undefined)).toEqual([]);
});

it('every code of an error is in the catalogue, with the same kind', () => {
  const faults = uses
    .filter(({ kind, code }) => catalogue[code ?? '']?.kind !== kind)
    .map(({ where, kind, code }) => `${where}: ${kind} ${code}, in the catalogue ${catalogue[code ?? '']?.kind}`);
  expect(faults).toEqual([]);
});

it('every entry of the catalogue is used', () => {
  const raised = new Set(uses.map(({ code }) => code));
  const written = new Set(sources.flatMap(literalsIn));
  const unused = Object.entries(catalogue)
    .filter(([code, { kind }]) => !(kind === 'internal' || kind === 'timeout' ? written : raised).has(code))
    .map(([code]) => code);
  expect(unused).toEqual([]);
});

it('an explanation is a title without a full stop, and sentences that have one', () => {
  const faults = Object.entries(catalogue).filter(
    ([code, { title, remedy }]) =>
      !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(code) || /[.:]$/.test(title) || !/\.$/.test(remedy),
  );
  expect(faults).toEqual([]);
});

it('refuses to compose two catalogues that explain the same code', () => {
  const explained = { twice: { kind: 'invalid', title: 'Twice', remedy: 'Rename one.' } } as const;
  expect(() => composeProblems([explained, {}, explained])).toThrow('The error code twice is explained twice.');
});

it('reads kinds and codes, also where one of two is chosen', () => {
  const text = [
    "throw new RemesaError('invalid', 'one', 'Text');",
    "throw new RemesaError('conflict', late ? 'two' : 'three', 'Text');",
    'throw new RemesaError(kind, code, text);',
  ].join('\n');
  expect(codesIn({ path: 'src/a.ts', text })).toEqual([
    { where: 'src/a.ts:1', kind: 'invalid', code: 'one' },
    { where: 'src/a.ts:2', kind: 'conflict', code: 'two' },
    { where: 'src/a.ts:2', kind: 'conflict', code: 'three' },
    { where: 'src/a.ts:3', kind: undefined, code: undefined },
  ]);
});
