/**
 * Owns uploaded files: whether one is accepted, how it is re-encoded, and how its bytes are stored.
 * Does not own which document a case asks for, nor who may see it (cases), nor how the bytes arrive (pages).
 */

/** Reading stops after so many bytes, whatever length was announced. */
export const largestUploadBytes = 10 * 1024 * 1024;

/** The types that a file picker offers. Without HEIC, phones convert to JPEG by themselves. */
export const acceptedMediaTypes = ['image/jpeg', 'image/png', 'application/pdf'] as const;

export const uploadFaults = [
  'too_large',
  'empty',
  'not_an_accepted_type',
  'heic',
  /** Damaged, cut off, or the checker crashed on it. */
  'unreadable',
  'too_many_pixels',
  /** Too small to be read. */
  'too_few_pixels',
  /** Almost a single colour: a covered lens, a white wall. */
  'blank',
  'animated',
  'pdf_encrypted',
  'pdf_active',
  'pdf_too_many_pages',
  /** The same file was sent as another document of the case. The form service finds this. */
  'same_file',
  /** Only a picture is accepted here. The pages find this, because they know the question. */
  'not_a_photo',
  /** Too many files at once, or no checker could be started. The file may be fine; the page answers 503. */
  'checker_unavailable',
  /** Too much work to check. */
  'timeout',
] as const;
export type UploadFault = (typeof uploadFaults)[number];

/** A checked document. An image was re-encoded, so only its pixels come from the upload. */
export interface CleanDocument {
  readonly mediaType: 'image/jpeg' | 'image/png' | 'application/pdf';
  readonly bytes: Buffer;
}

export type Inspection =
  | { readonly ok: true; readonly document: CleanDocument }
  | { readonly ok: false; readonly fault: UploadFault };

/** A stream of a file part, or any other sequence of bytes. */
export type UploadSource = AsyncIterable<Uint8Array> & { destroy?(): unknown };

/**
 * Reads the bytes of one file part to their end, or stops reading at the first reason to refuse and then destroys the
 * source: the rest of that request cannot be read then. Throws only what the source throws, for example when the caller
 * has disconnected. A multipart parser must not end the part by itself at `largestUploadBytes`: a file that was cut
 * there would look complete. The name, type and length that the sender claims are ignored. Of one `form`
 * only one file is received or checked at a time.
 */
export type InspectUpload = (source: UploadSource, form: string) => Promise<Inspection>;
