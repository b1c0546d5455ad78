import { expect, it } from 'vitest';
import { FormTurns } from '../../src/kyc/documents/form-turns.js';

it('lets two uploads of a form run, one wait, and refuses the next; other forms are not affected', async () => {
  const turns = new FormTurns(2, 1);
  const [first, second] = [await turns.begin('a'), await turns.begin('a')];
  const waiting = turns.begin('a');
  expect(await turns.begin('a')).toBeUndefined();
  expect(await turns.begin('b')).toBeTypeOf('function');
  first?.();
  const third = await waiting;
  expect(third).toBeTypeOf('function');
  second?.();
  third?.();
  expect(await turns.begin('a')).toBeTypeOf('function');
});
