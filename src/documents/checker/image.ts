/** Decodes an image and encodes it again, so that the stored file contains the pixels and nothing else. */
import sharp, { type Sharp } from 'sharp';
import type { FileKind } from '../file-kind.js';
import { largestUploadBytes } from '../inspect.js';
import { type CheckResult, isTooLarge, isTooSmall, maxPixels } from './result.js';

sharp.cache(false);
sharp.concurrency(1);
// The library can read many more formats. All loaders but these two are blocked.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });

/** The first shows no visible loss. The others are for a picture that would exceed the upload limit. */
const qualities = [90, 75, 50];

/** Optimised coding makes a file a quarter smaller but needs 15 bytes of memory per pixel, so large images go without. */
const maxOptimisedPixels = 16_000_000;

export async function checkImage(kind: Exclude<FileKind, 'pdf'>, bytes: Buffer): Promise<CheckResult> {
  if (kind === 'png' && isAnimatedPng(bytes)) return 'animated';
  // Reads the header only, so that the size is known before any pixel is decoded.
  const { width, height, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (isTooLarge(width, height)) return 'too_many_pixels';
  if (pages > 1) return 'animated';
  if (isTooSmall(width, height)) return 'too_few_pixels';
  if (await isBlank(bytes)) return 'blank';
  if (kind === 'png') {
    const encoded = await picture(bytes).png({ compressionLevel: 6 }).toBuffer();
    if (encoded.length <= largestUploadBytes) return { mediaType: 'image/png', bytes: encoded };
  }
  return asJpeg(bytes, width * height <= maxOptimisedPixels);
}

/** Images are compared at this size: small enough to be quick, large enough for a line of print to be visible. */
const blanknessPixels = 256;
/** In 255 shades of grey. A covered lens stays below 2; a white sheet with one line of print has 3. */
const minDeviation = 2.5;

async function isBlank(bytes: Buffer): Promise<boolean> {
  const small = await picture(bytes)
    .flatten({ background: 'white' })
    .greyscale()
    .resize(blanknessPixels, blanknessPixels, { fit: 'inside', fastShrinkOnLoad: true })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const { channels } = await sharp(small).stats();
  return channels.every(({ stdev }) => stdev < minDeviation);
}

async function asJpeg(bytes: Buffer, optimiseCoding: boolean): Promise<CheckResult> {
  for (const quality of qualities) {
    const encoded = await picture(bytes)
      .flatten({ background: 'white' })
      .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding })
      .toBuffer();
    if (encoded.length <= largestUploadBytes) return { mediaType: 'image/jpeg', bytes: encoded };
  }
  return 'too_many_pixels';
}

/** Applies the orientation that the camera recorded and converts to sRGB. Sharp writes no metadata by default. */
function picture(bytes: Buffer): Sharp {
  return sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb');
}

const pngSignatureBytes = 8;

/** Looks for an `acTL` chunk before the image data. The decoder would return the first frame and ignore the others. */
function isAnimatedPng(bytes: Buffer): boolean {
  for (let at = pngSignatureBytes; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT' || type === 'IEND') return false;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}
