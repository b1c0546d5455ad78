/**
 * The open connections: limits their number, knows which have a request in progress, and cuts off callers that do not
 * read their answers. Node itself limits headers and idle connections.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionBounds {
  readonly connections: number;
  /** A caller that reads less than `readerBytes` in this time, while more is waiting, is cut off. */
  readonly readerStallMs: number;
}

export type CutReason = 'too_many_connections' | 'reader_too_slow' | 'stopping';

const readerBytes = 64 * 1024;
const lookEveryMs = 250;

interface Connection {
  requests: number;
  hasSpoken: boolean;
  /** Since when no request is under way. */
  idleSinceMs: number;
  /** What the caller had taken when its current stretch of reading began. */
  taken: { atMs: number; bytes: number };
}

export class Connections {
  readonly #all = new Map<Socket, Connection>();
  /** Without a request under way, the longest idle first: those that never sent a request, and the others. */
  readonly #silent = new Set<Socket>();
  readonly #idle = new Set<Socket>();
  readonly #busy = new Set<Socket>();
  readonly #looking: NodeJS.Timeout;
  #onGone = () => {};

  constructor(
    server: Server,
    readonly bounds: ConnectionBounds,
    readonly count: (reason: CutReason) => void,
  ) {
    server.on('connection', (socket) => this.#open(socket));
    this.#looking = setInterval(() => this.#cutSlowReaders(), lookEveryMs).unref();
    server.once('close', () => clearInterval(this.#looking));
  }

  get size(): number {
    return this.#all.size;
  }

  get busy(): number {
    return this.#busy.size;
  }

  /** The header of a request has arrived. */
  beginRequest(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.requests += 1;
    if (connection.requests > 1) return;
    (connection.hasSpoken ? this.#idle : this.#silent).delete(socket);
    connection.hasSpoken = true;
    connection.taken = { atMs: performance.now(), bytes: takenFrom(socket) };
    this.#busy.add(socket);
  }

  /** Its answer is out. */
  endRequest(socket: Socket): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.requests -= 1;
    if (connection.requests > 0) return;
    this.#busy.delete(socket);
    connection.idleSinceMs = performance.now();
    this.#idle.add(socket);
  }

  /** Resolves when the last connection has ended. */
  gone(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#all.size === 0) resolve();
      else this.#onGone = resolve;
    });
  }

  /** Closes the connections that have been without a request for so long; one that has just arrived is looked at first. */
  closeIdle(idleForMs: number): void {
    setImmediate(() => {
      const idleBeforeMs = performance.now() - idleForMs;
      for (const socket of [...this.#silent, ...this.#idle]) {
        const connection = this.#all.get(socket);
        if (connection && connection.idleSinceMs <= idleBeforeMs) this.#cut(socket, 'stopping');
      }
    });
  }

  #open(socket: Socket): void {
    if (this.#all.size >= this.bounds.connections && !this.#makeRoom()) {
      this.#cut(socket, 'too_many_connections');
      return;
    }
    const nowMs = performance.now();
    this.#all.set(socket, {
      requests: 0,
      hasSpoken: false,
      idleSinceMs: nowMs,
      taken: { atMs: nowMs, bytes: 0 },
    });
    this.#silent.add(socket);
    socket.once('close', () => this.#close(socket));
  }

  #close(socket: Socket): void {
    this.#all.delete(socket);
    for (const set of [this.#silent, this.#idle, this.#busy]) set.delete(socket);
    if (this.#all.size === 0) this.#onGone();
  }

  /** Clients send their request right after connecting, so the connection that has been silent longest is closed. */
  #makeRoom(): boolean {
    const [silent] = this.#silent;
    const [idle] = this.#idle;
    const oldest = silent ?? idle;
    if (!oldest) return false;
    this.#cut(oldest, 'too_many_connections');
    this.#close(oldest);
    return true;
  }

  #cutSlowReaders(): void {
    const nowMs = performance.now();
    for (const socket of this.#busy) {
      const connection = this.#all.get(socket);
      if (!connection) continue;
      const bytes = takenFrom(socket);
      const isTaking = socket.writableLength === 0 || bytes - connection.taken.bytes >= readerBytes;
      if (isTaking) connection.taken = { atMs: nowMs, bytes };
      else if (nowMs - connection.taken.atMs > this.bounds.readerStallMs)
        this.#cut(socket, 'reader_too_slow');
    }
  }

  #cut(socket: Socket, reason: CutReason): void {
    this.count(reason);
    socket.destroy();
  }
}

function takenFrom(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
