/** The bytes of a file as text, in pieces: what a bank declares, and what its file is, do not always agree. */
export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Thrown for a file in an encoding that nothing here can read. */
export class UnknownEncoding extends Error {
  override readonly name = 'UnknownEncoding';
}

/** Long enough for the XML declaration. */
const headBytes = 256;
/** How much the parser takes at once: a few milliseconds of work. */
const pieceCharacters = 16 * 1024;

/**
 * Yields the text in pieces of limited size. Bytes that the encoding does not have become U+FFFD. Throws
 * `UnknownEncoding`.
 */
export async function* textOf(bytes: Bytes): AsyncGenerator<string> {
  const repair = new Repair();
  let decoder: TextDecoder | undefined;
  let head = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (decoder) {
      yield* pieces(repair.next(decoder.decode(chunk, { stream: true })));
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    decoder = decoderFor(head);
    yield* pieces(repair.next(withoutBlanks(decoder.decode(head, { stream: true }))));
  }
  const rest = decoder ? decoder.decode() : withoutBlanks(decoderFor(head).decode(head));
  yield* pieces(repair.next(rest) + repair.last());
}

function* pieces(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += pieceCharacters) yield text.slice(start, start + pieceCharacters);
}

/** Blanks before the XML declaration make a file invalid, and mean nothing. */
function withoutBlanks(text: string): string {
  return text.replace(/^[ \t\r\n]{1,200}/, '');
}

function decoderFor(head: Buffer): TextDecoder {
  const label = encodingOf(head);
  try {
    return new TextDecoder(label);
  } catch {
    throw new UnknownEncoding(`The file is declared to be in the encoding ${label.slice(0, 40)}.`);
  }
}

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  const declaration = head.toString('latin1', 0, headBytes);
  const declared = /^[ \t\r\n]*<\?xml[^>]{0,100}?\bencoding\s*=\s*["']([\w.:-]+)/.exec(declaration)?.[1] ?? 'utf-8';
  // Without a byte order mark, a file whose declaration can be read is not in UTF-16.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

/**
 * A bare `&` (`Müller & Co`) is what it looks like; an XML parser would take all that follows for the name of an
 * entity, and lose it. Control characters, which XML does not have, become U+FFFD.
 */
class Repair {
  #carried = '';

  next(decoded: string): string {
    const text = this.#carried + decoded;
    const ampersand = text.lastIndexOf('&');
    const isCut = ampersand >= 0 && text.length - ampersand < longestReference && !text.includes(';', ampersand);
    this.#carried = isCut ? text.slice(ampersand) : '';
    return repaired(isCut ? text.slice(0, ampersand) : text);
  }

  last(): string {
    return repaired(this.#carried);
  }
}

const longestReference = '&#1114111;'.length;
const bareAmpersand = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function repaired(text: string): string {
  return (text.includes('&') ? text.replace(bareAmpersand, '&amp;') : text).replace(notXml, '\ufffd');
}
