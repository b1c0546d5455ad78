/** A TCP server whose answers are raw bytes, so that tests can be as hostile as they like. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { afterEach } from 'vitest';
import { eventually } from '../harness/eventually.js';

export class RawServer {
  /** All bytes received, by connection. */
  readonly received: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #port = 0;

  constructor(
    readonly serve: (socket: Socket, connectionIndex: number) => void,
    tls?: TlsOptions,
  ) {
    this.#server = tls
      ? createTlsServer(tls, (socket) => this.#accept(socket))
      : createServer((socket) => this.#accept(socket));
    this.#server.on('tlsClientError', () => {});
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    });
  }

  get port(): number {
    return this.#port;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Waits until the other side has closed all connections. */
  async expectNoConnection(): Promise<void> {
    await eventually(() => this.openConnections === 0, { what: 'the end of all connections' });
  }

  #accept(socket: Socket): void {
    const index = this.received.push('') - 1;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      this.received[index] += data.toString('latin1');
    });
    this.serve(socket, index);
  }
}

/** Calls `serve` for every complete request: its headers, and as many bytes as they announce. */
export function onRequest(socket: Socket, serve: (requestIndex: number) => void): void {
  let text = '';
  let count = 0;
  socket.on('data', (data) => {
    text += data.toString('latin1');
    for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
      text = text.slice(end);
      serve(count);
      count += 1;
    }
  });
}

function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  const end = head + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return head < 0 || text.length < end ? 0 : end;
}

export function answerText(body: string, head = 'HTTP/1.1 200 OK'): string {
  return `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Returns a function that starts a server. All servers are closed after each test. */
export function useRawServers(): (serve: RawServer['serve'], tls?: TlsOptions) => Promise<RawServer> {
  const servers: RawServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (serve, tls) => {
    const server = new RawServer(serve, tls);
    servers.push(server);
    return server.listen();
  };
}
