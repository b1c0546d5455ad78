/**
 * Owns what becomes of an uploaded file: whether it is taken, in which form, and how its bytes are kept.
 * Does not own which document a case asks for, nor who may see one (the cases), nor how the bytes come in (the pages).
 */
import type { CleanDocument } from './document-vault.js';

/** More is cut off while it arrives, whatever length was announced. */
export const largestUploadBytes = 10 * 1024 * 1024;

/** What a file picker may offer. HEIC is left out on purpose: then phones hand over a JPEG. */
export const acceptedMediaTypes = ['image/jpeg', 'image/png', 'application/pdf'] as const;

export const uploadFaults = [
  'too_large',
  'empty',
  'not_an_accepted_type',
  'heic',
  /** Damaged, cut off, or such that the checker broke on it. */
  'unreadable',
  'too_many_pixels',
  /** Too small to be read. */
  'too_few_pixels',
  /** Of next to one colour: a covered lens, a white wall. */
  'blank',
  'animated',
  'pdf_encrypted',
  'pdf_active',
  'pdf_too_many_pages',
  /** The same file was sent as another document of the case; said by the cases. */
  'same_file',
  /** Where only a picture will do; said by the pages, which know what is asked for. */
  'not_a_photo',
  /** Too many files at once, or no checker could be started: nothing is wrong with the file. A page answers 503. */
  'checker_unavailable',
  /** Sent too slowly, or too much work to check. */
  'timeout',
] as const;
export type UploadFault = (typeof uploadFaults)[number];

export type Inspection =
  | { readonly ok: true; readonly document: CleanDocument }
  | { readonly ok: false; readonly fault: UploadFault };

/** A stream of a file part, or anything that gives bytes one after the other. */
export type UploadSource = AsyncIterable<Uint8Array> & { destroy?(): unknown };

/**
 * Reads the bytes of one file part to their end, or stops reading at the first reason to refuse and then destroys the
 * source: the rest of that request can't be read any more. Throws only what the source throws, such as that the caller
 * has gone. A parser of multipart bodies must not end the part by itself at `largestUploadBytes`: a file that was cut
 * there would look whole. No name, type or length that the sender gave is asked for. `form` says whose upload it is:
 * one form gets its share of memory and checkers and no more.
 */
export type InspectUpload = (source: UploadSource, form: string) => Promise<Inspection>;
