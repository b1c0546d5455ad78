/** Files that people with bad intent, or bad luck, send; each with what must come of it. */
import sharp from 'sharp';
import { eicar, type HostileFile, html, smallJpeg, text, zip } from './hostile-file.js';
import { hostileImages } from './hostile-images.js';
import { activePdfs, hostilePdfs } from './hostile-pdfs.js';
import { photograph } from './images.js';

const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

const otherKinds: readonly HostileFile[] = [
  { name: 'nothing', outcome: ['empty'], bytes: () => Buffer.alloc(0) },
  { name: 'one byte', outcome: ['not_an_accepted_type'], bytes: () => Buffer.from([0xff]) },
  {
    name: 'the first bytes of a JPEG alone',
    outcome: ['unreadable'],
    bytes: () => Buffer.from([0xff, 0xd8, 0xff]),
  },
  { name: 'GIF', outcome: ['not_an_accepted_type'], bytes: () => gif },
  {
    name: 'GIF that is a JAR too',
    outcome: ['not_an_accepted_type'],
    bytes: () => Buffer.concat([gif, zip]),
  },
  {
    name: 'WebP',
    outcome: ['not_an_accepted_type'],
    bytes: async () =>
      sharp(await photograph())
        .webp()
        .toBuffer(),
  },
  {
    name: 'AVIF',
    outcome: ['not_an_accepted_type'],
    bytes: async () =>
      sharp(await photograph(64, 64))
        .avif()
        .toBuffer(),
  },
  {
    name: 'TIFF',
    outcome: ['not_an_accepted_type'],
    bytes: async () =>
      sharp(await photograph(64, 64))
        .tiff()
        .toBuffer(),
  },
  { name: 'HEIC', outcome: ['heic'], bytes: text('\0\0\0\x18ftypheic\0\0\0\0mif1heic') },
  { name: 'HEIC of many brands', outcome: ['heic'], bytes: text('\0\0\0\x18ftypmif1\0\0\0\0mif1heic') },
  {
    name: 'SVG with a script',
    outcome: ['not_an_accepted_type'],
    bytes: text(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
  },
  { name: 'web page', outcome: ['not_an_accepted_type'], bytes: text(`<!doctype html>${html}`) },
  { name: 'ZIP', outcome: ['not_an_accepted_type'], bytes: () => zip },
  { name: 'the EICAR string', outcome: ['not_an_accepted_type'], bytes: text(eicar) },
  { name: 'program', outcome: ['not_an_accepted_type'], bytes: text('\x7fELF\x02\x01\x01') },
  {
    name: '11 MB of a JPEG',
    outcome: ['too_large'],
    bytes: async () => Buffer.concat([await smallJpeg(), Buffer.alloc(11 << 20)]),
  },
];

export const corpus: readonly HostileFile[] = [...hostileImages, ...otherKinds, ...activePdfs, ...hostilePdfs];
