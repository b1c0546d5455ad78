/**
 * An XML parser that goes on after a fault. Saxes drops all open elements at an end tag that fits none of them, and
 * ends the inner ones at that of an outer one; here, the handler is told which end tags there are, and decides.
 */
import { SaxesParser } from 'saxes';

export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** An end tag, which may fit no open element. */
  close(name: string): void;
  text(text: string): void;
  fault(message: string): void;
  /** What follows is not read. */
  stopped(message: string): void;
}

/** Where end tags are missing, saxes keeps more open than the handler does. */
const openTags = 10_000;

/** More in one piece of the text is no XML, and would take long. */
const newParsers = 200;

/** Thrown through the parser to leave it. */
const tagWithinTag = Symbol('a tag begins within a tag');

export class XmlParser {
  readonly #handler: XmlHandler;
  readonly #limit: number;
  #parser = this.#newParser();
  /** Characters that this parser was given, the last of them, and the lines before. */
  #written = 0;
  #piece = '';
  #linesBefore = 0;
  #depth = 0;
  /** Saxes closed it. Only what follows tells whether it was by its own end tag. */
  #closing: string | undefined;
  #sinceEvent = 0;
  #isStopped = false;

  /** A text, tag or comment has at most `textCharacters`. */
  constructor(handler: XmlHandler, textCharacters: number) {
    this.#handler = handler;
    this.#limit = textCharacters;
  }

  get line(): number {
    return this.#linesBefore + this.#parser.line;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  write(text: string): void {
    if (this.#isStopped) return;
    this.#sinceEvent += text.length;
    let rest: string | undefined = text;
    for (let parsers = 0; rest !== undefined && parsers < newParsers; parsers += 1) rest = this.#parse(rest);
    this.#flush();
    if (rest !== undefined) this.stop('The file is not XML.');
    if (this.#sinceEvent > this.#limit + text.length)
      this.stop(`A text or tag is longer than ${this.#limit} characters.`);
  }

  end(): void {
    if (this.#isStopped) return;
    this.#piece = '';
    this.#parser.close();
    this.#flush();
  }

  /** Reads nothing more. */
  stop(message: string): void {
    if (this.#isStopped) return;
    this.#flush();
    this.#isStopped = true;
    this.#handler.stopped(message);
  }

  /** Returns what is to be parsed anew, if a tag begins within another one, whose end is damaged. */
  #parse(text: string): string | undefined {
    this.#written += text.length;
    this.#piece = text;
    try {
      this.#parser.write(text);
      return undefined;
    } catch (error) {
      if (error !== tagWithinTag) throw error;
      const rest = text.slice(this.#lastRead());
      this.#linesBefore = this.line - 1;
      this.#parser = this.#newParser();
      this.#written = 0;
      this.#depth = 0;
      return rest;
    }
  }

  /** Where in the piece the character is that was read last. */
  #lastRead(): number {
    return this.#piece.length - (this.#written - this.#parser.position) - 1;
  }

  #newParser(): SaxesParser {
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => {
      this.#depth += 1;
      if (this.#depth > openTags) this.stop(`More than ${openTags} elements are open.`);
      this.#tell(() => this.#handler.open(localName(name), attributes));
    });
    parser.on('closetag', ({ name }) => {
      this.#depth -= 1;
      this.#tell(() => undefined);
      this.#closing = localName(name);
    });
    parser.on('text', (text) => this.#tell(() => this.#handler.text(text)));
    // A bare `&` was repaired before, and stands for itself here.
    parser.on('cdata', (text) => this.#tell(() => this.#handler.text(text.replaceAll('&amp;', '&'))));
    parser.on('comment', () => this.#tell(() => undefined));
    parser.on('doctype', () => this.stop('The file declares a document type. Such files are refused.'));
    parser.on('error', ({ message }) => this.#onError(message.replace(/^(undefined:)?\d+:\d+: /, '')));
    return parser;
  }

  #tell(handle: () => void): void {
    if (this.#isStopped) return;
    this.#sinceEvent = 0;
    this.#flush();
    handle();
  }

  #flush(): void {
    const closing = this.#closing;
    this.#closing = undefined;
    if (closing !== undefined && !this.#isStopped) this.#handler.close(closing);
  }

  #onError(message: string): void {
    if (this.#isStopped) return;
    this.#sinceEvent = 0;
    if (message.startsWith('unexpected close tag')) {
      this.#closing = undefined;
      return;
    }
    this.#flush();
    const unmatched = /^unmatched closing tag: ([^\s]{1,100})\.$/.exec(message)?.[1];
    if (unmatched !== undefined) {
      this.#handler.close(localName(unmatched));
      return;
    }
    // They follow from an end tag that fitted nothing, or from the end of the file; the handler sees both.
    if (/^(documents may contain only one root|document must contain a root|unclosed tag|unexpected end)/.test(message))
      return;
    this.#handler.fault(`The XML is not well formed: ${message.slice(0, 200)}`);
    if (this.#piece[this.#lastRead()] === '<') throw tagWithinTag;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
