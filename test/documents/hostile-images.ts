/** Images that were made to break their decoder, or to carry something past it. */
import { gzipSync } from 'node:zlib';
import { rounds } from '../harness/rounds.js';
import { deflated, eicar, type HostileFile, half, html, smallJpeg, zip } from './hostile-file.js';
import {
  animatedPng,
  jpegOf,
  lyingPng,
  photograph,
  plainPng,
  pngChunk,
  resizedInHead,
  withScansRepeated,
  withSegments,
} from './images.js';
import { pdf } from './pdfs.js';

export const hostileImages: readonly HostileFile[] = [
  {
    name: 'PNG of 14,000 by 14,000',
    outcome: ['too_many_pixels'],
    bytes: () => plainPng(14_000, 14_000, { bitsPerPixel: 1 }),
  },
  { name: 'PNG of 1 by 60,000', outcome: ['too_many_pixels'], bytes: () => plainPng(1, 60_000) },
  { name: 'PNG of 60,000 by 1', outcome: ['too_many_pixels'], bytes: () => plainPng(60_000, 1) },
  { name: 'PNG of 12,001 by 1', outcome: ['too_many_pixels'], bytes: () => plainPng(12_001, 1) },
  {
    name: 'PNG whose head says 100,000 by 100,000',
    outcome: ['too_many_pixels'],
    bytes: () => lyingPng(100_000, 100_000),
  },
  {
    name: 'PNG whose head says 2^31 by 2^31',
    outcome: ['unreadable', 'too_many_pixels'],
    bytes: () => lyingPng(2 ** 31, 2 ** 31),
  },
  {
    name: 'PNG whose head says 5,000 by 5,000 and that has one pixel',
    outcome: ['unreadable'],
    bytes: () => lyingPng(5_000, 5_000),
  },
  { name: 'PNG of no width', outcome: ['unreadable'], bytes: () => lyingPng(0, 10) },
  {
    name: 'PNG bomb within the limit of pixels: 300 MB in 300 kB',
    outcome: ['image/png', 'unreadable', 'timeout'],
    bytes: () => plainPng(6_300, 6_300, { bitsPerPixel: 64 }),
  },
  {
    name: 'PNG with a text that unfolds to 200 MB',
    outcome: ['image/png', 'unreadable'],
    bytes: () =>
      plainPng(640, 420, {
        extra: [pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflated(200, '\0')]))],
      }),
  },
  {
    name: 'PNG with a colour profile that unfolds to 200 MB',
    outcome: ['image/png', 'unreadable'],
    bytes: () =>
      plainPng(640, 420, {
        extra: [pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflated(200, '\0')]))],
      }),
  },
  { name: 'animated PNG of 10,000 frames', outcome: ['animated'], bytes: () => animatedPng(10_000) },
  { name: 'animated PNG of 2 frames', outcome: ['animated'], bytes: () => animatedPng(2) },
  {
    name: 'PNG with a PDF behind it',
    outcome: ['image/png'],
    bytes: async () => Buffer.concat([await photograph(), pdf()]),
    gone: ['%PDF-'],
  },
  {
    name: 'PNG with a script in its text',
    outcome: ['image/png'],
    bytes: () => plainPng(640, 420, { extra: [pngChunk('tEXt', Buffer.from(`Comment\0${html}`))] }),
    gone: ['<script>', 'Comment'],
  },
  {
    name: 'JPEG whose head says 65,500 by 65,500',
    outcome: ['too_many_pixels'],
    bytes: async () => resizedInHead(await smallJpeg(), 65_500, 65_500),
  },
  {
    name: 'JPEG whose head says 1 by 60,000',
    outcome: ['too_many_pixels'],
    bytes: async () => resizedInHead(await smallJpeg(), 1, 60_000),
  },
  {
    name: 'JPEG whose head says 6,000 by 6,000 and that has a hundredth of it',
    outcome: ['image/jpeg', 'unreadable'],
    bytes: async () => resizedInHead(await smallJpeg(), 6_000, 6_000),
  },
  {
    name: 'JPEG that is decoded a thousand times over',
    outcome: ['timeout', 'unreadable', 'image/jpeg'],
    bytes: async () => {
      // Making one of 6,000 by 6,000 takes four seconds.
      const side = rounds(2_000, 6_000);
      return withScansRepeated(await jpegOf(plainPng(side, side), { progressive: true }), 1_000);
    },
  },
  {
    name: 'JPEG with a ZIP behind it',
    outcome: ['image/jpeg'],
    bytes: async () => Buffer.concat([await smallJpeg(), zip]),
    gone: ['PK\x03\x04', 'META-INF'],
  },
  {
    name: 'JPEG with the EICAR string in its comment',
    outcome: ['image/jpeg'],
    bytes: async () => withSegments(await smallJpeg(), { marker: 0xfe, data: Buffer.from(eicar) }),
    gone: ['EICAR'],
  },
  {
    name: 'JPEG with a web page in its comment',
    outcome: ['image/jpeg'],
    bytes: async () => withSegments(await smallJpeg(), { marker: 0xfe, data: Buffer.from(html) }),
    gone: ['<script>'],
  },
  {
    name: 'JPEG cut in the middle',
    outcome: ['unreadable'],
    bytes: async () => half(await jpegOf(await photograph())),
  },
  {
    name: 'JPEG cut after its first bytes',
    outcome: ['unreadable'],
    bytes: async () => (await smallJpeg()).subarray(0, 40),
  },
  { name: 'PNG cut in the middle', outcome: ['unreadable'], bytes: async () => half(await photograph()) },
  {
    name: 'PNG cut after its first bytes',
    outcome: ['unreadable'],
    bytes: async () => (await photograph()).subarray(0, 40),
  },
  {
    name: 'JPEG that is a PNG behind the first bytes',
    outcome: ['unreadable'],
    bytes: async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), await photograph()]),
  },
  {
    name: 'PNG of noise behind the first bytes',
    outcome: ['unreadable'],
    bytes: () => Buffer.concat([plainPng(1, 1).subarray(0, 8), gzipSync('noise '.repeat(1000))]),
  },
];
