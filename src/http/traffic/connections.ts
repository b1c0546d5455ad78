/**
 * The open connections: limits their number, knows which have a request in progress, and cuts off callers that do not
 * read their answers. Node itself limits headers and idle connections.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sourceAddress } from './source-address.js';

export interface ConnectionBounds {
  readonly connections: number;
  /** A caller that reads less than `readerBytes` in this time, while more is waiting, is cut off. */
  readonly readerStallMs: number;
}

export type CutReason = 'too_many_connections' | 'reader_too_slow' | 'stopping';

const readerBytes = 64 * 1024;
const lookEveryMs = 250;

interface Connection {
  readonly source: string;
  /** Of the requests under way. */
  readonly answers: Set<ServerResponse>;
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
  beginRequest(socket: Socket, answer: ServerResponse): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.answers.add(answer);
    if (connection.answers.size > 1) return;
    (connection.hasSpoken ? this.#idle : this.#silent).delete(socket);
    connection.hasSpoken = true;
    connection.taken = { atMs: performance.now(), bytes: takenFrom(socket) };
    this.#busy.add(socket);
  }

  /** Its answer is out. */
  endRequest(socket: Socket, answer: ServerResponse): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.answers.delete(answer);
    if (connection.answers.size > 0) return;
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
      source: sourceAddress(socket.remoteAddress ?? ''),
      answers: new Set(),
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

  /**
   * Clients send their request right after connecting, so the connection that has been silent longest is closed. When
   * none is silent or idle, a slow reader is. A request that is worked on keeps its connection.
   */
  #makeRoom(): boolean {
    const [silent] = this.#silent;
    const [idle] = this.#idle;
    const leastMissed = silent ?? idle ?? this.#slowestReader();
    if (!leastMissed) return false;
    this.#cut(leastMissed, 'too_many_connections');
    this.#close(leastMissed);
    return true;
  }

  /** Of the address with the most connections among those that have answers waiting to be read. */
  #slowestReader(): Socket | undefined {
    const nowMs = performance.now();
    const counts = new Map<string, number>();
    for (const { source } of this.#all.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    let slowest: { socket: Socket; count: number; speed: number } | undefined;
    for (const socket of this.#busy) {
      const connection = this.#all.get(socket);
      if (!connection || !isOnlyReading(socket, connection)) continue;
      const count = counts.get(connection.source) ?? 0;
      const speed = readingSpeed(socket, connection, nowMs);
      const isWorse = !slowest || count > slowest.count || (count === slowest.count && speed < slowest.speed);
      if (isWorse) slowest = { socket, count, speed };
    }
    return slowest?.socket;
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

/** Every answer has been made, and the caller has not taken all of it. */
function isOnlyReading(socket: Socket, { answers }: Connection): boolean {
  return socket.writableLength > 0 && [...answers].every((answer) => answer.headersSent);
}

/** Bytes a millisecond. A second and some bytes are given in advance, so that the newest is not the slowest. */
function readingSpeed(socket: Socket, { taken }: Connection, nowMs: number): number {
  return (takenFrom(socket) - taken.bytes + readerBytes) / (nowMs - taken.atMs + 1000);
}

function takenFrom(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
