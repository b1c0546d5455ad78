/** Reads a form with files, part by part, while it arrives. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { RemesaError } from '../../errors.js';
import { type Form, formBounds, malformed, type ReceiveFile, tooLarge } from './form.js';

const checkEveryMs = 1000;

export class PartsReader<Received> {
  readonly form: Promise<Form<Received>>;
  readonly #parser: BusboyInstance;
  readonly #fields = new Map<string, string>();
  readonly #files: Received[] = [];
  readonly #open = new Set<Readable>();
  #resolve!: (form: Form<Received>) => void;
  #reject!: (error: unknown) => void;
  /** Resolves when the files so far have been received. */
  #receiving: Promise<void> = Promise.resolve();
  #filesUnderWay = 0;
  #fieldLength = 0;
  #bytes = 0;
  #isRead = false;
  #endCheck: NodeJS.Timeout | undefined;

  constructor(
    readonly raw: IncomingMessage,
    contentType: string,
    readonly receiveFile: ReceiveFile<Received>,
    /** Closes the connection of a sender that continues although its form was refused for its size. */
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

  /** Rejects a form that has not been read to its end. The rest of it is discarded. */
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
      if (fileName) this.#receive(name ?? '', stream);
      else stream.resume();
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      this.#parser.on(event, () => this.#refuse(tooLarge()));
    }
    this.#parser.on('error', () => this.#refuse(malformed()));
    this.#parser.on('finish', () => {
      this.#endReading();
      const form = { fields: this.#fields, files: this.#files };
      this.#receiving.then(
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
      if (this.#bytes > formBounds.bodyBytes + formBounds.ignoredBytes) this.cutOff();
    });
    // If the body ends within the header of a part, the parser would wait for ever.
    raw.once('end', () => {
      if (this.#isRead) return;
      this.#endCheck = setInterval(() => {
        if (this.#filesUnderWay === 0) this.#refuse(malformed());
      }, checkEveryMs);
    });
    raw.once('close', () => {
      if (!raw.complete) this.#refuse(malformed());
    });
  }

  #receive(name: string, stream: Readable): void {
    this.#filesUnderWay += 1;
    this.#receiving = this.#receiving.then(async () => {
      this.#files.push(await this.receiveFile({ name, bytes: withoutDestroying(stream) }, this.#fields));
      this.#filesUnderWay -= 1;
      stream.resume();
    });
    this.#receiving.catch((error) => this.#refuse(error));
  }

  #refuse(error: RemesaError): void {
    this.#endReading();
    this.raw.unpipe(this.#parser);
    this.raw.resume();
    // Otherwise the reader of a file would wait for ever.
    for (const stream of this.#open) stream.destroy(error);
    this.#reject(error);
  }

  #endReading(): void {
    this.#isRead = true;
    clearInterval(this.#endCheck);
  }
}

/**
 * A boundary has at most 70 characters (RFC 2046 §5.1.1). The time to search for one grows with the square of its
 * length.
 */
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

/** A reader that stops early must not destroy the stream, because we still discard the rest. */
function withoutDestroying(stream: Readable): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) };
}
