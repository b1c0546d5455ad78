import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandColours, contrastOf, grounds } from '../../src/merchants/branding/colour.js';

const css = readFileSync(new URL('../../web/pages/frame.css', import.meta.url), 'utf8');

describe('contrast', () => {
  // As other tools compute it.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#767676', '#ffffff', 4.54],
    ['#ffffff', '#777777', 4.48],
    ['#0000ff', '#ffff00', 8],
  ])('%s on %s is %d', (one, other, ratio) => {
    expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
  });
});

describe('the colour of a merchant', () => {
  const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

  it('can be read wherever it is used, whatever it is', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const { light, dark } = brandColours(colour);
        for (const [shades, ground] of [
          [light, grounds.light],
          [dark, grounds.dark],
        ] as const) {
          expect(contrastOf(shades.fill, shades.onFill)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(shades.accent, ground)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(shades.fill, ground)).toBeGreaterThanOrEqual(3);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('stays as it is where it can be read', () => {
    expect(brandColours('#7b1fa2').light).toEqual({ fill: '#7b1fa2', onFill: '#ffffff', accent: '#7b1fa2' });
  });

  it('gives way to ours when it is none', () => {
    expect(brandColours('red; } body { display: none').light.fill).toBe('#0b6b53');
    expect(brandColours(undefined).light.fill).toBe('#0b6b53');
  });

  it('is held against the grounds that the style has', () => {
    const [onScreens = ''] = css.split('@media print');
    const raised = [...onScreens.matchAll(/--raised: (#[0-9a-f]{6})/g)].map(([, colour]) => colour);
    expect(raised).toEqual([grounds.light, grounds.dark]);
  });
});

describe('the colours of the style', () => {
  const scheme = (text: string) =>
    Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, colour]) => [name, colour]));
  const [lightText = '', darkText = ''] = css.split('@media (prefers-color-scheme: dark)');
  const light = scheme(lightText);
  const schemes = { light, dark: { ...light, ...scheme(darkText.split('*,')[0] ?? '') } };

  it.each(['light', 'dark'] as const)('can be read in the %s scheme', (name) => {
    const colours = schemes[name];
    const pairs = ['page', 'raised'].flatMap((ground) => ['text', 'soft'].map((ink) => [ink, ground]));
    const all = [...pairs, ['danger', 'danger-ground'], ['attention', 'attention-ground'], ['good', 'good-ground']];
    for (const [ink = '', ground = ''] of [
      ...all,
      ['danger', 'page'],
      ['good', 'page'],
      ['text', 'attention-ground'],
    ]) {
      expect(contrastOf(colours[ink] ?? '', colours[ground] ?? ''), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrastOf(colours.control ?? '', colours.page ?? ''), 'the edge of a field').toBeGreaterThanOrEqual(3);
  });
});
