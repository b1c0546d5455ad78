/**
 * Load over plain sockets: each connection sends its next request as soon as the last one was answered. Lighter than
 * a full HTTP client, so that on a small machine the server is what is measured.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Of all connections together, at the most. Absent: as many as are answered. */
  readonly perSecond?: number;
  /** The next request, whole. */
  readonly request: () => string;
}

export interface LoadResult {
  readonly seconds: number;
  /** Milliseconds of every answer, by status. */
  readonly answers: ReadonlyMap<number, readonly number[]>;
  /** Connections that were lost. */
  readonly lost: number;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const answers = new Map<number, number[]>();
  const began = performance.now();
  const until = began + options.seconds * 1000;
  const report: Report = (status: number, ms: number) => {
    const known = answers.get(status);
    if (known) known.push(ms);
    else answers.set(status, [ms]);
  };
  const clients = Array.from({ length: options.connections }, () => client(options, until, report));
  const outcomes = await Promise.all(clients);
  const lost = outcomes.filter((outcome) => outcome === 'lost').length;
  return { seconds: (performance.now() - began) / 1000, answers, lost };
}

export function perSecond(result: LoadResult, status = 200): number {
  return (result.answers.get(status)?.length ?? 0) / result.seconds;
}

/** A request as it goes over the wire. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): string {
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

type Report = (status: number, ms: number) => void;

async function client(options: LoadOptions, until: number, report: Report): Promise<'done' | 'lost'> {
  const { hostname, port } = new URL(options.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => {});
  await once(socket, 'connect');
  const everyMs = options.perSecond === undefined ? 0 : (options.connections / options.perSecond) * 1000;
  return converse(socket, options.request, everyMs, until, report);
}

function converse(
  socket: Socket,
  request: () => string,
  everyMs: number,
  until: number,
  report: Report,
): Promise<'done' | 'lost'> {
  return new Promise((resolve) => {
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(request(), 'latin1');
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!isWhole(received)) return;
      const now = performance.now();
      report(Number(received.slice(9, 12)), now - sentAt);
      received = '';
      const waitMs = sentAt + everyMs - now;
      if (waitMs > 0 && now + waitMs < until) return void setTimeout(send, waitMs);
      if (waitMs <= 0 && now < until) return send();
      resolve('done');
      socket.destroy();
    });
    socket.on('close', () => resolve('lost'));
    send();
  });
}

/** All answers that are measured say their length. */
function isWhole(received: string): boolean {
  const headersEnd = received.indexOf('\r\n\r\n');
  if (headersEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  return received.length >= headersEnd + 4 + Number(length ?? 0);
}
