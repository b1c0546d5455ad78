/** The limits of forms, their types and their errors. */
import { RemesaError } from '../../errors.js';

export const formBounds = {
  /** The limit of a body without files, and of all fields of a body with files. */
  fieldBytes: 65_536,
  fields: 100,
  files: 4,
  /**
   * A file that is too large is still read up to this limit, because a browser reads no answer before its upload ends.
   */
  bodyBytes: 48 * 1024 * 1024,
  /** After this many more bytes the connection is closed, although the answer was sent. */
  ignoredBytes: 8 * 1024 * 1024,
  /** Uploading photographs over a slow connection takes long. */
  arrivesWithinMs: 150_000,
} as const;

export interface FormFile {
  /** The name of the field. The sender's file name is ignored. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export type FormFields = ReadonlyMap<string, string>;

/** Called for one file after the other, with the fields that came before it. What it does not read is discarded. */
export type ReceiveFile<Received> = (file: FormFile, fields: FormFields) => Promise<Received>;

export interface Form<Received> {
  readonly fields: FormFields;
  readonly files: readonly Received[];
}

export function tooLarge(): RemesaError {
  return new RemesaError('too_large', 'body_too_large', 'The form is larger than this address accepts.', {
    members: { max: formBounds.bodyBytes },
  });
}

export function malformed(): RemesaError {
  return new RemesaError('invalid', 'malformed_body', 'The form cannot be read.');
}
