/** Forms as browsers post them, within bounds: fields as text, files as streams that are never held in memory. */
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RemesaError } from '../errors.js';

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

declare module 'fastify' {
  interface FastifyRequest {
    formBody: string | undefined;
  }
}

const plainForm = 'application/x-www-form-urlencoded';
const formWithFiles = 'multipart/form-data';

/** For a part of the server that takes forms and nothing else. */
export function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.decorateRequest('formBody', undefined);
  server.addContentTypeParser(
    plainForm,
    { parseAs: 'string', bodyLimit: formBounds.fieldBytes },
    (request, body, done) => {
      request.formBody = body as string;
      done(null, undefined);
    },
  );
  // Not read here: who may not write does not get to send a file.
  server.addContentTypeParser(formWithFiles, (_request, _payload, done) => done(null, undefined));
}

export async function readForm<Taken>(
  request: FastifyRequest,
  takeFile: TakeFile<Taken>,
): Promise<Form<Taken>> {
  const type = request.headers['content-type'];
  if (type?.toLowerCase().startsWith(formWithFiles)) return readParts(request, type, takeFile);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.formBody ?? '')) {
    if (fields.size === formBounds.fields) throw tooLarge();
    fields.set(name, value);
  }
  return { fields, files: [] };
}

function readParts<Taken>(
  request: FastifyRequest,
  contentType: string,
  takeFile: TakeFile<Taken>,
): Promise<Form<Taken>> {
  const { raw } = request;
  const fields = new Map<string, string>();
  const files: Taken[] = [];
  let underWay: Promise<void> = Promise.resolve();
  let filesUnderWay = 0;
  let looking: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    const parser = parserOf(contentType);
    const open = new Set<Readable>();
    const end = (error: RemesaError) => {
      clearInterval(looking);
      raw.unpipe(parser);
      raw.resume();
      // Whoever waits for more of a file must not wait for ever.
      for (const stream of open) stream.destroy(error);
      reject(error);
    };
    let fieldLength = 0;
    parser.on('field', (name, value, _nameTruncated, isTruncated) => {
      fieldLength += value.length;
      if (isTruncated || fieldLength > formBounds.fieldBytes) end(tooLarge());
      else fields.set(name ?? '', value);
    });
    parser.on('file', (name, stream, fileName) => {
      open.add(stream);
      stream.on('error', () => end(malformed()));
      stream.on('close', () => open.delete(stream));
      // A browser sends a part without a name for a file that nobody chose.
      if (!fileName) return void stream.resume();
      filesUnderWay += 1;
      underWay = underWay.then(async () => {
        files.push(await takeFile({ name: name ?? '', bytes: unendedBy(stream) }, fields));
        filesUnderWay -= 1;
        stream.resume();
      });
      underWay.catch(end);
    });
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(event, () => end(tooLarge()));
    }
    parser.on('error', () => end(malformed()));
    parser.on('finish', () => {
      clearInterval(looking);
      underWay.then(() => resolve({ fields, files }), end);
    });
    // The parser waits for ever for the end of a part's head, although all has come.
    raw.once('end', () => {
      looking = setInterval(() => filesUnderWay === 0 && end(malformed()), 1000);
    });
    raw.once('close', () => {
      if (!raw.complete) end(malformed());
    });
    countBytes(raw, end);
    raw.pipe(parser);
  });
}

function parserOf(contentType: string): BusboyInstance {
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

/** Whoever stops reading early leaves the stream as it is; the rest is thrown away by us. */
function unendedBy(stream: Readable): AsyncIterable<Uint8Array> {
  return { [Symbol.asyncIterator]: () => stream.iterator({ destroyOnReturn: false }) };
}

function countBytes(raw: Readable, end: (error: RemesaError) => void): void {
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > formBounds.bodyBytes) end(tooLarge());
    if (bytes > formBounds.bodyBytes + formBounds.unheardBytes) raw.destroy();
  });
}

function tooLarge(): RemesaError {
  return new RemesaError('too_large', 'body_too_large', 'The form is larger than this address takes.', {
    members: { max: formBounds.bodyBytes },
  });
}

function malformed(): RemesaError {
  return new RemesaError('invalid', 'malformed_body', 'The form can not be read.');
}
