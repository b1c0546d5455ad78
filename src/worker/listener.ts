/**
 * Keeps one LISTEN connection open. It may go deaf without an error: the server's machine died without closing the
 * connection, or a pooler in transaction mode stands in between. So it sends itself a probe every few seconds, and
 * connects again when the one before did not arrive.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../log.js';
import { connectionConfig, type ServerAddress } from '../postgres/connection.js';

const reconnectMs = 1_000;
/** A deaf listener is noticed after two probes, within 20 s. */
const defaultProbeEveryMs = 10_000;

export interface ListenerOptions {
  readonly address: ServerAddress;
  readonly channel: string;
  readonly log: Log;
  readonly probeEveryMs?: number;
  readonly onListening: () => void;
  readonly onPayload: (payload: string) => void;
  /** Sends a message that this process recognises as its own; `probeArrived` must follow. */
  readonly probe: () => Promise<unknown>;
}

interface Connection {
  readonly client: pg.Client;
  readonly socket: Socket;
}

export class Listener {
  readonly #options: ListenerOptions;
  #connection: Connection | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #prober: NodeJS.Timeout | undefined;
  #isListening = false;
  #isClosed = false;
  #arrivedAt = performance.now();
  /** When the last probe was sent that the server accepted. */
  #probedAt: number | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /**
   * Connects, and connects again whenever the connection is lost, until `close`. Resolves when it listens, or when the
   * first attempt failed.
   */
  async start(): Promise<void> {
    if (this.#isClosed) return;
    const { probeEveryMs = defaultProbeEveryMs } = this.#options;
    this.#prober ??= setInterval(() => void this.#probe(), probeEveryMs);
    await this.#connect();
  }

  probeArrived(): void {
    this.#arrivedAt = performance.now();
  }

  silenceSeconds(): number {
    return (performance.now() - this.#arrivedAt) / 1000;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#prober);
    clearTimeout(this.#reconnect);
    await this.#connection?.client.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { address, channel, onPayload } = this.#options;
    const socket = new Socket();
    const client = new pg.Client({
      ...connectionConfig(address, 'remesa wake-ups'),
      stream: () => socket,
    });
    const connection = { client, socket };
    this.#connection = connection;
    client.on('notification', ({ payload }) => onPayload(payload ?? ''));
    // The event `end` follows every error.
    client.on('error', () => {});
    client.on('end', () => this.#lose(connection));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      this.#listening(connection);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'LISTEN connection lost; jobs run by their timers');
      this.#lose(connection);
    }
  }

  #listening(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#isListening = true;
    this.#probedAt = undefined;
    this.#options.onListening();
  }

  /** Does nothing for a connection that another one has replaced. */
  #lose(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#isListening = false;
    // A client on a dead connection would wait for its server before it ends.
    connection.socket.destroy();
    if (this.#isClosed) return;
    this.#reconnect = setTimeout(() => void this.#connect(), reconnectMs);
  }

  async #probe(): Promise<void> {
    if (!this.#isListening || !this.#connection) return;
    if (this.#probedAt !== undefined && this.#arrivedAt < this.#probedAt) {
      const silenceSeconds = Math.round(this.silenceSeconds());
      this.#options.log.warn({ silenceSeconds }, 'the LISTEN connection receives nothing; connecting again');
      this.#lose(this.#connection);
      return;
    }
    const sentAt = performance.now();
    // A probe that could not be sent proves nothing: the database is away for everybody.
    await this.#options.probe().then(
      () => {
        this.#probedAt = sentAt;
      },
      () => {},
    );
  }
}
