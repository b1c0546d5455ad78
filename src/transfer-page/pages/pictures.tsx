/** The drawing of each stage. */
import { type Drawing, Picture, type Tone } from '../../hosted-pages/picture.js';
import type { Stage } from '../stage.js';

const pictures: Readonly<Record<Stage, readonly [Drawing, Tone?]>> = {
  pay: ['card'],
  payRest: ['card', 'attention'],
  notYet: ['clock'],
  preparing: ['clock'],
  answer: ['question', 'attention'],
  choose: ['question', 'attention'],
  cancelling: ['wayBack'],
  sent: ['plane'],
  collect: ['coins'],
  arrived: ['tick', 'good'],
  delayed: ['clock', 'attention'],
  refunding: ['wayBack'],
  refunded: ['wayBack', 'good'],
  cancelled: ['cross'],
  expired: ['cross'],
};

export function StagePicture({ stage }: { readonly stage: Stage }) {
  const [of, tone] = pictures[stage];
  return <Picture of={of} tone={tone} />;
}
