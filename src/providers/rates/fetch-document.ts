/**
 * Downloads a document from an address that the operator configured, within limits on time and size. It follows no
 * redirect, decompresses nothing and keeps no connection. Faults never contain the address, which may contain an API
 * key.
 */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { RateSourceFault, type Validators } from '../../rates/sources/rate-source.js';
import { version } from '../../version.js';
import { conditionsOf, validatorsOf } from './conditional.js';

export interface DocumentLimits {
  /** The time for the whole exchange, from the name lookup to the last byte. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The rates of all currencies take about 10 kB. Parsing blocks the process, so documents must be small. */
export const documentLimits: DocumentLimits = { milliseconds: 15_000, bytes: 256 * 1024 };

export interface DocumentRequest {
  readonly address: URL;
  readonly accept: string;
  readonly known: Validators;
  readonly signal: AbortSignal;
  readonly limits: DocumentLimits;
}

export interface FetchedDocument {
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/**
 * Returns undefined when the document was not modified since `known`. Throws `RateSourceFault` when there was no
 * complete answer within the limits, and the reason of `signal` when it was aborted.
 */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument | undefined> {
  const { signal, limits } = request;
  signal.throwIfAborted();
  const controller = new AbortController();
  const tooSlow = new RateSourceFault('too_slow', `The answer took longer than ${limits.milliseconds} ms.`);
  const timer = setTimeout(() => controller.abort(tooSlow), limits.milliseconds);
  const onAbort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await exchange(request, controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : connectionFault(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function exchange(request: DocumentRequest, signal: AbortSignal): Promise<FetchedDocument | undefined> {
  const outgoing = send(request, signal);
  // Without a listener, an error after the answer was read would end the process.
  outgoing.on('error', () => {});
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (response.statusCode === 304 && isConditional(outgoing)) return undefined;
    requirePlainSuccess(response);
    const bytes = await readBody(response, request.limits.bytes);
    return { bytes, validators: validatorsOf(request.address, response.headers) };
  } finally {
    outgoing.destroy();
  }
}

function send({ address, accept, known }: DocumentRequest, signal: AbortSignal): ClientRequest {
  const headers = {
    ...conditionsOf(address, known),
    accept,
    'accept-encoding': 'identity',
    'user-agent': `Remesa/${version}`,
  };
  const open = address.protocol === 'https:' ? overHttps : overHttp;
  return open(address, { agent: false, headers, signal }).end();
}

function isConditional(outgoing: ClientRequest): boolean {
  return outgoing.hasHeader('if-none-match') || outgoing.hasHeader('if-modified-since');
}

function requirePlainSuccess({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304)
    throw new RateSourceFault('redirected', `The source answered ${statusCode}: redirects are not followed.`);
  if (statusCode !== 200) throw new RateSourceFault('http_status', `The source answered ${statusCode}.`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new RateSourceFault('encoded', 'The answer is compressed, although the request did not allow it.');
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): RateSourceFault {
  return new RateSourceFault('too_large', `The answer is larger than ${maxBytes} bytes.`);
}

/** Keeps only the code of Node's errors, because their messages and causes contain the host. */
function connectionFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof RateSourceFault || typeof code !== 'string') return error;
  if (code.startsWith('HPE_')) return new RateSourceFault('malformed', `The answer is not HTTP (${code}).`);
  return new RateSourceFault('unreachable', `The source cannot be reached, or closed the connection (${code}).`);
}
