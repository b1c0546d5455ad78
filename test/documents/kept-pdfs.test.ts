/** A PDF that is accepted is kept as it was sent, up to its end mark. */
import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { expect, it } from 'vitest';
import { jpegOf, photograph } from './images.js';
import { closeInspectorsAfterAll, documentOf, inspecting } from './inspecting.js';
import { firstFurther, pdf } from './pdfs.js';

const { inspect } = inspecting();
closeInspectorsAfterAll();

async function expectKept(sent: Buffer): Promise<void> {
  const { mediaType, bytes } = documentOf(await inspect(sent));
  expect(mediaType).toBe('application/pdf');
  const end = sent.lastIndexOf('%%EOF') + '%%EOF'.length;
  expect(bytes.equals(sent.subarray(0, end))).toBe(true);
}

/** What the programs of banks and offices write: text, a picture, facts about the author. */
async function statement(options: { useObjectStreams: boolean }): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const picture = await document.embedJpg(await jpegOf(await photograph(200, 120)));
  for (const number of [1, 2, 3]) {
    const page = document.addPage([595, 842]);
    page.drawText(`Statement of account, page ${number}`, { x: 50, y: 780, font, size: 18 });
    page.drawImage(picture, { x: 50, y: 500 });
  }
  document.setAuthor('An Author');
  return Buffer.from(await document.save(options));
}

it.each([{ useObjectStreams: true }, { useObjectStreams: false }])(
  'a statement of account is kept byte by byte (%o)',
  async (options) => expectKept(await statement(options)),
);

it('a form with filled-in fields is kept', async () => {
  const form = await PDFDocument.create();
  const field = form.getForm().createTextField('name');
  field.setText('Ana Reyes');
  field.addToPage(form.addPage([595, 842]), { x: 50, y: 700 });
  await expectKept(Buffer.from(await form.save()));
});

it('a PDF that opens at a page, as word processors write it, and has links is kept', async () => {
  await expectKept(
    pdf({
      catalogue: '/OpenAction << /Type /Action /S /GoTo /D [10 0 R /XYZ null null 0] >>',
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://bank.example) >> >>]',
    }),
  );
});

it('ten pages are kept, and eleven are refused', async () => {
  await expectKept(pdf({ pages: 10 }));
  expect(await inspect(pdf({ pages: 11 }))).toEqual({ ok: false, fault: 'pdf_too_many_pages' });
});

it('ten megabytes of scanned pages are kept', async () => {
  const document = await PDFDocument.create();
  const scan = await document.embedJpg(await jpegOf(await photograph(2_480, 3_508)));
  for (let page = 0; page < 10; page += 1)
    document.addPage([595, 842]).drawImage(scan, { x: 0, y: 0, width: 595, height: 842 });
  await expectKept(Buffer.from(await document.save()));
});

it('pages scanned without loss, packed twice as some programs do, need no more memory than they have', async () => {
  const narrow = inspecting({ memoryBytes: 400 * 1024 * 1024 });
  const pixels = deflateSync(Buffer.alloc(2_480 * 3_508 * 3, 'page'));
  const scan = {
    dictionary:
      '/Type /XObject /Subtype /Image /Width 2480 /Height 3508 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter [/ASCIIHexDecode /FlateDecode]',
    data: Buffer.from(`${pixels.toString('hex')}>`),
  };
  const scans = Array.from({ length: 10 }, (_, index) => `/I${index} ${firstFurther + index} 0 R`).join(' ');
  const sent = pdf({ page: `/Resources << /XObject << ${scans} >> >>`, further: Array(10).fill(scan) });
  expect(documentOf(await narrow.inspect(sent)).mediaType).toBe('application/pdf');
});
