/** Reads why an operator asks for a command that needs a second person: the header `Approval-Note`. */
import type { IncomingHttpHeaders } from 'node:http';
import { invalidField } from '../../errors.js';

export const maxNoteLength = 500;

/**
 * Node reads headers as Latin-1. Many clients send UTF-8 as it is, and browsers must escape it with `%`. Throws
 * `invalid_fields`.
 */
export function noteOf(headers: IncomingHttpHeaders): string | null {
  const header = headers['approval-note'];
  if (header === undefined) return null;
  const sent = Buffer.from(String(header), 'latin1').toString();
  const note = unescaped(sent).trim();
  if (note.length > maxNoteLength)
    throw invalidField('Approval-Note', 'too_long', `must have at most ${maxNoteLength} characters`);
  if (/[\p{Cc}\uFFFD]/u.test(note)) throw invalidField('Approval-Note', 'wrong_format', 'must be a line of UTF-8');
  return note === '' ? null : note;
}

/** A text with a `%` that escapes nothing is taken as it is. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
