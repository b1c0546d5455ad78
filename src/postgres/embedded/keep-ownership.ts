import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { tryToOwn } from './ownership.js';
import { closeSession } from './session.js';

export interface KeeperOptions {
  readonly openSession: () => Promise<Client>;
  readonly serverIsRunning: () => boolean;
  readonly say: (message: string) => void;
  readonly onLost: (reason: string) => void;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Holds the lock for as long as the service runs. PostgreSQL ends all sessions when one of its processes crashes,
 * and an administrator can end any; the lock is then free, and without being taken again it would let a second
 * service in silently.
 */
export class OwnershipKeeper {
  readonly #options: KeeperOptions;
  readonly #retirement = new AbortController();
  #session: Client;
  #isOwner = true;

  constructor(session: Client, options: KeeperOptions) {
    this.#options = options;
    this.#session = session;
    this.#follow(session);
  }

  /** False once another service has the lock: the server is then no longer ours to stop. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** From now on the end of the session is expected. */
  retire(): void {
    this.#retirement.abort();
  }

  async close(): Promise<void> {
    this.retire();
    await closeSession(this.#session);
  }

  #follow(session: Client): void {
    this.#session = session;
    session.once('end', () => void this.#regain());
  }

  async #regain(): Promise<void> {
    const { signal } = this.#retirement;
    for (let wait = FIRST_PAUSE_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      if (!this.#options.serverIsRunning())
        return this.#lose('The database server has ended. Start Remesa again.');
      const outcome = await reclaim(this.#options.openSession);
      if (outcome.kind === 'taken') {
        this.#isOwner = false;
        return this.#lose(takenBy(outcome.processId));
      }
      if (outcome.kind === 'regained') return this.#follow(outcome.session);
      await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  #lose(reason: string): void {
    this.#options.say(reason);
    this.#options.onLost(reason);
  }
}

type Reclaim =
  | { readonly kind: 'regained'; readonly session: Client }
  | { readonly kind: 'taken'; readonly processId: number }
  | { readonly kind: 'not yet' };

async function reclaim(openSession: () => Promise<Client>): Promise<Reclaim> {
  let session: Client | undefined;
  try {
    session = await openSession();
    const claim = await tryToOwn(session);
    if (claim.granted) return { kind: 'regained', session };
    await closeSession(session);
    const processId = claim.holder?.processId;
    // Our own number: the server has not yet noticed that our former connection is gone.
    return processId === undefined || processId === process.pid
      ? { kind: 'not yet' }
      : { kind: 'taken', processId };
  } catch {
    // The server is starting again, or stopping; the next round finds out which.
    if (session !== undefined) await closeSession(session);
    return { kind: 'not yet' };
  }
}

/** Two services on one database harm no data (PostgreSQL serialises them), but only the owner may stop the server. */
function takenBy(processId: number): string {
  return `Another Remesa (process ${processId}) has taken over this data directory while the connection to the database was lost. This one no longer owns it and leaves the database running when it stops. Stop one of the two.`;
}
