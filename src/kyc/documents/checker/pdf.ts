/**
 * Parses a PDF object by object and writes its pages into a new file. The stored file contains only objects that were
 * checked here, whatever another reader would have found through the cross-reference tables of the original.
 */
import { PDFInvalidObject, PDFParser } from '@cantoo/pdf-lib';
import { largestUploadBytes } from '../inspect.js';
import { isAnythingActive } from './pdf-active.js';
import { findPages } from './pdf-pages.js';
import { rebuild, serialize } from './pdf-rebuild.js';
import { streamFault, stripPhotographs } from './pdf-streams.js';
import type { CheckResult } from './result.js';

const maxPages = 10;
/** Tagged bank statements of ten pages have thousands. */
const maxObjects = 50_000;
/** The new file may be a little larger, when the original was compressed better. */
const largestResultBytes = largestUploadBytes + 256 * 1024;

export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const source = await PDFParser.forBytesWithOptions(
    withoutTrailingBytes(bytes),
    Number.POSITIVE_INFINITY,
  ).parseDocument();
  if (source.trailerInfo.Encrypt) return 'pdf_encrypted';
  const pages = findPages(source, maxPages);
  if (pages.length > maxPages) return 'pdf_too_many_pages';
  if (pages.length === 0 || source.enumerateIndirectObjects().length > maxObjects) return 'unreadable';
  if (isAnythingActive(source)) return 'pdf_active';

  const result = rebuild(source, pages);
  if (isAnythingActive(result)) return 'pdf_active';
  // Another reader may understand bytes that this parser could not.
  const isAnyInvalid = result
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFInvalidObject);
  if (isAnyInvalid) return 'unreadable';
  const fault = await streamFault(result);
  if (fault) return fault;
  stripPhotographs(result);
  const rebuilt = await serialize(result);
  return rebuilt.length > largestResultBytes
    ? 'unreadable'
    : { mediaType: 'application/pdf', bytes: rebuilt };
}

const endMark = Buffer.from('%%EOF');

/** Cuts off what follows the last end mark. The parser would search it byte by byte. */
function withoutTrailingBytes(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(endMark);
  return end < 0 ? bytes : bytes.subarray(0, end + endMark.length);
}
