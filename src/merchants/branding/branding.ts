/** The merchant's logo and colour, shown without a request to another origin and with enough contrast. */
import type { Branding } from '../merchant.js';
import { brandColours, type Shades } from './colour.js';

/** A logo from another server would tell that server who is being verified, so only `data:` logos are shown. */
export function logoOf({ logoUrl }: Branding): string | undefined {
  return logoUrl && /^data:image\/(png|jpeg|webp|svg\+xml)[;,]/.test(logoUrl) ? logoUrl : undefined;
}

export function brandStyle(branding: Branding | undefined): string {
  const { light, dark } = brandColours(branding?.color);
  return `:root{${variables(light)}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`;
}

function variables({ fill, onFill, accent }: Shades): string {
  return `--fill:${fill};--on-fill:${onFill};--accent:${accent}`;
}

/** An own icon, so that browsers do not request a missing favicon. */
export const icon =
  'data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 32 32%27%3E' +
  '%3Crect width=%2732%27 height=%2732%27 rx=%277%27 fill=%27%230b6b53%27/%3E' +
  '%3Cpath d=%27M9 17l5 5 10-12%27 fill=%27none%27 stroke=%27%23fff%27 stroke-width=%273%27/%3E%3C/svg%3E';
