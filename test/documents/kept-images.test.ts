/** What is kept of an image is its picture: upright, in its colours, and nothing else of the file. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { blankPicture, jpegOf, photograph, plainPng, withSegments } from './images.js';
import { closeInspectorsAfterAll, documentOf, inspecting } from './inspecting.js';

const { inspect } = inspecting();
closeInspectorsAfterAll();

const place = 'Calle del Sol 12';
const trailing = 'trailing data that a camera left';

/** As a telephone writes it: where and when, how it was held, what a program noted, which colours its screen has. */
async function telephonePhotograph(orientation: number): Promise<Buffer> {
  return sharp(await photograph())
    .withExif({
      IFD0: { Copyright: place },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '39/1 28/1 11/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 22/1 35/1',
      },
    })
    .withMetadata({ orientation })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><note>${place}</note></x:xmpmeta>`)
    .withIccProfile('p3')
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** With a small picture of what was there before it was cropped, and remarks in every place that has room for one. */
async function annotated(taken: Buffer): Promise<Buffer> {
  const thumbnail = await jpegOf(await photograph(80, 60));
  const segmented = withSegments(
    taken,
    {
      marker: 0xe1,
      data: Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0', 'latin1'), thumbnail]),
    },
    { marker: 0xed, data: Buffer.from(`Photoshop 3.0\0${place}`) },
    { marker: 0xfe, data: Buffer.from(place) },
  );
  return Buffer.concat([segmented, thumbnail, Buffer.from(trailing)]);
}

/** How far two pictures are apart, of 255, for each colour of each pixel. */
async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [left, right] = await Promise.all(
    [one, other].map((bytes) => sharp(bytes).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer()),
  );
  if (!left || !right || left.length !== right.length) return 255;
  let sum = 0;
  for (const [index, value] of left.entries()) sum += Math.abs(value - (right[index] ?? 0));
  return sum / left.length;
}

describe('a photograph', () => {
  it('loses place, time, thumbnail, notes, profile and what came after it, and looks the same', async () => {
    const taken = await annotated(await telephonePhotograph(1));
    const before = await sharp(taken).metadata();
    expect([before.exif, before.xmp, before.icc].every((part) => part !== undefined)).toBe(true);

    const { mediaType, bytes } = documentOf(await inspect(taken));
    expect(mediaType).toBe('image/jpeg');
    const markers = [place, trailing, 'Exif', 'GPS', 'http://ns.adobe.com', 'xmpmeta', 'Photoshop', 'ICC_PROFILE'];
    expect(markers.filter((marker) => bytes.includes(marker))).toEqual([]);
    const { exif, xmp, icc, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, xmp, icc, iptc, orientation }).toEqual({});
    // One picture: no second beginning, as a thumbnail would have.
    expect(bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]), 2)).toBe(-1);
    expect(bytes.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
    expect(await meanDifference(bytes, taken)).toBeLessThan(3);
  });

  it.each([2, 3, 4, 5, 6, 7, 8])('that the camera held another way (%i) is kept upright', async (orientation) => {
    const taken = await telephonePhotograph(orientation);
    const { bytes } = documentOf(await inspect(taken));
    const { width, height, orientation: kept } = await sharp(bytes).metadata();
    expect({ width, height, kept }).toEqual(
      orientation >= 5 ? { width: 420, height: 640, kept: undefined } : { width: 640, height: 420, kept: undefined },
    );
    expect(await meanDifference(bytes, taken)).toBeLessThan(3);
  });

  it('for the printer becomes one for the screen', async () => {
    const printed = await sharp(await photograph())
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer();
    const { bytes } = documentOf(await inspect(printed));
    expect(await sharp(bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  });

  it('that comes in many scans is kept', async () => {
    const png = await photograph(2_000, 1_500);
    const { bytes } = documentOf(await inspect(await jpegOf(png, { progressive: true })));
    expect(await meanDifference(bytes, png)).toBeLessThan(3);
  });
});

describe('a PNG', () => {
  it('stays a PNG, to the pixel, without its texts', async () => {
    const png = await sharp(await photograph())
      .withExif({ IFD0: { Copyright: place } })
      .png()
      .toBuffer();
    expect(png.includes(place)).toBe(true);
    const { mediaType, bytes } = documentOf(await inspect(png));
    expect(mediaType).toBe('image/png');
    expect(bytes.includes(place)).toBe(false);
    expect(await meanDifference(bytes, png)).toBe(0);
  });

  it('keeps what is transparent', async () => {
    const glass = await sharp(await photograph())
      .ensureAlpha(0.5)
      .png()
      .toBuffer();
    const { bytes } = documentOf(await inspect(glass));
    expect(await sharp(bytes).metadata()).toMatchObject({ channels: 4, hasAlpha: true });
  });

  it('of sixteen bits for each colour is kept with eight', async () => {
    const { bytes } = documentOf(await inspect(plainPng(600, 400, { bitsPerPixel: 64 })));
    expect(await sharp(bytes).metadata()).toMatchObject({ depth: 'uchar', width: 600, height: 400 });
  });
});

describe('a picture that shows too little', () => {
  it.each([
    [599, 400],
    [600, 399],
    [400, 599],
    [120, 120],
  ])('of %i by %i pixels is refused', async (width, height) => {
    expect(await inspect(plainPng(width, height))).toEqual({ ok: false, fault: 'too_few_pixels' });
  });

  it.each([
    [600, 400],
    [400, 600],
  ])('of %i by %i pixels is large enough', async (width, height) => {
    expect((await inspect(plainPng(width, height))).ok).toBe(true);
  });

  it.each([0.1, 8])('of one colour, with noise of %d, is refused', async (noise) => {
    expect(await inspect(await blankPicture(noise))).toEqual({ ok: false, fault: 'blank' });
  });

  it('is not a sheet with three lines of print on it', async () => {
    const lines = [100, 130, 160].map(
      (y) => `<text x="80" y="${y}" font-size="18">Ana Reyes, Calle del Sol 12, Valencia</text>`,
    );
    const sheet = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="100%" height="100%" fill="white"/>${lines.join('')}</svg>`,
    );
    expect((await inspect(await sharp(sheet).jpeg().toBuffer())).ok).toBe(true);
  });
});

describe('the largest that is taken', () => {
  it('has 40 megapixels and 12,000 on a side', async () => {
    const largest = plainPng(12_000, 3_333, { bitsPerPixel: 1 });
    const { bytes } = documentOf(await inspect(largest));
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 12_000, height: 3_333 });
  });
});
