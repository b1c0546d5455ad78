/** PDFs written object by object, so that each fault is the one that is meant, and sound otherwise. */
import { deflateSync } from 'node:zlib';

export interface PdfStream {
  readonly dictionary: string;
  readonly data: Buffer;
}
export type PdfObject = string | PdfStream;

export interface PdfOptions {
  /** Further entries of the catalogue, of the first page, of the trailer. */
  readonly catalogue?: string;
  readonly page?: string;
  readonly trailer?: string;
  /** Numbered from 10 on. */
  readonly further?: readonly PdfObject[];
  readonly pages?: number;
  /** Puts everything but streams into a compressed object stream, with a cross-reference stream. */
  readonly isPacked?: boolean;
  /** Between the header and the first object. */
  readonly comment?: string;
}

export const firstFurther = 10;
const content = Buffer.from('BT /F1 24 Tf 72 720 Td (Statement of account) Tj ET\n');

export function pdf(options: PdfOptions = {}): Buffer {
  const { pages = 1, catalogue = '', page = '', further = [] } = options;
  const firstPage = firstFurther + further.length;
  const objects = new Map<number, PdfObject>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`],
    [
      2,
      `<< /Type /Pages /Count ${pages} /Kids [${numbers(firstPage, pages)
        .map((n) => `${n} 0 R`)
        .join(' ')}] >>`,
    ],
    [3, { dictionary: '', data: content }],
    [4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  ]);
  for (const [index, object] of further.entries()) objects.set(firstFurther + index, object);
  for (const [index, number] of numbers(firstPage, pages).entries()) {
    const entries = index === 0 ? page : '';
    objects.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> ${entries} >>`,
    );
  }
  return options.isPacked ? packed(objects, options) : plain(objects, options);
}

function plain(objects: ReadonlyMap<number, PdfObject>, { comment = '', trailer = '' }: PdfOptions): Buffer {
  const writer = new Writer(comment);
  for (const [number, object] of objects) writer.object(number, object);
  const size = Math.max(...objects.keys()) + 1;
  const start = writer.length;
  writer.text('xref\n0 1\n0000000000 65535 f \n');
  for (const [number, offset] of writer.offsets) {
    writer.text(`${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`);
  }
  writer.text(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`);
  return writer.bytes();
}

function packed(objects: ReadonlyMap<number, PdfObject>, { comment = '', trailer = '' }: PdfOptions): Buffer {
  const writer = new Writer(comment);
  const texts = [...objects].filter((entry): entry is [number, string] => typeof entry[1] === 'string');
  for (const [number, object] of objects) if (typeof object !== 'string') writer.object(number, object);
  const packNumber = Math.max(...objects.keys()) + 1;
  writer.object(packNumber, objectStream(texts));
  const size = packNumber + 2;
  const table = Buffer.alloc(size * 7);
  const inPack = new Map(texts.map(([number], index) => [number, index]));
  const start = writer.length;
  for (let number = 0; number < size; number += 1) {
    const index = inPack.get(number);
    const offset = number === size - 1 ? start : writer.offsets.get(number);
    table.writeUInt8(index !== undefined ? 2 : offset !== undefined ? 1 : 0, number * 7);
    table.writeUInt32BE(index !== undefined ? packNumber : (offset ?? 0), number * 7 + 1);
    table.writeUInt16BE(index ?? 0, number * 7 + 5);
  }
  writer.object(size - 1, {
    dictionary: `/Type /XRef /Size ${size} /W [1 4 2] /Root 1 0 R /Filter /FlateDecode ${trailer}`,
    data: deflateSync(table),
  });
  writer.text(`startxref\n${start}\n%%EOF\n`);
  return writer.bytes();
}

export function objectStream(objects: readonly (readonly [number: number, text: string])[]): PdfStream {
  let offset = 0;
  const index = objects.map(([number, text]) => {
    const entry = `${number} ${offset}`;
    offset += text.length + 1;
    return entry;
  });
  const first = `${index.join(' ')}\n`;
  const data = Buffer.from(first + objects.map(([, text]) => text).join('\n'), 'latin1');
  return {
    dictionary: `/Type /ObjStm /N ${objects.length} /First ${first.length} /Filter /FlateDecode`,
    data: deflateSync(data),
  };
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

class Writer {
  readonly offsets = new Map<number, number>();
  readonly #parts: Buffer[] = [];
  length = 0;

  constructor(comment: string) {
    this.text(`%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n${comment}`);
  }

  text(text: string): void {
    this.#add(Buffer.from(text, 'latin1'));
  }

  object(number: number, object: PdfObject): void {
    this.offsets.set(number, this.length);
    this.text(`${number} 0 obj\n`);
    if (typeof object === 'string') this.text(object);
    else {
      this.text(`<< ${object.dictionary} /Length ${object.data.length} >>\nstream\n`);
      this.#add(object.data);
      this.text('\nendstream');
    }
    this.text('\nendobj\n');
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #add(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.length += bytes.length;
  }
}
