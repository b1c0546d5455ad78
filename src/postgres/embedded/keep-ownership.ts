import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { tryToOwn } from './ownership.js';
import { closeSession } from './session.js';

export interface Keeper {
  /** False once another service has the lock: the server is then no longer ours to stop. */
  isOwner(): boolean;
  /** From now on the end of the session is expected. */
  retire(): void;
  close(): Promise<void>;
}

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
export function keepOwnership(first: Client, options: KeeperOptions): Keeper {
  let session = first;
  let retired = false;
  let owner = true;

  const lose = (reason: string) => {
    options.say(reason);
    options.onLost(reason);
  };
  const follow = (current: Client) => {
    session = current;
    current.once('end', () => {
      if (!retired) void regain();
    });
  };
  const regain = async () => {
    for (let wait = FIRST_PAUSE_MS; !retired; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      if (!options.serverIsRunning()) return lose('The database server has ended. Start Remesa again.');
      const outcome = await reclaim(options.openSession);
      if (outcome.kind === 'taken') {
        owner = false;
        return lose(takenBy(outcome.processId));
      }
      if (outcome.kind === 'regained')
        return retired ? await closeSession(outcome.session) : follow(outcome.session);
      await pause(wait, undefined, { ref: false });
    }
  };

  follow(first);
  return {
    isOwner: () => owner,
    retire: () => {
      retired = true;
    },
    close: async () => {
      retired = true;
      await closeSession(session);
    },
  };
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
