/**
 * The open connections: limits their number, knows which have a request in progress, and cuts off callers that do not
 * read their answers. Node itself limits headers and idle connections.
 */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sourceAddress } from './source-address.js';

export interface ConnectionBounds {
  readonly connections: number;
  /** A caller that reads less than `readerBytes` in this time, while more is waiting to be read, is cut off. */
  readonly readerStallMs: number;
}

export type CutReason = 'too_many_connections' | 'reader_too_slow' | 'stopping';

const readerBytes = 64 * 1024;
const checkEveryMs = 250;

interface Connection {
  readonly source: string;
  /** The answers to the requests under way. */
  readonly answers: Set<ServerResponse>;
  hasSentRequest: boolean;
  /** When the last request ended. */
  idleSinceMs: number;
  /** When the current interval of reading began, and the bytes that the caller had read until then. */
  interval: { atMs: number; bytes: number };
}

export class Connections {
  readonly #all = new Map<Socket, Connection>();
  /** Connections that never sent a request, the oldest first. */
  readonly #silent = new Set<Socket>();
  /** Connections between two requests, the longest idle first. */
  readonly #idle = new Set<Socket>();
  readonly #busy = new Set<Socket>();
  readonly #checkTimer: NodeJS.Timeout;
  #onAllClosed = () => {};

  constructor(
    server: Server,
    readonly bounds: ConnectionBounds,
    readonly count: (reason: CutReason) => void,
  ) {
    server.on('connection', (socket) => this.#open(socket));
    this.#checkTimer = setInterval(() => this.#cutSlowReaders(), checkEveryMs).unref();
    server.once('close', () => clearInterval(this.#checkTimer));
  }

  get size(): number {
    return this.#all.size;
  }

  get busy(): number {
    return this.#busy.size;
  }

  /** Call it when the header of a request has arrived. */
  beginRequest(socket: Socket, answer: ServerResponse): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.answers.add(answer);
    if (connection.answers.size > 1) return;
    (connection.hasSentRequest ? this.#idle : this.#silent).delete(socket);
    connection.hasSentRequest = true;
    connection.interval = { atMs: performance.now(), bytes: bytesReadBy(socket) };
    this.#busy.add(socket);
  }

  /** Call it when the answer was sent or the caller has gone. */
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
      hasSentRequest: false,
      idleSinceMs: nowMs,
      interval: { atMs: nowMs, bytes: 0 },
    });
    this.#silent.add(socket);
    socket.once('close', () => this.#close(socket));
  }

  #close(socket: Socket): void {
    this.#all.delete(socket);
    for (const set of [this.#silent, this.#idle, this.#busy]) set.delete(socket);
    if (this.#all.size === 0) this.#onAllClosed();
  }

  /**
   * Closes the connection that has been silent longest, because clients send their request right after connecting. If
   * none is silent or idle, it closes a slow reader. A request that is worked on keeps its connection.
   */
  #makeRoom(): boolean {
    const [silent] = this.#silent;
    const [idle] = this.#idle;
    const victim = silent ?? idle ?? this.#slowestReader();
    if (!victim) return false;
    this.#cut(victim, 'too_many_connections');
    this.#close(victim);
    return true;
  }

  /** Among the connections with unread answers: the slowest one of the address that has the most connections. */
  #slowestReader(): Socket | undefined {
    const nowMs = performance.now();
    const counts = new Map<string, number>();
    for (const { source } of this.#all.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    let slowest: { socket: Socket; count: number; speed: number } | undefined;
    for (const socket of this.#busy) {
      const connection = this.#all.get(socket);
      if (!connection || !hasUnreadAnswers(socket, connection)) continue;
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
      const bytes = bytesReadBy(socket);
      const isReading = socket.writableLength === 0 || bytes - connection.interval.bytes >= readerBytes;
      if (isReading) connection.interval = { atMs: nowMs, bytes };
      else if (nowMs - connection.interval.atMs > this.bounds.readerStallMs)
        this.#cut(socket, 'reader_too_slow');
    }
  }

  #cut(socket: Socket, reason: CutReason): void {
    this.count(reason);
    socket.destroy();
  }
}

/** True when every answer has been made and the caller has not read all of it. */
function hasUnreadAnswers(socket: Socket, { answers }: Connection): boolean {
  return socket.writableLength > 0 && [...answers].every((answer) => answer.headersSent);
}

/** In bytes per millisecond. Adds a second and some bytes, so that the newest reader does not seem the slowest. */
function readingSpeed(socket: Socket, { interval }: Connection, nowMs: number): number {
  return (bytesReadBy(socket) - interval.bytes + readerBytes) / (nowMs - interval.atMs + 1000);
}

/** The bytes that have left our process. */
function bytesReadBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
