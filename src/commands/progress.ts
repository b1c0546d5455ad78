/**
 * Shows how far a long command is, on standard error: share, rate and time left. A terminal has one line that changes;
 * elsewhere there is a line each minute.
 */
import type { Writable } from 'node:stream';

const terminalMs = 200;
const elsewhereMs = 60_000;

export interface ProgressOutput extends Pick<Writable, 'write'> {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export class Progress {
  readonly #startedMs: number;
  #shownMs: number;
  #done = 0;

  constructor(
    readonly what: string,
    /** Undefined when it is not known: then no share is shown. */
    readonly total: number | undefined,
    readonly output: ProgressOutput = process.stderr,
    readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#startedMs = nowMs();
    this.#shownMs = this.#startedMs;
  }

  /** So much is done now in all. */
  at(done: number): void {
    this.#done = done;
    const now = this.nowMs();
    if (now - this.#shownMs < (this.output.isTTY ? terminalMs : elsewhereMs)) return;
    this.#shownMs = now;
    this.#show();
  }

  add(count: number): void {
    this.at(this.#done + count);
  }

  /** Removes the line of a terminal: what follows says how it ended. */
  end(): void {
    if (this.output.isTTY) this.output.write('\r\x1b[K');
  }

  #show(): void {
    const line = describe(this.what, this.#done, this.total, (this.#shownMs - this.#startedMs) / 1000);
    this.output.write(this.output.isTTY ? `\r\x1b[K${line.slice(0, (this.output.columns ?? 80) - 1)}` : `${line}\n`);
  }
}

/** Shows how far the work is, each second, also while a part of it takes long. */
export async function withProgress<Result>(
  what: string,
  total: number | undefined,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(what, total);
  const timer = setInterval(() => progress.add(0), 1000);
  try {
    return await work(progress);
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

/** The progress of work that has several parts, one after the other. */
export class PartsProgress<Part extends string> {
  #part: Part | undefined;
  #progress: Progress | undefined;

  constructor(readonly texts: Readonly<Record<Part, string>>) {}

  readonly at = (part: Part, done: number, total: number | undefined): void => {
    if (part !== this.#part) {
      this.end();
      this.#part = part;
      this.#progress = new Progress(this.texts[part], total);
    }
    this.#progress?.at(done);
  };

  end(): void {
    this.#progress?.end();
  }
}

function describe(what: string, done: number, total: number | undefined, seconds: number): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const speed = `${rounded(rate)}/s`;
  if (total === undefined || total === 0) return `${what}: ${rounded(done)}, ${speed}`;
  const share = Math.min(100, Math.floor((done / total) * 100));
  const left = rate > 0 ? `, ${duration((total - done) / rate)} left` : '';
  return `${what}: ${share} % (${rounded(done)} of ${rounded(total)}), ${speed}${left}`;
}

function rounded(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e4 ? `${(count / 1e3).toFixed(0)} k` : String(Math.round(count));
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
