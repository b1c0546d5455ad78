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
  readonly socket: Socket;
  readonly source: string;
  /** The answers to the requests under way. */
  readonly answers: ServerResponse[];
  hasSentRequest: boolean;
  /** When the last request ended. */
  idleSinceMs: number;
  /**
   * When the current interval of reading began, and the bytes that the caller had read until then. Undefined until the
   * first check: most answers have been read by then.
   */
  interval: { readonly atMs: number; readonly bytes: number } | undefined;
}

export class Connections {
  readonly #all = new Map<Socket, Connection>();
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

  /** How many have a request under way. */
  get busy(): number {
    return [...this.#all.values()].filter(({ answers }) => answers.length > 0).length;
  }

  /** Call it when the header of a request has arrived. */
  beginRequest(socket: Socket, answer: ServerResponse): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    connection.answers.push(answer);
    if (connection.answers.length > 1) return;
    connection.hasSentRequest = true;
    connection.interval = undefined;
  }

  /** Call it when the answer was sent or the caller has gone. */
  endRequest(socket: Socket, answer: ServerResponse, nowMs: number): void {
    const connection = this.#all.get(socket);
    if (!connection) return;
    const { answers } = connection;
    if (answers.at(-1) === answer) answers.pop();
    else answers.splice(answers.indexOf(answer), 1);
    connection.idleSinceMs = nowMs;
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
      for (const { socket, answers, idleSinceMs } of this.#all.values()) {
        if (answers.length === 0 && idleSinceMs <= idleBeforeMs) this.#cut(socket, 'stopping');
      }
    });
  }

  #open(socket: Socket): void {
    if (this.#all.size >= this.bounds.connections && !this.#makeRoom()) {
      this.#cut(socket, 'too_many_connections');
      return;
    }
    this.#all.set(socket, {
      socket,
      source: sourceAddress(socket.remoteAddress ?? ''),
      answers: [],
      hasSentRequest: false,
      idleSinceMs: performance.now(),
      interval: undefined,
    });
    socket.once('close', () => this.#close(socket));
  }

  #close(socket: Socket): void {
    this.#all.delete(socket);
    if (this.#all.size === 0) this.#onAllClosed();
  }

  /**
   * Closes the connection that has been silent longest, because clients send their request right after connecting. If
   * none is silent or idle, it closes a slow reader. A request that is worked on keeps its connection.
   */
  #makeRoom(): boolean {
    const victim = this.#longestIdle() ?? this.#slowestReader();
    if (!victim) return false;
    this.#cut(victim.socket, 'too_many_connections');
    this.#close(victim.socket);
    return true;
  }

  /** Of those that never sent a request, if there are any. */
  #longestIdle(): Connection | undefined {
    let longest: Connection | undefined;
    for (const connection of this.#all.values()) {
      if (connection.answers.length > 0) continue;
      // They are in the order in which they were opened.
      if (!connection.hasSentRequest) return connection;
      if (!longest || connection.idleSinceMs < longest.idleSinceMs) longest = connection;
    }
    return longest;
  }

  /** Among the connections with unread answers: the slowest one of the address that has the most connections. */
  #slowestReader(): Connection | undefined {
    const nowMs = performance.now();
    const counts = new Map<string, number>();
    for (const { source } of this.#all.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    let slowest: { connection: Connection; count: number; speed: number } | undefined;
    for (const connection of this.#all.values()) {
      if (!hasUnreadAnswers(connection)) continue;
      const count = counts.get(connection.source) ?? 0;
      const speed = readingSpeed(connection, nowMs);
      const isWorse = !slowest || count > slowest.count || (count === slowest.count && speed < slowest.speed);
      if (isWorse) slowest = { connection, count, speed };
    }
    return slowest?.connection;
  }

  #cutSlowReaders(): void {
    const nowMs = performance.now();
    for (const connection of this.#all.values()) {
      const { socket, answers, interval } = connection;
      if (answers.length === 0) continue;
      const bytes = bytesReadBy(socket);
      const isReading = socket.writableLength === 0 || !interval || bytes - interval.bytes >= readerBytes;
      if (isReading) connection.interval = { atMs: nowMs, bytes };
      else if (nowMs - interval.atMs > this.bounds.readerStallMs) this.#cut(socket, 'reader_too_slow');
    }
  }

  #cut(socket: Socket, reason: CutReason): void {
    this.count(reason);
    socket.destroy();
  }
}

/** True when every answer has been made and the caller has not read all of it. */
function hasUnreadAnswers({ socket, answers }: Connection): boolean {
  if (answers.length === 0 || socket.writableLength === 0) return false;
  return answers.every((answer) => answer.headersSent);
}

/** In bytes per millisecond. Adds a second and some bytes, so that the newest reader does not seem the slowest. */
function readingSpeed({ socket, interval }: Connection, nowMs: number): number {
  if (!interval) return readerBytes / 1000;
  return (bytesReadBy(socket) - interval.bytes + readerBytes) / (nowMs - interval.atMs + 1000);
}

/** The bytes that have left our process. */
function bytesReadBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
