/** Reads a form with files, part by part, while it arrives. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { RemesaError } from '../../errors.js';
import { type Form, formBounds, malformed, type TakeFile, tooLarge } from './form.js';

const lookAgainMs = 1000;

export class PartsReader<Taken> {
  readonly form: Promise<Form<Taken>>;
  readonly #parser: BusboyInstance;
  readonly #fields = new Map<string, string>();
  readonly #files: Taken[] = [];
  readonly #open = new Set<Readable>();
  #resolve!: (form: Form<Taken>) => void;
  #reject!: (error: unknown) => void;
  #taking: Promise<void> = Promise.resolve();
  #filesToTake = 0;
  #fieldLength = 0;
  #bytes = 0;
  #isRead = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(
    readonly raw: IncomingMessage,
    contentType: string,
    readonly takeFile: TakeFile<Taken>,
    /** Closes the connection of a sender that goes on although its form was refused for its size. */
    readonly cutOff: () => void,
  ) {
    this.#parser = parserOf(contentType);
    this.form = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#listenToParser();
    this.#listenToSender();
    raw.pipe(this.#parser);
  }

  /** Rejects a form that has not been read to its end. What still arrives of it is thrown away. */
  stop(): void {
    this.#refuse(malformed());
  }

  #listenToParser(): void {
    this.#parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      this.#fieldLength += value.length;
      if (isTruncated || this.#fieldLength > formBounds.fieldBytes) this.#refuse(tooLarge());
      else this.#fields.set(name ?? '', value);
    });
    this.#parser.on('file', (name, stream, fileName) => {
      this.#open.add(stream);
      stream.on('error', () => this.#refuse(malformed()));
      stream.on('close', () => this.#open.delete(stream));
      // A browser sends a part without a name for a file that nobody chose.
      if (fileName) this.#take(name ?? '', stream);
      else stream.resume();
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      this.#parser.on(event, () => this.#refuse(tooLarge()));
    }
    this.#parser.on('error', () => this.#refuse(malformed()));
    this.#parser.on('finish', () => {
      this.#stopLooking();
      const form = { fields: this.#fields, files: this.#files };
      this.#taking.then(
        () => this.#resolve(form),
        (error) => this.#refuse(error),
      );
    });
  }

  #listenToSender(): void {
    const { raw } = this;
    raw.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > formBounds.bodyBytes) this.#refuse(tooLarge());
      if (this.#bytes > formBounds.bodyBytes + formBounds.unheardBytes) this.cutOff();
    });
    // The parser waits for ever for the end of a part's header, although the body has ended.
    raw.once('end', () => {
      if (this.#isRead) return;
      this.#looking = setInterval(() => {
        if (this.#filesToTake === 0) this.#refuse(malformed());
      }, lookAgainMs);
    });
    raw.once('close', () => {
      if (!raw.complete) this.#refuse(malformed());
    });
  }

  #take(name: string, stream: Readable): void {
    this.#filesToTake += 1;
    this.#taking = this.#taking.then(async () => {
      this.#files.push(await this.takeFile({ name, bytes: unendedBy(stream) }, this.#fields));
      this.#filesToTake -= 1;
      stream.resume();
    });
    this.#taking.catch((error) => this.#refuse(error));
  }

  #refuse(error: RemesaError): void {
    this.#stopLooking();
    this.raw.unpipe(this.#parser);
    this.raw.resume();
    // The reader of a file must not wait for ever.
    for (const stream of this.#open) stream.destroy(error);
    this.#reject(error);
  }

  #stopLooking(): void {
    this.#isRead = true;
    clearInterval(this.#looking);
  }
}

/** A boundary has at most 70 characters (RFC 2046 §5.1.1). To look for one takes time that grows with its square. */
const longestContentType = 200;

function parserOf(contentType: string): BusboyInstance {
  if (contentType.length > longestContentType) throw malformed();
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldSize: formBounds.fieldBytes,
        fields: formBounds.fields,
        files: formBounds.files,
        parts: formBounds.fields + formBounds.files,
        headerPairs: 20,
        headerSize: 4096,
      },
    });
  } catch {
    throw malformed();
  }
}

/** A reader that stops early does not destroy the stream; we discard the rest. */
function unendedBy(stream: Readable): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) };
}
