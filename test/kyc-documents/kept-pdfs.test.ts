/** What is kept of a PDF is its pages, written into a new one: all that they show and nothing of the rest. */
import { deflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { jpegOf, photograph, withSegments } from './images.js';
import { closeInspectorsAfterAll, documentOf, inspecting } from './inspecting.js';
import { firstFurther, type PdfOptions, pdf } from './pdfs.js';

const { inspect } = inspecting();
closeInspectorsAfterAll();

async function kept(bytes: Buffer): Promise<{ bytes: Buffer; document: PDFDocument }> {
  const made = documentOf(await inspect(bytes));
  expect(made.mediaType).toBe('application/pdf');
  const document = await PDFDocument.load(made.bytes, { throwOnInvalidObject: true, updateMetadata: false });
  return { bytes: made.bytes, document };
}

/** What the programs of banks and offices write: text, a picture, facts about the author. */
async function statement(options: { useObjectStreams: boolean }): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const exif = await sharp(await photograph(200, 120))
    .withExif({ IFD0: { Copyright: 'a place' } })
    .jpeg()
    .toBuffer();
  const picture = await document.embedJpg(
    withSegments(exif, { marker: 0xfe, data: Buffer.from('a remark') }),
  );
  for (const number of [1, 2, 3]) {
    const page = document.addPage([595, 842]);
    page.drawText(`Statement of account, page ${number}`, { x: 50, y: 780, font, size: 18 });
    page.drawImage(picture, { x: 50, y: 500 });
  }
  document.setAuthor('An Author');
  document.setTitle('A Title');
  return Buffer.from(await document.save(options));
}

function contents(document: PDFDocument, index: number): string {
  const { context } = document;
  const value = document.getPage(index).node.lookup(PDFName.of('Contents'));
  const streams = value instanceof PDFArray ? value.asArray().map((one) => context.lookup(one)) : [value];
  return streams
    .map((stream) => Buffer.from((stream as PDFRawStream).getContents()).toString('latin1'))
    .join('');
}

function pageDictionary(document: PDFDocument, key: string): PDFDict | undefined {
  return document.getPage(0).node.lookupMaybe(PDFName.of(key), PDFDict);
}

describe.each([{ useObjectStreams: true }, { useObjectStreams: false }])('a statement (%o)', (options) => {
  it('keeps its pages, their size, text and pictures', async () => {
    const sent = await statement(options);
    const before = await PDFDocument.load(sent);
    const { document } = await kept(sent);
    expect(document.getPageCount()).toBe(3);
    expect(document.getPage(2).getSize()).toEqual({ width: 595, height: 842 });
    for (const index of [0, 1, 2]) expect(contents(document, index)).toBe(contents(before, index));
    const pictures =
      pageDictionary(document, 'Resources')?.lookup(PDFName.of('XObject'), PDFDict).keys() ?? [];
    expect(pictures).toHaveLength(1);
  });

  it('loses who wrote it, when and with what, and what its pictures tell beside themselves', async () => {
    const { bytes, document } = await kept(await statement(options));
    expect(document.getAuthor()).toBeUndefined();
    expect(document.getTitle()).toBeUndefined();
    expect(document.getProducer()).toBeUndefined();
    expect(['An Author', 'a place', 'a remark', 'Exif'].filter((text) => bytes.includes(text))).toEqual([]);
  });
});

describe('a page', () => {
  it('has what it takes over from the tree above it', async () => {
    const inherited: PdfOptions = {
      catalogue: '/Pages 10 0 R',
      further: [
        '<< /Type /Pages /Count 1 /Kids [11 0 R] /MediaBox [0 0 300 200] /Rotate 90 /Resources << /Font << /F1 4 0 R >> >> >>',
        '<< /Type /Page /Parent 10 0 R /Contents 3 0 R >>',
      ],
    };
    const { document } = await kept(pdf(inherited));
    expect(document.getPage(0).getSize()).toEqual({ width: 300, height: 200 });
    expect(document.getPage(0).getRotation().angle).toBe(90);
    expect(pageDictionary(document, 'Resources')?.has(PDFName.of('Font'))).toBe(true);
  });

  it('keeps what a filled-in field shows, without the form behind it', async () => {
    const form = await PDFDocument.create();
    const page = form.addPage([595, 842]);
    const field = form.getForm().createTextField('name');
    field.setText('Ana Reyes');
    field.addToPage(page, { x: 50, y: 700 });
    const { document, bytes } = await kept(Buffer.from(await form.save()));
    const [mark] = document.getPage(0).node.lookup(PDFName.of('Annots'), PDFArray).asArray();
    const annotation = document.context.lookup(mark, PDFDict);
    expect(annotation.keys().map(String).sort()).toEqual(['/AP', '/F', '/Rect', '/Subtype', '/Type']);
    expect(annotation.lookup(PDFName.of('Subtype'))).toBe(PDFName.of('Stamp'));
    expect(document.catalog.keys().map(String).sort()).toEqual(['/Pages', '/Type']);
    expect(bytes.includes('AcroForm')).toBe(false);
  });

  it('opens where a word processor says, and has links, without being refused', async () => {
    const harmless: PdfOptions = {
      catalogue: '/OpenAction << /Type /Action /S /GoTo /D [10 0 R /XYZ null null 0] >>',
      page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://bank.example) >> >>]',
    };
    const { document, bytes } = await kept(pdf(harmless));
    expect(document.getPage(0).node.has(PDFName.of('Annots'))).toBe(false);
    expect(bytes.includes('bank.example')).toBe(false);
  });

  it('that is there ten times is ten pages, and no more are taken', async () => {
    expect((await kept(pdf({ pages: 10 }))).document.getPageCount()).toBe(10);
    expect(await inspect(pdf({ pages: 11 }))).toEqual({ ok: false, fault: 'pdf_too_many_pages' });
  });
});

it('a PDF of scanned pages, ten megabytes of them, is kept', async () => {
  const document = await PDFDocument.create();
  const scan = await document.embedJpg(await jpegOf(await photograph(2_480, 3_508)));
  for (let page = 0; page < 10; page += 1)
    document.addPage([595, 842]).drawImage(scan, { x: 0, y: 0, width: 595, height: 842 });
  const { document: made } = await kept(Buffer.from(await document.save()));
  const streams = made.context
    .enumerateIndirectObjects()
    .filter(([, object]) => object instanceof PDFRawStream);
  expect(made.getPageCount()).toBe(10);
  expect(streams.length).toBeGreaterThanOrEqual(11);
});

it('a PDF of pages scanned without loss, packed twice as some programs do, needs no more memory than its pages', async () => {
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
