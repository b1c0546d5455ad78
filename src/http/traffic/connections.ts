/**
 * The open connections, and which of them have a request under way. Node limits their number, their headers and their
 * idle time. Needed against attack 7 (silent connections stretch a stop): a stop closes them and cuts off no request.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** How many requests have no complete answer yet. */
  requests: number;
  /** When the last request ended. */
  idleSinceMs: number;
}

export class Connections {
  readonly #all = new Map<Socket, Connection>();
  #onAllClosed = () => {};

  constructor(
    server: Server,
    readonly count: (reason: 'too_many_connections' | 'reader_too_slow' | 'stopping') => void,
  ) {
    server.on('connection', (socket) => this.#open(socket));
    server.on('drop', () => this.count('too_many_connections'));
    // Node would close the connection by itself, uncounted. One without a request was only kept alive long enough.
    server.on('timeout', (socket) => {
      if (this.#all.get(socket)?.requests) this.count('reader_too_slow');
      socket.destroy();
    });
  }

  get size(): number {
    return this.#all.size;
  }

  /** How many have a request under way. */
  get busy(): number {
    return [...this.#all.values()].filter(({ requests }) => requests > 0).length;
  }

  /** Call it when the header of a request has arrived. */
  beginRequest(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (connection) connection.requests += 1;
  }

  /** Call it when the answer was sent or the caller has gone. */
  endRequest(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    connection.idleSinceMs = performance.now();
  }

  /** Resolves when the last connection has ended. */
  allClosed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#all.size === 0) resolve();
      else this.#onAllClosed = resolve;
    });
  }

  /** Closes the connections that have been idle for this time. A request that has just arrived is seen first. */
  closeIdle(idleForMs: number): void {
    setImmediate(() => {
      const idleBeforeMs = performance.now() - idleForMs;
      for (const [socket, { requests, idleSinceMs }] of this.#all) {
        if (requests > 0 || idleSinceMs > idleBeforeMs) continue;
        this.count('stopping');
        socket.destroy();
      }
    });
  }

  #open(socket: Socket): void {
    this.#all.set(socket, { requests: 0, idleSinceMs: performance.now() });
    socket.once('close', () => {
      this.#all.delete(socket);
      if (this.#all.size === 0) this.#onAllClosed();
    });
  }
}
