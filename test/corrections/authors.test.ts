/** Under four eyes the words and the decision are those of whoever asked. */
import { expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { failedPayout, operate, useCorrections, withTwo } from './corrections.js';

const running = useCorrections({ FOUR_EYES: 'order.release' });

it('the note of a release is shown under the name of the operator who wrote it, not of the one who approved', async () => {
  const { id } = await failedPayout(running);
  done(await operate(running, `orders/${id}/freeze`, { note: 'Looks stolen.' }, 'rob'));
  done(await withTwo(running, `orders/${id}/release`, { note: 'It was not.' }));
  const { notes } = done(await review(id));
  expect(notes.map(({ event, by, note }: Record<string, string>) => ({ event, by, note }))).toEqual([
    { event: 'freeze', by: 'rob', note: 'Looks stolen.' },
    { event: 'release', by: 'rita', note: 'It was not.' },
  ]);
});

function review(id: string) {
  return running.api.get(`/operator/orders/${id}/review`, { token: running.as('rob') });
}
