/** Images that no camera makes: put together byte by byte, so that each fault is the one that is meant. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** In bands of black and white. Bits for each pixel: 1 is black and white, 24 colours, 64 colours and opacity of 16 bits each. */
export function plainPng(
  width: number,
  height: number,
  options: { bitsPerPixel?: 1 | 24 | 64; extra?: Buffer[] } = {},
): Buffer {
  const { bitsPerPixel = 24, extra = [] } = options;
  const [depth, colourType] = { 1: [1, 0], 24: [8, 2], 64: [16, 6] }[bitsPerPixel] as [number, number];
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colourType, 0, 0, 0], 8);
  const rowBytes = 1 + Math.ceil((width * bitsPerPixel) / 8);
  // Half of the opacity too, where there is one: what is clear counts as white.
  const shade = bitsPerPixel === 64 ? 0x80 : 0xff;
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) if ((y >> 6) % 2) rows.fill(shade, y * rowBytes + 1, (y + 1) * rowBytes);
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', head),
    ...extra,
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Says that it is so large and has next to nothing. */
export function lyingPng(width: number, height: number): Buffer {
  const png = plainPng(1, 1);
  const head = Buffer.from(png.subarray(16, 29));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([pngSignature, pngChunk('IHDR', head), png.subarray(33)]);
}

export function animatedPng(frames: number): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  const frame = Buffer.alloc(26);
  frame.writeUInt32BE(64, 4);
  frame.writeUInt32BE(64, 8);
  const still = plainPng(64, 64);
  const data = deflateSync(Buffer.alloc(64 * (1 + 64 * 3)));
  const later = Array.from({ length: frames - 1 }, (_, index) => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(index * 2 + 2);
    return [pngChunk('fcTL', frame), pngChunk('fdAT', Buffer.concat([number, data]))];
  }).flat();
  const end = pngChunk('IEND', Buffer.alloc(0));
  return Buffer.concat([
    still.subarray(0, 33),
    pngChunk('acTL', control),
    pngChunk('fcTL', frame),
    still.subarray(33, still.length - end.length),
    ...later,
    end,
  ]);
}

/** Something to see, so that a picture that was turned or lost is noticed. Another tint makes another picture. */
export async function photograph(width = 640, height = 420, tint = 40): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels[at] = (x * 255) / width;
      pixels[at + 1] = (y * 255) / height;
      pixels[at + 2] = (x >> 5) % 2 === (y >> 5) % 2 ? 200 : tint;
      at += 3;
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

/** As a covered lens or a white wall gives it. */
export function blankPicture(noise: number): Promise<Buffer> {
  const grain = { type: 'gaussian', mean: 200, sigma: noise } as const;
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#c8c8c8', noise: grain } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

export async function jpegOf(png: Buffer, options: { progressive?: boolean } = {}): Promise<Buffer> {
  return sharp(png)
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4', ...options })
    .toBuffer();
}

/** Puts segments right behind the beginning of a JPEG. */
export function withSegments(jpeg: Buffer, ...segments: { marker: number; data: Buffer }[]): Buffer {
  const encoded = segments.map(({ marker, data }) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...encoded, jpeg.subarray(2)]);
}

/** The size that the head of a JPEG says, replaced. */
export function resizedInHead(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const at = startOfFrame(copy);
  copy.writeUInt16BE(height, at + 5);
  copy.writeUInt16BE(width, at + 7);
  return copy;
}

/** The last scan of a progressive JPEG, over and over: each one makes the decoder walk over every pixel again. */
export function withScansRepeated(jpeg: Buffer, times: number): Buffer {
  const lastScan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(lastScan, jpeg.length - 2);
  return Buffer.concat([jpeg.subarray(0, lastScan), ...Array(times).fill(scan), jpeg.subarray(-2)]);
}

function startOfFrame(jpeg: Buffer): number {
  for (const marker of [0xc0, 0xc2]) {
    const at = jpeg.indexOf(Buffer.from([0xff, marker]));
    if (at >= 0) return at;
  }
  throw new Error('not a JPEG');
}
