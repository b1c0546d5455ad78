/**
 * A keep-alive connection to one target, for one request at a time. It asks the guard before every connect, follows no
 * redirect, uses no proxy and decompresses nothing.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client } from 'undici';
import { openConnection } from './connect.js';
import { type Answer, Exchange, type ExchangeLimits } from './exchange.js';
import type { AddressGuard } from './guard.js';
import { OutgoingError } from './outgoing-error.js';
import { targetOf } from './target.js';

/** What is asked before a request is written. */
export interface StartOfPost {
  /**
   * Called immediately before the first byte is written. If it returns false, nothing is sent and `withheld` is thrown.
   */
  readonly mayStart?: () => boolean;
  /** Waited for when a connection was opened for this request, which may have taken seconds. Never throws. */
  readonly onConnect?: () => Promise<void>;
}

export interface OutgoingPost extends StartOfPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface ConnectionOptions {
  readonly url: URL;
  readonly guard: AddressGuard;
  readonly limits: ExchangeLimits;
  /** CA certificates to trust instead of the usual ones. */
  readonly authorities?: string | undefined;
}

const headBytes = 16 * 1024;
/** All bytes that may arrive during one exchange: headers, body, and anything else that the other side sends. */
const wireBytes = 256 * 1024;
/** A connection is replaced after this time, so that the name is resolved again and we follow a receiver that moved. */
const maxAgeMs = 60_000;

export class KeptConnection {
  readonly #options: ConnectionOptions;
  #connection: Connection | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Throws `OutgoingError` when there was no answer. */
  async post(post: OutgoingPost): Promise<Answer> {
    const deadlineMs = performance.now() + this.#options.limits.wholeMs;
    if (this.#connection?.isOld) this.close();
    const wasProven = this.#connection?.isProven ?? false;
    try {
      return await this.#exchange(post, deadlineMs);
    } catch (error) {
      if (!wasProven || !isLost(error)) throw error;
      // The other side closed the idle connection at the moment we used it. There was no answer, so one retry is safe.
      return await this.#exchange(post, deadlineMs);
    }
  }

  close(): void {
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  async #exchange(post: OutgoingPost, deadlineMs: number): Promise<Answer> {
    this.#connection ??= new Connection(this.#options);
    const connection = this.#connection;
    try {
      const answer = await connection.send(post, new Exchange(this.#options.limits, deadlineMs, post.mayStart));
      if (answer.isWhole) connection.isProven = true;
      else this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** An undici client with one connection. undici may reconnect by itself, through the same guard. */
class Connection {
  readonly #client: Client;
  #socket: Socket | undefined;
  #connectedAtMs = performance.now();
  #bytesBefore = 0;
  #onConnect: StartOfPost['onConnect'];
  /** The other side has answered on this connection before. */
  isProven = false;

  constructor({ url, guard, limits, authorities }: ConnectionOptions) {
    const target = targetOf(url);
    this.#client = new Client(url.origin, {
      pipelining: 1,
      maxHeaderSize: headBytes,
      // `Exchange` applies its own limits.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      connect: (_options, callback) => {
        openConnection(target, { guard, withinMs: limits.connectMs, authorities })
          .then(async (socket) => {
            await this.#onConnect?.();
            if (socket.destroyed) throw new OutgoingError('connection_failed');
            return socket;
          })
          .then(
            (socket) => callback(null, this.#watch(socket)),
            (error) => callback(error, null),
          );
      },
    });
    // Errors that belong to no request. Without a listener they would end the process.
    (this.#client as EventEmitter).on('error', () => this.destroy());
  }

  get isOld(): boolean {
    return performance.now() - this.#connectedAtMs > maxAgeMs;
  }

  send({ path, headers, body, onConnect }: OutgoingPost, exchange: Exchange): Promise<Answer> {
    this.#onConnect = onConnect;
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch({ method: 'POST', path, headers, body }, exchange);
    exchange.onDispatched();
    return exchange.answer;
  }

  destroy(): void {
    this.#client.destroy().catch(() => {});
  }

  #watch(socket: Socket): Socket {
    this.#socket = socket;
    this.#connectedAtMs = performance.now();
    this.#bytesBefore = socket.bytesRead;
    this.isProven = false;
    socket.on('readable', () => {
      if (socket.bytesRead - this.#bytesBefore <= wireBytes) return;
      socket.destroy(new OutgoingError('protocol_error'));
    });
    return socket;
  }
}

function isLost(error: unknown): boolean {
  return error instanceof OutgoingError && error.reason === 'connection_failed';
}
