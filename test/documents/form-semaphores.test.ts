import { expect, it } from 'vitest';
import { FormSemaphores } from '../../src/documents/form-semaphores.js';

it('lets one upload of a form run, one wait, and refuses the next; other forms are not affected', async () => {
  const forms = new FormSemaphores(1);
  const first = await forms.acquire('a');
  const waiting = forms.acquire('a');
  expect(await forms.acquire('a')).toBeUndefined();
  expect(await forms.acquire('b')).toBeTypeOf('function');
  first?.();
  const second = await waiting;
  second?.();
  expect(await forms.acquire('a')).toBeTypeOf('function');
});
