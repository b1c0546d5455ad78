/** Keeps the owner lock while the service runs, and reports when it is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { closeSession } from '../session.js';
import { tryToOwn } from './take-ownership.js';

export interface KeeperOptions {
  readonly openSession: () => Promise<Client>;
  readonly serverIsRunning: () => boolean;
  readonly say: (message: string) => void;
  readonly onLost: (reason: string) => void;
}

const firstPauseMs = 50;
const longestPauseMs = 5_000;

/**
 * Takes the lock again whenever its session ends. PostgreSQL ends all sessions when one of its processes crashes, and an
 * administrator can end any; a second service could then take the free lock unnoticed.
 */
export class OwnershipKeeper {
  readonly #options: KeeperOptions;
  readonly #stopping = new AbortController();
  #session: Client;
  #isOwner = true;

  constructor(session: Client, options: KeeperOptions) {
    this.#options = options;
    this.#session = session;
    this.#follow(session);
  }

  /** False once another service has the lock. Only the owner may stop the server. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** Stops regaining the lock, because the session is about to end on purpose. */
  expectEnd(): void {
    this.#stopping.abort();
  }

  async close(): Promise<void> {
    this.expectEnd();
    await closeSession(this.#session);
  }

  #follow(session: Client): void {
    this.#session = session;
    session.once('end', () => void this.#regainLock());
  }

  async #regainLock(): Promise<void> {
    const { signal } = this.#stopping;
    for (let wait = firstPauseMs; !signal.aborted; wait = Math.min(wait * 2, longestPauseMs)) {
      if (!this.#options.serverIsRunning())
        return this.#lose('The database server has ended. Start Remesa again.');
      const outcome = await reclaim(this.#options.openSession);
      if (outcome.kind === 'taken') {
        this.#isOwner = false;
        return this.#lose(takenOverBy(outcome.processId));
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
    // Our own process id: the server has not yet noticed that our previous connection ended.
    return processId === undefined || processId === process.pid
      ? { kind: 'not yet' }
      : { kind: 'taken', processId };
  } catch {
    // The server is restarting or stopping. The next round finds out which.
    if (session !== undefined) await closeSession(session);
    return { kind: 'not yet' };
  }
}

/** Two services on one database do no harm to the data, but only the owner may stop the server. */
function takenOverBy(processId: number): string {
  return `Another Remesa (process ${processId}) has taken over this data directory while the connection to the database was lost. This one no longer owns it and leaves the database running when it stops. Stop one of the two.`;
}
