/** One small drawing for each stage, in the colour of the merchant. They say nothing that the text does not say. */
import type { ComponentChildren } from 'preact';
import type { Stage } from '../stage.js';

const card = (
  <>
    <rect x="10" y="18" width="44" height="30" rx="4" />
    <path d="M10 27h44M17 40h10" />
  </>
);
const parcel = (
  <>
    <circle cx="32" cy="32" r="21" />
    <path d="M32 19v13l9 6" />
  </>
);
const question = (
  <>
    <path d="M12 14h40v28H30l-10 9v-9h-8z" />
    <path d="M22 24h20M22 32h12" />
  </>
);
const plane = <path d="M9 33 55 11 43 53 30 38zM30 38l25-27" />;
const tick = (
  <>
    <circle cx="32" cy="32" r="21" />
    <path class="tick" d="m22 33 7 7 14-15" />
  </>
);
const wayBack = (
  <>
    <path d="M22 16 10 28l12 12" />
    <path d="M10 28h28c9 0 15 6 15 13 0 4-2 8-5 10" />
  </>
);
const cross = (
  <>
    <circle cx="32" cy="32" r="21" />
    <path d="m25 25 14 14M39 25 25 39" />
  </>
);
const coins = (
  <>
    <rect x="8" y="18" width="48" height="28" rx="4" />
    <circle cx="32" cy="32" r="7" />
    <path d="M16 26v12M48 26v12" />
  </>
);

const pictures: Readonly<Record<Stage, ComponentChildren>> = {
  pay: card,
  payRest: card,
  notYet: parcel,
  preparing: parcel,
  answer: question,
  choose: question,
  cancelling: wayBack,
  sent: plane,
  collect: coins,
  arrived: tick,
  delayed: parcel,
  refunding: wayBack,
  refunded: wayBack,
  cancelled: cross,
  expired: cross,
};

/** Drawings that point somewhere are mirrored in languages that are written from right to left. */
const pointing: readonly Stage[] = ['sent', 'cancelling', 'refunding', 'refunded'];

export function Picture({ stage }: { readonly stage: Stage }) {
  return (
    <svg
      class={pointing.includes(stage) ? 'picture pointing' : 'picture'}
      viewBox="0 0 64 64"
      aria-hidden="true"
      focusable="false"
    >
      {pictures[stage]}
    </svg>
  );
}
