import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartupRefused } from '../../errors.js';
import { isRunning } from './running-process.js';

/**
 * One service owns a data directory. The proof is a lock that PostgreSQL ties to the owner's connection: it can't
 * outlive its owner by more than a moment, and a stopped or swapped-out owner still has it.
 */
const LOCK = [0x52656d65, 1] as const;

/** The server notices a dead owner's closed connection within milliseconds. */
const PATIENCE_WITH_THE_LIVING_MS = 500;
const PATIENCE_WITH_THE_DEAD_MS = 10_000;
const ASK_EVERY_MS = 25;

/** What this very process owns: a holder with our number that is not listed is a dead one whose number we got. */
const ownedHere = new Set<string>();

export interface Holder {
  readonly processId: number | undefined;
  readonly backendId: number;
}

export type Claim =
  | { readonly granted: true }
  | { readonly granted: false; readonly holder: Holder | undefined };

/** Takes the lock, or refuses because a live service has it. */
export async function takeOwnership(session: Client, dataDirectory: string): Promise<void> {
  const began = performance.now();
  for (;;) {
    const claim = await tryToOwn(session);
    if (claim.granted) break;
    const waited = performance.now() - began;
    // The lock decides, not the process number, which may have passed to another program meanwhile.
    const alive = claim.holder !== undefined && isAlive(claim.holder, dataDirectory);
    if (waited > (alive ? PATIENCE_WITH_THE_LIVING_MS : PATIENCE_WITH_THE_DEAD_MS)) {
      throw new StartupRefused(refusal(claim.holder, dataDirectory));
    }
    await pause(ASK_EVERY_MS);
  }
  ownedHere.add(dataDirectory);
}

export function forgetOwnership(dataDirectory: string): void {
  ownedHere.delete(dataDirectory);
}

export async function tryToOwn(session: Client): Promise<Claim> {
  const { rows } = await session.query<{ granted: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS granted',
    [...LOCK],
  );
  return rows[0]?.granted === true
    ? { granted: true }
    : { granted: false, holder: await findHolder(session) };
}

async function findHolder(session: Client): Promise<Holder | undefined> {
  const { rows } = await session.query<{ application_name: string; pid: number }>(
    `SELECT activity.application_name, activity.pid
       FROM pg_locks AS held
       JOIN pg_stat_activity AS activity ON activity.pid = held.pid
      WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 2
        AND held.classid = $1 AND held.objid = $2
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [...LOCK],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  const name = /^remesa pid (\d+)$/.exec(row.application_name);
  return { processId: name === null ? undefined : Number(name[1]), backendId: row.pid };
}

function isAlive({ processId }: Holder, dataDirectory: string): boolean {
  // A session without our name was opened by a person, by hand: it does not go away by waiting.
  if (processId === undefined) return true;
  return processId === process.pid ? ownedHere.has(dataDirectory) : isRunning(processId);
}

function refusal(holder: Holder | undefined, dataDirectory: string): string {
  const who =
    holder?.processId === undefined
      ? `Another program (database session ${holder?.backendId ?? 'unknown'})`
      : `Another Remesa (process ${holder.processId})`;
  return `${who} is using ${dataDirectory}. Stop it, or set DATA_DIR to another folder.`;
}
