/** Refuses requests whose host, caller or body encoding is ambiguous: a proxy could read them differently. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RemesaError } from '../errors.js';

export function refuseAmbiguity(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => done(hostFault(request) ?? callerFault(request)));
  // Runs after authentication and before the body is read.
  server.addHook('preParsing', (request, _reply, payload, done) => done(bodyFault(request), payload));
}

// RFC 3986: a name or an IPv4 address, or an IPv6 address in brackets, then a port. It may be empty.
const hostForm = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** RFC 9112 §3.2: more than one Host field, or an invalid one, is answered with 400. */
function hostFault({ raw }: FastifyRequest): RemesaError | undefined {
  const { host } = raw.headers;
  if (host === undefined || (hostForm.test(host) && countOf(raw.rawHeaders, 'host') === 1)) return undefined;
  return new RemesaError('invalid', 'malformed_request', 'Send one Host field with a host and its port.');
}

/** RFC 9110 §11.6.2: one field says who asks. */
function callerFault({ raw }: FastifyRequest): RemesaError | undefined {
  if (raw.headers.authorization === undefined || countOf(raw.rawHeaders, 'authorization') === 1) return undefined;
  return new RemesaError('invalid', 'malformed_request', 'Send one Authorization field.');
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const field = rawHeaders[index] as string;
    if (field.length === name.length && field.toLowerCase() === name) count += 1;
  }
  return count;
}

function bodyFault({ method, headers }: FastifyRequest): RemesaError | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') return unsupported('Send the body as it is, without Content-Encoding.');
  return isUtf8(headers['content-type']) ? undefined : unsupported('Send the body in UTF-8.');
}

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/gi;

function isUtf8(contentType: string | undefined): boolean {
  if (!contentType?.includes(';')) return true;
  return [...contentType.matchAll(charset)].every(([, name = '']) => /^utf-?8$/i.test(name));
}

function unsupported(message: string): RemesaError {
  return new RemesaError('unsupported_media', 'unsupported_media_type', message);
}
