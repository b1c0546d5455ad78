/** A merchant's webhook receiver: records everything it is sent, and misbehaves on request. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

export interface Received {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Behaviour =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
      readonly afterMs?: number;
    }
  | { readonly kind: 'never-answer' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'endless-body' }
  | { readonly kind: 'drip'; readonly everyMs: number };

export class WebhookReceiver {
  readonly received: Received[] = [];
  behaviour: Behaviour | ((received: Received) => Behaviour) = { kind: 'answer', status: 200 };
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Ends every request that waits for an answer. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      at: Date.now(),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    this.received.push(received);
    const behaviour = typeof this.behaviour === 'function' ? this.behaviour(received) : this.behaviour;
    behave(behaviour, response);
  }
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'answer':
      setTimeout(
        () => response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body),
        behaviour.afterMs ?? 0,
      );
      break;
    case 'never-answer':
      break;
    case 'reset':
      response.socket?.resetAndDestroy();
      break;
    case 'endless-body':
      response.writeHead(200);
      pour(response);
      break;
    case 'drip':
      response.writeHead(200);
      drip(response, behaviour.everyMs);
      break;
  }
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function drip(response: ServerResponse, everyMs: number): void {
  const timer = setInterval(() => response.write('x'), everyMs);
  response.once('close', () => clearInterval(timer));
}

export function useReceiver(): WebhookReceiver {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  return receiver;
}
