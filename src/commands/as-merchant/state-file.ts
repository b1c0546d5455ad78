/** What `remesa listen` remembers over a restart: how far it got, and the secret that signs what it forwards. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupRefused } from '../../errors.js';

export interface ListenState {
  /** In base64. */
  readonly secret: string;
  /** The last sequence that was taken, by channel. */
  readonly cursors: Readonly<Record<string, number>>;
}

export class StateFile {
  #state: ListenState;

  /** Throws `StartupRefused` when the file is not ours. */
  constructor(readonly path: string) {
    this.#state = existsSync(path) ? readState(path) : { secret: randomBytes(32).toString('base64'), cursors: {} };
  }

  get secret(): Buffer {
    return Buffer.from(this.#state.secret, 'base64');
  }

  /** Undefined when nothing was taken on this channel yet. */
  cursorOf(channel: string): number | undefined {
    return this.#state.cursors[channel];
  }

  /** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
  save(channel: string, sequence: number): void {
    this.#state = { ...this.#state, cursors: { ...this.#state.cursors, [channel]: sequence } };
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.new`, JSON.stringify(this.#state), { mode: 0o600 });
    renameSync(`${this.path}.new`, this.path);
  }
}

function readState(path: string): ListenState {
  try {
    const { secret, cursors } = JSON.parse(readFileSync(path, 'utf8')) as ListenState;
    if (typeof secret === 'string' && typeof cursors === 'object') return { secret, cursors };
  } catch {
    // Falls through to the refusal.
  }
  throw new StartupRefused(`${path} is not a file of remesa listen. Remove it, or name another with --state.`);
}
