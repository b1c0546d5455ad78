/**
 * A PDF is read object by object and its pages are written anew into another one: what is kept is what was looked at,
 * whatever a reader that follows the file's own tables would have found in it.
 */
import { PDFInvalidObject, PDFParser } from '@cantoo/pdf-lib';
import { largestUploadBytes } from '../inspect.js';
import { isAnythingActive } from './pdf-active.js';
import { findPages } from './pdf-pages.js';
import { rebuild, serialize } from './pdf-rebuild.js';
import { streamFault, stripPhotographs } from './pdf-streams.js';
import type { CheckResult } from './result.js';

const mostPages = 10;
/** Tagged statements of ten pages have thousands; far more only take time. */
const mostObjects = 50_000;
/** The new file may be a little longer than the old one, which could be written more tightly. */
const largestResultBytes = largestUploadBytes + 256 * 1024;

export async function checkPdf(bytes: Buffer): Promise<CheckResult> {
  const source = await PDFParser.forBytesWithOptions(
    withoutTail(bytes),
    Number.POSITIVE_INFINITY,
  ).parseDocument();
  if (source.trailerInfo.Encrypt) return 'pdf_encrypted';
  const pages = findPages(source, mostPages);
  if (pages.length > mostPages) return 'pdf_too_many_pages';
  if (pages.length === 0 || source.enumerateIndirectObjects().length > mostObjects) return 'unreadable';
  if (isAnythingActive(source)) return 'pdf_active';

  const result = rebuild(source, pages);
  if (isAnythingActive(result)) return 'pdf_active';
  // Bytes that the parser could make nothing of may be something to another reader.
  const isAnyInvalid = result
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFInvalidObject);
  if (isAnyInvalid) return 'unreadable';
  const fault = await streamFault(result);
  if (fault) return fault;
  stripPhotographs(result);
  const made = await serialize(result);
  return made.length > largestResultBytes ? 'unreadable' : { mediaType: 'application/pdf', bytes: made };
}

const endMark = Buffer.from('%%EOF');

/** What follows the last mark of an end is no PDF, and the parser would search it for one byte by byte. */
function withoutTail(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(endMark);
  return end < 0 ? bytes : bytes.subarray(0, end + endMark.length);
}
