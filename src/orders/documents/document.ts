/** Documents that senders provide when an operator asked for information: their owner, and why one is refused. Pure. */
import type { CleanDocument, UploadFault } from '../../documents/inspect.js';
import type { OrderPlace } from '../order/copies/sealed.js';

/** The owner of a document. Its ciphertext is bound to this and opens nowhere else. */
export interface OrderDocumentPlace extends OrderPlace {
  readonly documentId: string;
}

export interface OrderDocument {
  readonly documentId: string;
  readonly mediaType: CleanDocument['mediaType'];
  readonly bytes: number;
  readonly storedAt: Date;
}

/** An order has at most so many, whether an answer names them or not. */
export const maxOrderDocuments = 20;

/** For the caller, after "The file". */
const faultTexts: Readonly<Record<UploadFault, string>> = {
  too_large: 'is larger than 10 MB.',
  empty: 'is empty.',
  not_an_accepted_type: 'is neither a JPEG or PNG picture nor a PDF.',
  heic: 'is a HEIC picture. Send a JPEG.',
  unreadable: 'is damaged or cut off.',
  too_many_pixels: 'has too many pixels. Send a smaller picture.',
  too_few_pixels: 'is too small to be read. Send a larger picture.',
  blank: 'shows almost nothing but one colour.',
  animated: 'is animated. Send a still picture.',
  pdf_encrypted: 'is an encrypted PDF. Remove its password.',
  pdf_active: 'is a PDF with scripts, forms that act or attached files. Print it into a new PDF.',
  pdf_too_many_pages: 'is a PDF of more than 10 pages.',
  same_file: 'was sent already.',
  not_a_photo: 'is not a picture.',
  checker_unavailable: 'cannot be checked now. Try again shortly.',
  timeout: 'arrived too slowly, or takes too long to check.',
};

export function faultText(fault: UploadFault): string {
  return `The file ${faultTexts[fault]}`;
}
