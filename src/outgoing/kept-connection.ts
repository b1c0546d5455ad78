/**
 * One connection to one target that outlives its requests, one at a time. It asks the guard at each connect, follows no
 * redirect, knows no proxy and unpacks nothing. Whose connection it is and how many there are is not its business.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client } from 'undici';
import { openConnection } from './connect.js';
import { type Answer, Exchange, type ExchangeLimits } from './exchange.js';
import { OutgoingFault } from './fault.js';
import type { AddressGuard } from './guard.js';
import { targetOf } from './target.js';

export interface OutgoingPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Asked immediately before the first byte is written. False: nothing is sent, and `withheld` is thrown. */
  readonly mayStart?: (() => boolean) | undefined;
}

export interface ConnectionOptions {
  readonly url: URL;
  readonly guard: AddressGuard;
  readonly limits: ExchangeLimits;
  /** Trusted instead of the usual authorities. */
  readonly authorities?: string | undefined;
}

const headBytes = 16 * 1024;
/** All that may come in during one exchange: head, body, and whatever else a stranger thinks of sending. */
const wireBytes = 256 * 1024;
/** Then the name is looked up anew, so that a receiver that has moved is followed. */
const longestLifeMs = 60_000;

export class KeptConnection {
  #line: Line | undefined;

  constructor(readonly options: ConnectionOptions) {}

  /** Throws OutgoingFault where no answer came. */
  async post(post: OutgoingPost): Promise<Answer> {
    const deadlineMs = performance.now() + this.options.limits.wholeMs;
    if (this.#line?.isOld) this.close();
    const wasProven = this.#line?.isProven ?? false;
    try {
      return await this.#exchange(post, deadlineMs);
    } catch (error) {
      if (!wasProven || !isLost(error)) throw error;
      // The other side closed an idle connection just when we began to use it: nobody's fault, and nothing came.
      return await this.#exchange(post, deadlineMs);
    }
  }

  close(): void {
    this.#line?.cut();
    this.#line = undefined;
  }

  async #exchange(post: OutgoingPost, deadlineMs: number): Promise<Answer> {
    this.#line ??= new Line(this.options);
    const line = this.#line;
    try {
      const answer = await line.send(post, new Exchange(this.options.limits, deadlineMs, post.mayStart));
      if (answer.isWhole) line.isProven = true;
      else this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** A client of one connection, from its making until it is cut; undici may connect anew in between, by the same guard. */
class Line {
  readonly #client: Client;
  #socket: Socket | undefined;
  #connectedAtMs = performance.now();
  #bytesBefore = 0;
  /** Has answered on this connection before. */
  isProven = false;

  constructor({ url, guard, limits, authorities }: ConnectionOptions) {
    const target = targetOf(url);
    this.#client = new Client(url.origin, {
      pipelining: 1,
      maxHeaderSize: headBytes,
      // Limits of our own hold for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
      connect: (_options, callback) => {
        openConnection(target, { guard, withinMs: limits.connectMs, authorities }).then(
          (socket) => callback(null, this.#watch(socket)),
          (error) => callback(error, null),
        );
      },
    });
    // What undici could not lay at any request's door; without a listener it would end the process.
    (this.#client as EventEmitter).on('error', () => this.cut());
  }

  get isOld(): boolean {
    return performance.now() - this.#connectedAtMs > longestLifeMs;
  }

  send({ path, headers, body }: OutgoingPost, exchange: Exchange): Promise<Answer> {
    this.#bytesBefore = this.#socket?.bytesRead ?? 0;
    this.#client.dispatch({ method: 'POST', path, headers, body }, exchange);
    exchange.onHandedOver();
    return exchange.answer;
  }

  cut(): void {
    this.#client.destroy().catch(() => {});
  }

  #watch(socket: Socket): Socket {
    this.#socket = socket;
    this.#connectedAtMs = performance.now();
    this.#bytesBefore = socket.bytesRead;
    this.isProven = false;
    socket.on('readable', () => {
      if (socket.bytesRead - this.#bytesBefore <= wireBytes) return;
      socket.destroy(new OutgoingFault('protocol_error'));
    });
    return socket;
  }
}

function isLost(error: unknown): boolean {
  return error instanceof OutgoingFault && error.reason === 'connection_failed';
}
