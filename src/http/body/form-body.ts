/** Reads the forms of browsers within limits: fields as text, files as streams that are never kept in memory. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Form, formBounds, type ReceiveFile, tooLarge } from './form.js';
import { PartsReader } from './form-parts.js';

declare module 'fastify' {
  interface FastifyRequest {
    formBody: string | undefined;
  }
}

const plainForm = 'application/x-www-form-urlencoded';
const formWithFiles = 'multipart/form-data';

export function acceptForms(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    plainForm,
    { parseAs: 'string', bodyLimit: formBounds.fieldBytes },
    (request, body, done) => {
      request.formBody = body as string;
      done(null, undefined);
    },
  );
  // Not read here: the page first checks whether the caller may upload.
  server.addContentTypeParser(formWithFiles, (_request, _payload, done) => done(null, undefined));
}

export async function readForm<Received>(
  request: FastifyRequest,
  receiveFile: ReceiveFile<Received>,
): Promise<Form<Received>> {
  const type = request.headers['content-type'];
  if (type?.toLowerCase().startsWith(formWithFiles)) return readParts(request, type, receiveFile);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(request.formBody ?? '')) {
    if (fields.size === formBounds.fields) throw tooLarge();
    fields.set(name, value);
  }
  return { fields, files: [] };
}

/**
 * While files arrive, the request occupies no working slot. Afterwards it always gets one: an upload is not refused.
 * Throws `malformed_body` when the request is answered before its form has arrived, for example because it is too slow.
 */
async function readParts<Received>(
  request: FastifyRequest,
  type: string,
  receiveFile: ReceiveFile<Received>,
): Promise<Form<Received>> {
  const { slot } = request;
  const { arrivals } = request.server.traffic;
  const reader = new PartsReader(request.raw, type, receiveFile, () => {
    arrivals.cutOff(request, slot?.lane ?? 'anonymous');
  });
  if (!slot) return reader.form;
  slot.release();
  slot.onEnd = () => reader.stop();
  const form = await reader.form;
  slot.onEnd = undefined;
  // Bytes may follow the end of the form. The arrival ends here, so that the request is not dropped while it is worked
  // on.
  arrivals.end(request);
  slot.take();
  return form;
}
