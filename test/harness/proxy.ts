/** A TCP proxy before a PostgreSQL server that does harm on request: cuts, holds back, swallows. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { overTcp } from './database-url.js';

/** Told every chunk that a client sends, and on which connection; answers what to do with it. */
export type Harm = (chunk: Buffer, connection: Socket) => 'pass' | 'cut-before' | 'cut-after' | 'swallow';

export class FaultProxy {
  harm: Harm = () => 'pass';
  /** Told every chunk of the server and the client that it is for. True: the client never gets it. */
  dropAnswer: (chunk: Buffer, client: Socket) => boolean = () => false;
  /** Where the proxy connects to. */
  readonly target: { host: string; port: number };
  readonly #url: URL;
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #server: Server;

  constructor(connectionString: string) {
    this.#url = new URL(overTcp(connectionString));
    this.target = { host: this.#url.hostname, port: Number(this.#url.port || 5432) };
    this.#server = createServer((client) => this.#serve(client));
  }

  /** Returns the connection string that leads through the proxy. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    this.#url.host = `127.0.0.1:${port}`;
    return this.#url.href;
  }

  cutAll(): void {
    for (const [client, server] of this.#pairs) {
      client.destroy();
      server.destroy();
    }
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    const server = connect(this.target);
    const pair: [Socket, Socket] = [client, server];
    this.#pairs.add(pair);
    client.on('error', () => {}).on('close', () => server.end());
    server.on('error', () => {}).on('close', () => this.#forget(pair));
    server.on('data', (chunk) => {
      if (!this.dropAnswer(chunk, client)) client.write(chunk);
    });
    client.on('data', (chunk) => this.#pass(chunk, client, server));
  }

  #pass(chunk: Buffer, client: Socket, server: Socket): void {
    const verdict = this.harm(chunk, client);
    if (verdict === 'swallow') return;
    if (verdict === 'cut-before') {
      client.destroy();
      server.destroy();
      return;
    }
    if (verdict === 'cut-after') client.destroy();
    server.write(chunk);
  }

  #forget(pair: [Socket, Socket]): void {
    pair[0].destroy();
    this.#pairs.delete(pair);
  }
}
