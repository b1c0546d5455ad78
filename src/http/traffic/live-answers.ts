/**
 * Answers that never end: server-sent events, one for each page that follows something. They have a limit of their own,
 * occupy no working slot, and share one timer, so that a thousand of them cost little more than their connections.
 * Needed against attack 3 in its slowest form: the holder of a link could keep connections and memory without end.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface LiveBounds {
  /** Of this process. Whoever comes later is told to ask now and then. */
  readonly liveAnswers: number;
  /** Of one feed, such as the link to a page. */
  readonly liveAnswersOfFeed: number;
  /** Proxies end an answer on which nothing moves. */
  readonly heartbeatMs: number;
}

export interface LiveEvent {
  /** The browser sends it back as `Last-Event-ID` when it connects again. */
  readonly id: string;
  /** One line. */
  readonly data: string;
}

export interface LiveListener {
  tell(event: LiveEvent): void;
  end(): void;
}

export interface LiveFeed {
  /** The answers with the same name are counted together. */
  readonly name: string;
  /** Returns how to stop. */
  readonly follow: (listener: LiveListener) => () => void;
}

interface Answer {
  readonly feed: string;
  readonly raw: FastifyReply['raw'];
  readonly events: PassThrough;
}

/** A browser that was told so waits a little before it connects again, so that not all come at once. */
const retryMs = 3_000;
/** So much may wait for a reader. Events are short, so one that does not read has gone. */
const unreadBytes = 16_384;

export class LiveAnswers {
  readonly #open = new Set<Answer>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(
    readonly bounds: LiveBounds,
    readonly count: (reason: 'too_many_streams') => void,
  ) {}

  get size(): number {
    return this.#open.size;
  }

  /** Sends the answer. False when no more may be open: nothing was sent. */
  begin(request: FastifyRequest, reply: FastifyReply, feed: LiveFeed): boolean {
    const { raw } = reply;
    const { socket } = request.raw;
    if (this.#isEnded || raw.destroyed || socket.destroyed || !this.#hasRoomFor(feed)) return false;
    const events = new PassThrough();
    const answer = { feed: feed.name, raw, events };
    this.#open.add(answer);
    this.#heartbeat ??= setInterval(() => this.#beat(), this.bounds.heartbeatMs).unref();
    reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(events);
    send(answer, `retry: ${retryMs}\n\n`);
    const stop = feed.follow({
      tell: ({ id, data }) => send(answer, `id: ${id}\ndata: ${data}\n\n`),
      end: () => events.end(),
    });
    const end = () => {
      stop();
      events.destroy();
      this.#open.delete(answer);
      socket.off('close', end);
      if (this.#open.size > 0) return;
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
    };
    raw.once('close', end);
    // Node does not close an answer that waits behind another one of the same connection.
    socket.once('close', end);
    return true;
  }

  /** When the process stops: browsers connect again, to another process. */
  endAll(): void {
    this.#isEnded = true;
    for (const { events } of this.#open) events.end();
  }

  #hasRoomFor({ name }: LiveFeed): boolean {
    const { liveAnswers, liveAnswersOfFeed } = this.bounds;
    let own = 0;
    for (const { feed } of this.#open) if (feed === name) own += 1;
    if (this.size < liveAnswers && own < liveAnswersOfFeed) return true;
    this.count('too_many_streams');
    return false;
  }

  #beat(): void {
    for (const answer of this.#open) send(answer, ':\n\n');
  }
}

function send({ raw, events }: Answer, text: string): void {
  if (events.writableEnded) return;
  const unread = events.writableLength + events.readableLength + raw.writableLength;
  if (unread > unreadBytes) raw.destroy();
  else events.write(text);
}
