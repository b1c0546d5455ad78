/** A form as it arrives: its bounds, what becomes of it, and how it is refused. */
import { RemesaError } from '../../errors.js';

export const formBounds = {
  /** Of a body without files, and of all fields of one with files. */
  fieldBytes: 65_536,
  fields: 100,
  files: 4,
  /** A file that is too large is read to its end up to here, since a browser hears no answer before. */
  bodyBytes: 48 * 1024 * 1024,
  /** Past that the answer is under way; who does not stop for it is hung up on. */
  unheardBytes: 8 * 1024 * 1024,
  /** A photograph over a weak line takes its time. */
  arrivesWithinMs: 150_000,
} as const;

export interface FormFile {
  /** Of the field; what the sender calls the file is not looked at. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export type FormFields = ReadonlyMap<string, string>;

/** Called for one file after the other, with the fields that stood before it. What it does not read is thrown away. */
export type TakeFile<Taken> = (file: FormFile, fields: FormFields) => Promise<Taken>;

export interface Form<Taken> {
  readonly fields: FormFields;
  readonly files: readonly Taken[];
}

export function tooLarge(): RemesaError {
  return new RemesaError('too_large', 'body_too_large', 'The form is larger than this address takes.', {
    members: { max: formBounds.bodyBytes },
  });
}

export function malformed(): RemesaError {
  return new RemesaError('invalid', 'malformed_body', 'The form cannot be read.');
}
