/**
 * Downloads a document from an address of the operator's choice, within limits on time and size. No redirect is
 * followed, nothing is unpacked, no connection is kept. No address gets into a fault: it may hold a key.
 */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { RateSourceFault, type Validators } from '../../rates/sources/rate-source.js';
import { version } from '../../version.js';
import { conditionsOf, validatorsOf } from './conditional.js';

export interface DocumentLimits {
  /** For the whole exchange, from the name lookup to the last byte. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The rates of all currencies there are take about 10 kB. The process waits while a document is parsed. */
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

/** Undefined: not modified since `known`. */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument | undefined> {
  const { signal, limits } = request;
  signal.throwIfAborted();
  const cut = new AbortController();
  const tooSlow = new RateSourceFault('too_slow', `The answer took longer than ${limits.milliseconds} ms.`);
  const timer = setTimeout(() => cut.abort(tooSlow), limits.milliseconds);
  const calledOff = () => cut.abort(signal.reason);
  signal.addEventListener('abort', calledOff, { once: true });
  try {
    return await exchange(request, cut.signal);
  } catch (error) {
    throw cut.signal.aborted ? cut.signal.reason : connectionFault(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', calledOff);
  }
}

async function exchange(request: DocumentRequest, cut: AbortSignal): Promise<FetchedDocument | undefined> {
  const outgoing = send(request, cut);
  // An error that comes after the answer was judged has nobody else to catch it, and would end the process.
  outgoing.on('error', () => {});
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (response.statusCode === 304 && isConditional(outgoing)) return undefined;
    refuseUnexpected(response);
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

function refuseUnexpected({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304)
    throw new RateSourceFault('redirected', `The source answered ${statusCode}: redirects are not followed.`);
  if (statusCode !== 200) throw new RateSourceFault('http_status', `The source answered ${statusCode}.`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new RateSourceFault('encoded', 'The answer is compressed, though that was not asked for.');
}

async function readBody(response: IncomingMessage, bytesAtMost: number): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > bytesAtMost) throw tooLarge(bytesAtMost);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesAtMost) throw tooLarge(bytesAtMost);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(bytesAtMost: number): RateSourceFault {
  return new RateSourceFault('too_large', `The answer is larger than ${bytesAtMost} bytes.`);
}

/** Of Node's errors only the code is taken over: messages and causes name the host. */
function connectionFault(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof RateSourceFault || typeof code !== 'string') return error;
  if (code.startsWith('HPE_')) return new RateSourceFault('malformed', `The answer is not HTTP (${code}).`);
  return new RateSourceFault('unreachable', `The source can't be reached, or broke off (${code}).`);
}
