/** Adapts the merchant's colour: moves it towards black or white until it has the contrast of WCAG 2.2. */

type Rgb = readonly [number, number, number];

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** The background with the least contrast of each scheme: `--raised` in `web/pages/frame.css`. */
export const grounds = { light: '#f4f6f5', dark: '#1f2624' } as const;
const ownColour = '#0b6b53';
const textRatio = 4.5;
const shapeRatio = 3;

export interface Shades {
  /** The background of the main button. */
  readonly fill: string;
  /** Text on that background. */
  readonly onFill: string;
  /** Text and lines on the page. */
  readonly accent: string;
}

export interface BrandColours {
  readonly light: Shades;
  readonly dark: Shades;
}

export function brandColours(colour: string | undefined): BrandColours {
  const brand = parse(colour ?? '') ?? (parse(ownColour) as Rgb);
  return { light: shades(brand, grounds.light, black), dark: shades(brand, grounds.dark, white) };
}

function shades(brand: Rgb, page: string, towards: Rgb): Shades {
  const ground = parse(page) as Rgb;
  const fill = movedUntil(brand, towards, (colour) => contrast(colour, ground) >= shapeRatio);
  // One of the two always has more than 4.5.
  const onFill = contrast(fill, white) >= textRatio ? white : black;
  const accent = movedUntil(brand, towards, (colour) => contrast(colour, ground) >= textRatio);
  return { fill: format(fill), onFill: format(onFill), accent: format(accent) };
}

function movedUntil(from: Rgb, towards: Rgb, isEnough: (colour: Rgb) => boolean): Rgb {
  for (let part = 0; part < 1; part += 0.04) {
    const colour = mix(from, towards, part);
    if (isEnough(colour)) return colour;
  }
  return towards;
}

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const [red, green, blue] = [0, 1, 2].map((index) =>
    Math.round((from[index] as number) * (1 - part) + (to[index] as number) * part),
  );
  return [red as number, green as number, blue as number];
}

/** From 1 to 21, as WCAG defines it. */
export function contrastOf(first: string, second: string): number {
  return contrast(parse(first) ?? black, parse(second) ?? black);
}

function contrast(first: Rgb, second: Rgb): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(colour: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour)?.slice(1);
  return digits?.map((pair) => Number.parseInt(pair, 16)) as Rgb | undefined;
}

function format(colour: Rgb): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
