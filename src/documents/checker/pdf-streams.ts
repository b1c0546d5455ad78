/** Limits the decompressed size of the streams of a PDF, so that it cannot exhaust the reader of a reviewer. */
import { createInflate } from 'node:zlib';
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  type PDFDict,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
} from '@cantoo/pdf-lib';
import type { CheckerFault } from './frames.js';
import { isTooLarge } from './result.js';

/** The limit for everything but images: text, drawings, fonts. */
const maxDecodedBytes = 50 * 1024 * 1024;
/** Ten pages scanned in colour at 300 dots per inch. */
const maxDecodedImageBytes = 300 * 1024 * 1024;

const stepBytes = 64 * 1024;

/** The dictionary of such a stream gives its number of pixels. Streams with other filters are decoded here. */
const imageFilters: ReadonlySet<PDFObject> = new Set(
  ['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode'].map((text) => PDFName.of(text)),
);
const deflate = PDFName.of('FlateDecode');
const filterKey = PDFName.of('Filter');

export async function streamFault(objects: readonly PDFObject[]): Promise<CheckerFault | undefined> {
  const left = { image: maxDecodedImageBytes, other: maxDecodedBytes };
  for (const object of objects) {
    if (!(object instanceof PDFRawStream)) continue;
    const isImage = object.dict.lookup(PDFName.of('Subtype')) === PDFName.of('Image');
    if (isImage && isTooLarge(sizeOf(object.dict, 'Width'), sizeOf(object.dict, 'Height'))) {
      return 'too_many_pixels';
    }
    const budget = isImage ? 'image' : 'other';
    left[budget] -= await decodedLength(object, left[budget]);
    if (left[budget] < 0) return 'unreadable';
  }
  return undefined;
}

/** Stops shortly after the limit. Undoes one filter at a time, so that only one intermediate result is in memory. */
async function decodedLength(stream: PDFRawStream, limit: number): Promise<number> {
  const filters = filtersOf(stream.dict);
  const pixels = filters.findIndex((filter) => imageFilters.has(filter));
  const general = pixels < 0 ? filters : filters.slice(0, pixels);
  let { contents } = stream;
  for (const [index, filter] of general.entries()) {
    if (filter === deflate && index === general.length - 1) return inflatedLength(contents, limit);
    contents = decoded(stream.dict.context, filter, contents);
    if (contents.length > maxDecodedBytes) return limit + 1;
  }
  return contents.length;
}

/** Decodes in steps: the library would allocate memory for everything that is requested at once. */
function decoded(context: PDFContext, filter: PDFObject, bytes: Uint8Array): Uint8Array {
  const decoder = decodePDFRawStream(PDFRawStream.of(context.obj({ Filter: filter }), bytes));
  let length = 0;
  for (let step = -1; step !== 0 && length <= maxDecodedBytes; ) {
    step = decoder.getBytes(stepBytes).length;
    length += step;
  }
  decoder.reset();
  return length === 0 ? new Uint8Array(0) : new Uint8Array(decoder.getBytes(length));
}

/** Keeps nothing of what it inflates. A damaged stream counts up to the damage, as PDF readers do it. */
function inflatedLength(bytes: Uint8Array, limit: number): Promise<number> {
  return new Promise((resolve) => {
    let length = 0;
    const inflate = createInflate();
    const done = () => resolve(length);
    inflate.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > limit) inflate.destroy();
    });
    inflate.on('error', done).on('close', done).end(bytes);
  });
}

function filtersOf(dictionary: PDFDict): PDFObject[] {
  const filter = dictionary.lookup(filterKey);
  if (filter instanceof PDFArray) return filter.asArray().map((_, index) => filter.lookup(index) as PDFObject);
  return filter === undefined ? [] : [filter];
}

function sizeOf(dictionary: PDFDict, key: string): number {
  const size = dictionary.lookup(PDFName.of(key));
  return size instanceof PDFNumber ? size.asNumber() : 0;
}
