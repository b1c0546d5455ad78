/** PDFs that do something, hide something, or were made to break their reader. */
import { deflateSync, gzipSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { deflated, eicar, type HostileFile, half, html, text, zip } from './hostile-file.js';
import { firstFurther, objectStream, type PdfOptions, pdf } from './pdfs.js';

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
  ['a script in a stream', { further: ['<< /JS 11 0 R >>', { dictionary: '', data: Buffer.from('app.alert(1)') }] }],
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
  ['a file attached to a page', { page: '/Annots [<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] >>]' }],
  [
    'an XFA form',
    {
      catalogue: '/AcroForm << /Fields [] /XFA 10 0 R >>',
      further: [{ dictionary: '', data: Buffer.from('<xdp/>') }],
    },
  ],
  ['rich media', { page: '/Annots [<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] /RichMediaContent << >> >>]' }],
  ['a form that sends itself', { further: ['<< /S /SubmitForm /F (http://192.0.2.1/) >>'] }],
  ['data from another file', { further: [{ dictionary: '/F (/etc/passwd)', data: Buffer.alloc(0) }] }],
  [
    'a page of another file',
    {
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F (\\\\\\\\host\\\\share) /D [0] >> >>]',
    },
  ],
];

export const activePdfs: readonly HostileFile[] = activeParts.flatMap(([name, options]) => [
  { name: `PDF with ${name}`, outcome: ['pdf_active'] as const, bytes: () => pdf(options) },
  {
    name: `PDF with ${name}, in an object stream`,
    outcome: ['pdf_active'] as const,
    bytes: () => pdf({ ...options, isPacked: true }),
  },
]);

export const hostilePdfs: readonly HostileFile[] = [
  {
    name: 'PDF with a script in an object stream behind two filters',
    outcome: ['pdf_active'],
    bytes() {
      const { dictionary, data } = objectStream([[99, '<< /S /JavaScript /JS (1) >>']]);
      const filters = dictionary.replace('/FlateDecode', '[/ASCIIHexDecode /FlateDecode]');
      return pdf({ further: [{ dictionary: filters, data: Buffer.from(`${data.toString('hex')}>`) }] });
    },
  },
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
            data: deflated(900, ' '),
          },
        ],
      }),
  },
  {
    name: 'PDF with a table of four thousand million entries',
    outcome: ['application/pdf', 'unreadable', 'timeout'],
    bytes: () => pdf({ further: [{ dictionary: '/Type /XRef /Size 4294967295 /W [1 2 1]', data: Buffer.alloc(4) }] }),
  },
  {
    name: 'PDF whose page unfolds to 200 MB',
    outcome: ['unreadable'],
    bytes: () =>
      pdf({
        page: `/Contents ${firstFurther} 0 R`,
        further: [{ dictionary: '/Filter /FlateDecode', data: deflated(200, ' ') }],
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
            data: deflateSync(deflated(200, ' ')),
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
  },
  {
    name: 'PDF with a script in an object that a later one replaced',
    outcome: ['pdf_active'],
    bytes: () =>
      Buffer.concat([
        pdf({ further: ['<< /S /JavaScript /JS (app.alert) >>'] }),
        Buffer.from('10 0 obj\nnull\nendobj\nstartxref\n0\n%%EOF\n'),
      ]),
  },
  {
    name: 'PDF with links and an opening page',
    outcome: ['application/pdf'],
    bytes: () =>
      pdf({
        catalogue: '/OpenAction [10 0 R /Fit]',
        page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (http://192.0.2.1/) >> >>]',
      }),
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

async function encryptedPdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage();
  document.encrypt({ userPassword: 'open', ownerPassword: 'sesame' });
  return Buffer.from(await document.save());
}
