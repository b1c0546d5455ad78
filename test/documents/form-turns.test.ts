import { expect, it } from 'vitest';
import { FormTurns } from '../../src/documents/form-turns.js';

it('lets one upload of a form run, one wait, and refuses the next; other forms are not affected', async () => {
  const turns = new FormTurns(1);
  const first = await turns.begin('a');
  const waiting = turns.begin('a');
  expect(await turns.begin('a')).toBeUndefined();
  expect(await turns.begin('b')).toBeTypeOf('function');
  first?.();
  const second = await waiting;
  second?.();
  expect(await turns.begin('a')).toBeTypeOf('function');
});
