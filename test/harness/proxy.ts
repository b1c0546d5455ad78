/** A TCP proxy before a server that does harm on request: cuts, holds back, swallows. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Told every chunk that a client sends, and on which connection; answers what to do with it. */
export type Harm = (chunk: Buffer, connection: Socket) => 'pass' | 'cut-before' | 'cut-after' | 'swallow';

export class FaultProxy {
  harm: Harm = () => 'pass';
  /** Told every chunk of the server and the client that it is for. True: the client never gets it. */
  dropAnswer: (chunk: Buffer, client: Socket) => boolean = () => false;
  readonly #pairs = new Set<[Socket, Socket]>();
  readonly #server: Server;

  constructor(readonly target: { host: string; port: number }) {
    this.#server = createServer((client) => this.#serve(client));
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
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
