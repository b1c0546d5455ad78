/** Small drawings in the colour of the merchant. They say nothing that the text beside them does not say. */
import type { ComponentChildren } from 'preact';

const drawings = {
  card: (
    <>
      <rect x="10" y="18" width="44" height="30" rx="4" />
      <path d="M10 27h44M17 40h10" />
    </>
  ),
  clock: (
    <>
      <circle cx="32" cy="32" r="21" />
      <path d="M32 19v13l9 6" />
    </>
  ),
  question: (
    <>
      <path d="M12 14h40v28H30l-10 9v-9h-8z" />
      <path d="M22 24h20M22 32h12" />
    </>
  ),
  plane: <path d="M9 33 55 11 43 53 30 38zM30 38l25-27" />,
  tick: (
    <>
      <circle cx="32" cy="32" r="21" />
      <path class="tick" d="m22 33 7 7 14-15" />
    </>
  ),
  wayBack: (
    <>
      <path d="M22 16 10 28l12 12" />
      <path d="M10 28h28c9 0 15 6 15 13 0 4-2 8-5 10" />
    </>
  ),
  cross: (
    <>
      <circle cx="32" cy="32" r="21" />
      <path d="m25 25 14 14M39 25 25 39" />
    </>
  ),
  coins: (
    <>
      <rect x="8" y="18" width="48" height="28" rx="4" />
      <circle cx="32" cy="32" r="7" />
      <path d="M16 26v12M48 26v12" />
    </>
  ),
  document: (
    <>
      <rect x="8" y="15" width="48" height="34" rx="4" />
      <circle cx="22" cy="29" r="5" />
      <path d="M14 41c1-5 4-7 8-7s7 2 8 7M37 26h12M37 33h12M37 40h7" />
    </>
  ),
  letter: (
    <>
      <path d="M16 9h22l10 10v36H16z" />
      <path d="M38 9v10h10M23 29h18M23 37h18M23 45h10" />
    </>
  ),
} satisfies Record<string, ComponentChildren>;

export type Drawing = keyof typeof drawings;
/** What the drawing is about, by its colour. Absent: the merchant's. */
export type Tone = 'attention' | 'danger' | 'good';

/** Drawings that point somewhere are mirrored in languages that are written from right to left. */
const pointing: readonly Drawing[] = ['plane', 'wayBack'];

interface PictureProps {
  readonly of: Drawing;
  readonly tone?: Tone | undefined;
  /** Beside a line of text. */
  readonly isSmall?: boolean;
}

export function Picture({ of, tone, isSmall = false }: PictureProps) {
  const names = ['picture', ...(isSmall ? ['small'] : []), ...(pointing.includes(of) ? ['pointing'] : [])];
  return (
    <svg class={names.join(' ')} viewBox="0 0 64 64" data-tone={tone} aria-hidden="true" focusable="false">
      {drawings[of]}
    </svg>
  );
}
