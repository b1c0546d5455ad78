/** Images are decoded and encoded anew: what is kept has the picture and nothing else of the file. */
import sharp, { type Sharp } from 'sharp';
import type { FileKind } from '../file-kind.js';
import { largestUploadBytes } from '../inspect.js';
import { type CheckResult, isTooLarge, isTooSmall, mostPixels } from './result.js';

sharp.cache(false);
sharp.concurrency(1);
// The library can read much more; nothing of it is reachable but these two.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

/** The first is as good as the eye can tell; the others are for a picture that would grow past what may be sent. */
const qualities = [90, 75, 50];

/** Optimised coding makes a picture a quarter smaller, and needs 15 bytes of memory for each pixel: not for the largest. */
const mostOptimisedPixels = 16_000_000;

export async function checkImage(kind: Exclude<FileKind, 'pdf'>, bytes: Buffer): Promise<CheckResult> {
  if (kind === 'png' && isAnimatedPng(bytes)) return 'animated';
  // Reads the head only, so that the size is known before a single pixel is made.
  const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (isTooLarge(width, height)) return 'too_many_pixels';
  if (pages > 1) return 'animated';
  if (isTooSmall(width, height)) return 'too_few_pixels';
  if (await isBlank(bytes)) return 'blank';
  if (kind === 'png') {
    const made = await picture(bytes).png({ compressionLevel: 6 }).toBuffer();
    if (made.length <= largestUploadBytes) return { mediaType: 'image/png', bytes: made };
  }
  return asJpeg(bytes, width * height <= mostOptimisedPixels);
}

/** Small enough to be quick, large enough for a line of print to show. */
const blanknessPixels = 256;
/** Of 255 shades of grey. A covered lens stays below 2; a white sheet with one line of print has 3. */
const leastDeviation = 2.5;

async function isBlank(bytes: Buffer): Promise<boolean> {
  const small = await picture(bytes)
    .flatten({ background: 'white' })
    .greyscale()
    .resize(blanknessPixels, blanknessPixels, { fit: 'inside', fastShrinkOnLoad: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const { channels } = await sharp(small).stats();
  return channels.every(({ stdev }) => stdev < leastDeviation);
}

async function asJpeg(bytes: Buffer, optimiseCoding: boolean): Promise<CheckResult> {
  for (const quality of qualities) {
    const made = await picture(bytes)
      .flatten({ background: 'white' })
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding })
      .toBuffer();
    if (made.length <= largestUploadBytes) return { mediaType: 'image/jpeg', bytes: made };
  }
  return 'too_many_pixels';
}

/** Upright by what the camera noted, in the colours that every screen shows; no metadata goes along unless asked for. */
function picture(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb');
}

const pngSignatureBytes = 8;

/** An `acTL` chunk before the picture's data: the decoder would show the first frame and say nothing of the others. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = pngSignatureBytes; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT' || type === 'IEND') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
