/** Files that people with bad intent, or bad luck, send; each with what must come of it. */
import { deflateSync, gzipSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import type { UploadFault } from '../../src/kyc/documents/inspect.js';
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
import { firstFurther, objectStream, type PdfOptions, pdf } from './pdfs.js';

type MediaType = 'image/jpeg' | 'image/png' | 'application/pdf';

export interface HostileFile {
  readonly name: string;
  /** What may come of it: one fault, or a document made anew in which nothing of `gone` is left. */
  readonly outcome: readonly (UploadFault | MediaType)[];
  readonly bytes: () => Buffer | Promise<Buffer>;
  readonly gone?: readonly string[];
}

const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const html = '<html><script>alert(document.domain)</script></html>';
/** Begins and ends like a ZIP, or a JAR, which is one. */
const zip = Buffer.concat([
  Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'),
  Buffer.alloc(20),
  Buffer.from('META-INF/MANIFEST.MF'),
  Buffer.from('PK\x05\x06', 'latin1'),
  Buffer.alloc(18),
]);
const gif = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

function text(content: string): () => Buffer {
  return () => Buffer.from(content, 'latin1');
}

async function smallJpeg(): Promise<Buffer> {
  return jpegOf(await photograph(320, 200));
}

const images: HostileFile[] = [
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
      plainPng(64, 64, {
        extra: [
          pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(200e6))])),
        ],
      }),
  },
  {
    name: 'PNG with a colour profile that unfolds to 200 MB',
    outcome: ['image/png', 'unreadable'],
    bytes: () =>
      plainPng(64, 64, {
        extra: [
          pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(Buffer.alloc(200e6))])),
        ],
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
    bytes: () => plainPng(64, 64, { extra: [pngChunk('tEXt', Buffer.from(`Comment\0${html}`))] }),
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
    bytes: async () => withScansRepeated(await jpegOf(plainPng(6_000, 6_000), { progressive: true }), 1_000),
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

const otherKinds: HostileFile[] = [
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

/** Each way to be active, on its own, in an object that no page leads to where it can be. */
const activeParts: readonly [name: string, options: PdfOptions][] = [
  ['a script on opening', { catalogue: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }],
  [
    'a script on opening, by reference',
    { catalogue: '/OpenAction 10 0 R', further: ['<< /S /JavaScript /JS (app.alert\\(1\\)) >>'] },
  ],
  [
    'a script in the tree of names',
    {
      catalogue: '/Names << /JavaScript << /Names [(a) 10 0 R] >> >>',
      further: ['<< /S /JavaScript /JS (1) >>'],
    },
  ],
  ['a script that nothing leads to', { further: ['<< /S /JavaScript /JS (1) >>'] }],
  ['a script with its name escaped', { further: ['<< /S /J#61vaScript /#4a#53 (1) >>'] }],
  [
    'a script in a stream',
    { further: ['<< /JS 11 0 R >>', { dictionary: '', data: Buffer.from('app.alert(1)') }] },
  ],
  [
    'a program to launch',
    { page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /Launch /F (cmd.exe) >> >>]' },
  ],
  ['something to launch on opening', { catalogue: '/OpenAction << /S /Launch /F (cmd.exe) >>' }],
  ['an action when a page is opened', { page: '/AA << /O << /S /URI /URI (http://192.0.2.1/) >> >>' }],
  ['an action of the document', { catalogue: '/AA << /WC << /S /Named /N /Print >> >>' }],
  ['a web address on opening', { catalogue: '/OpenAction << /S /URI /URI (http://192.0.2.1/) >>' }],
  [
    'a file inside',
    {
      catalogue: '/Names << /EmbeddedFiles << /Names [(a) 10 0 R] >> >>',
      further: [
        '<< /Type /Filespec /F (a.exe) /EF << /F 11 0 R >> >>',
        { dictionary: '/Type /EmbeddedFile', data: zip },
      ],
    },
  ],
  [
    'a file attached to a page',
    { page: '/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] >>]' },
  ],
  [
    'an XFA form',
    {
      catalogue: '/AcroForm << /Fields [] /XFA 10 0 R >>',
      further: [{ dictionary: '', data: Buffer.from('<xdp/>') }],
    },
  ],
  [
    'rich media',
    { page: '/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] /RichMediaContent << >> >>]' },
  ],
  ['a form that sends itself', { further: ['<< /S /SubmitForm /F (http://192.0.2.1/) >>'] }],
  ['data from another file', { further: [{ dictionary: '/F (/etc/passwd)', data: Buffer.alloc(0) }] }],
  [
    'a page of another file',
    {
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F (\\\\\\\\host\\\\share) /D [0] >> >>]',
    },
  ],
];

const scripted: HostileFile[] = activeParts.flatMap(([name, options]) => [
  { name: `PDF with ${name}`, outcome: ['pdf_active'] as const, bytes: () => pdf(options) },
  {
    name: `PDF with ${name}, in an object stream`,
    outcome: ['pdf_active'] as const,
    bytes: () => pdf({ ...options, isPacked: true }),
  },
]);

const pdfs: HostileFile[] = [
  { name: 'PDF that is encrypted', outcome: ['pdf_encrypted'], bytes: encryptedPdf },
  {
    name: 'PDF that says it is encrypted',
    outcome: ['pdf_encrypted'],
    bytes: () => pdf({ trailer: '/Encrypt 10 0 R', further: ['<< /Filter /Standard /V 2 /R 3 /P -4 >>'] }),
  },
  { name: 'PDF of 11 pages', outcome: ['pdf_too_many_pages'], bytes: () => pdf({ pages: 11 }) },
  { name: 'PDF of 5,000 pages', outcome: ['pdf_too_many_pages'], bytes: () => pdf({ pages: 5_000 }) },
  {
    name: 'PDF of 5,000 pages in an object stream',
    outcome: ['pdf_too_many_pages'],
    bytes: () => pdf({ pages: 5_000, isPacked: true }),
  },
  { name: 'PDF without pages', outcome: ['unreadable'], bytes: () => pdf({ pages: 0 }) },
  {
    name: 'PDF of 60,000 objects',
    outcome: ['unreadable'],
    bytes: () => pdf({ further: Array(60_000).fill('null') }),
  },
  {
    name: 'PDF whose tree of pages bites its tail',
    outcome: ['unreadable'],
    bytes: () => pdf({ catalogue: '/Pages 10 0 R', further: ['<< /Type /Pages /Count 1 /Kids [10 0 R] >>'] }),
  },
  {
    name: 'PDF with an object stream that unfolds to 900 MB',
    outcome: ['application/pdf', 'unreadable', 'timeout'],
    bytes: () =>
      pdf({
        further: [
          {
            dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
            data: deflateSync(Buffer.alloc(900e6, ' ')),
          },
        ],
      }),
  },
  {
    name: 'PDF with a table of four thousand million entries',
    outcome: ['application/pdf', 'unreadable', 'timeout'],
    bytes: () =>
      pdf({ further: [{ dictionary: '/Type /XRef /Size 4294967295 /W [1 2 1]', data: Buffer.alloc(4) }] }),
  },
  {
    name: 'PDF whose page unfolds to 200 MB',
    outcome: ['unreadable'],
    bytes: () =>
      pdf({
        page: `/Contents ${firstFurther} 0 R`,
        further: [{ dictionary: '/Filter /FlateDecode', data: deflateSync(Buffer.alloc(200e6, ' ')) }],
      }),
  },
  {
    name: 'PDF whose page unfolds twice, to 200 MB',
    outcome: ['unreadable'],
    bytes: () =>
      pdf({
        page: `/Contents ${firstFurther} 0 R`,
        further: [
          {
            dictionary: '/Filter [/FlateDecode /FlateDecode]',
            data: deflateSync(deflateSync(Buffer.alloc(200e6, ' '))),
          },
        ],
      }),
  },
  {
    name: 'PDF with an image of 30,000 by 30,000',
    outcome: ['too_many_pixels'],
    bytes: () =>
      pdf({
        page: `/Resources << /XObject << /I ${firstFurther} 0 R >> >>`,
        further: [
          {
            dictionary:
              '/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode',
            data: deflateSync(Buffer.alloc(1e6)),
          },
        ],
      }),
  },
  {
    name: 'PDF of a hundred thousand brackets',
    outcome: ['application/pdf', 'unreadable'],
    bytes: () => pdf({ further: [`${'['.repeat(100_000)}${']'.repeat(100_000)}`] }),
  },
  {
    name: 'PDF that is a web page too',
    outcome: ['application/pdf'],
    bytes: () => Buffer.concat([pdf({ comment: `%${html}\n` }), Buffer.from(html)]),
    gone: ['<script>', '<html>'],
  },
  {
    name: 'PDF with a ZIP behind it',
    outcome: ['application/pdf'],
    bytes: () => Buffer.concat([pdf(), zip]),
    gone: ['PK\x03\x04', 'META-INF'],
  },
  {
    name: 'PDF with the EICAR string in an object that nothing leads to',
    outcome: ['application/pdf'],
    bytes: () => pdf({ further: [{ dictionary: '', data: Buffer.from(eicar) }] }),
    gone: ['EICAR'],
  },
  {
    name: 'PDF with a script in an object that a later one replaced',
    outcome: ['application/pdf', 'pdf_active'],
    bytes: () =>
      Buffer.concat([
        pdf({ further: ['<< /S /JavaScript /JS (app.alert) >>'] }),
        Buffer.from('10 0 obj\nnull\nendobj\nstartxref\n0\n%%EOF\n'),
      ]),
    gone: ['app.alert'],
  },
  {
    name: 'PDF with links and an opening page',
    outcome: ['application/pdf'],
    bytes: () =>
      pdf({
        catalogue: '/OpenAction [10 0 R /Fit]',
        page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://192.0.2.1/) >> >>]',
      }),
    gone: ['192.0.2.1', '/URI', '/OpenAction'],
  },
  {
    name: 'web page with a PDF behind it',
    outcome: ['not_an_accepted_type'],
    bytes: () => Buffer.concat([Buffer.from(html), pdf()]),
  },
  { name: 'PDF cut in the middle', outcome: ['unreadable'], bytes: () => half(pdf({ isPacked: true })) },
  { name: 'the first bytes of a PDF alone', outcome: ['unreadable'], bytes: text('%PDF-') },
  {
    name: 'PDF of noise',
    outcome: ['unreadable', 'timeout'],
    bytes: () =>
      Buffer.concat([
        Buffer.from('%PDF-1.7\n'),
        gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 251))),
      ]),
  },
  {
    name: 'PDF with an object stream inside an object stream’s place',
    outcome: ['application/pdf', 'unreadable'],
    bytes: () => pdf({ further: [objectStream([[99, '<< /Type /ObjStm >>']])] }),
  },
];

export const corpus: readonly HostileFile[] = [...images, ...otherKinds, ...scripted, ...pdfs];

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length >> 1);
}

async function encryptedPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  document.encrypt({ userPassword: 'open', ownerPassword: 'sesame' });
  return Buffer.from(await document.save());
}
