/**
 * Parses a PDF object by object and refuses it when anything in it acts, is too large or cannot be understood. The file is
 * stored as it was sent, up to its end mark. Reviewers get it as a sandboxed attachment.
 */
import { PDFInvalidObject, type PDFObject, PDFParser } from '@cantoo/pdf-lib';
import { isActive } from './pdf-active.js';
import { countPages } from './pdf-pages.js';
import { streamFault } from './pdf-streams.js';
import type { CheckResult } from './result.js';

const maxPages = 10;
/** Tagged bank statements of ten pages have thousands. */
const maxObjects = 50_000;

export async function checkPdf(sent: Buffer): Promise<CheckResult> {
  const bytes = withoutTrailingBytes(sent);
  const parser = new CompleteParser(bytes);
  const document = await parser.parseDocument();
  if (document.trailerInfo.Encrypt) return 'pdf_encrypted';
  const pages = countPages(document, maxPages);
  if (pages > maxPages) return 'pdf_too_many_pages';
  const { objects } = parser;
  if (pages === 0 || objects.length > maxObjects) return 'unreadable';
  if (objects.some(isActive)) return 'pdf_active';
  // Another reader may understand bytes that this parser could not.
  if (objects.some((object) => object instanceof PDFInvalidObject)) return 'unreadable';
  return (await streamFault(objects)) ?? { mediaType: 'application/pdf', bytes };
}

/** Keeps every version of an object: a reader that goes by the tables of the file may show an earlier one. */
class CompleteParser extends PDFParser {
  readonly objects: PDFObject[] = [];

  constructor(bytes: Buffer) {
    super(bytes);
    const assign = this.context.assign.bind(this.context);
    this.context.assign = (reference, object) => {
      this.objects.push(object);
      assign(reference, object);
    };
  }
}

const endMark = Buffer.from('%%EOF');

/** Cuts off what follows the last end mark. The parser would search it byte by byte. */
function withoutTrailingBytes(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(endMark);
  return end < 0 ? bytes : bytes.subarray(0, end + endMark.length);
}
