/** Takes the lock that makes one service the owner of a data directory. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartupRefused } from '../../../errors.js';
import { isRunning } from '../running-process.js';

/**
 * The advisory lock of the owner. PostgreSQL ties it to the owner's connection: it ends moments after its owner does, and
 * a suspended owner keeps it.
 */
const ownerLock = [0x52656d65, 1] as const;

/** The server notices a dead owner's closed connection within milliseconds. */
const waitForLiveOwnerMs = 500;
const waitForDeadOwnerMs = 10_000;
const retryEveryMs = 25;

/** The data directories that this process owns. A holder with our process id that is not listed is a dead predecessor. */
const ownedHere = new Set<string>();

export interface Holder {
  readonly processId: number | undefined;
  readonly backendId: number;
}

export type Claim =
  | { readonly granted: true }
  | { readonly granted: false; readonly holder: Holder | undefined };

/** Takes the lock. Throws `StartupRefused` when a live service has it. */
export async function takeOwnership(session: Client, dataDirectory: string): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const claim = await tryToOwn(session);
    if (claim.granted) break;
    const waited = performance.now() - startedAt;
    // The lock decides, not the process id, which another program may have got meanwhile.
    const alive = claim.holder !== undefined && isAlive(claim.holder, dataDirectory);
    if (waited > (alive ? waitForLiveOwnerMs : waitForDeadOwnerMs)) {
      throw new StartupRefused(refusal(claim.holder, dataDirectory));
    }
    await pause(retryEveryMs);
  }
  ownedHere.add(dataDirectory);
}

export function forgetOwnership(dataDirectory: string): void {
  ownedHere.delete(dataDirectory);
}

export async function tryToOwn(session: Client): Promise<Claim> {
  const { rows } = await session.query<{ granted: boolean }>(
    'SELECT pg_try_advisory_lock($1, $2) AS granted',
    [...ownerLock],
  );
  return rows[0]?.granted === true
    ? { granted: true }
    : { granted: false, holder: await findHolder(session) };
}

async function findHolder(session: Client): Promise<Holder | undefined> {
  const { rows } = await session.query<{ application_name: string; pid: number }>(
    `SELECT activity.application_name, activity.pid
       FROM pg_locks AS lock
       JOIN pg_stat_activity AS activity ON activity.pid = lock.pid
      WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 2
        AND lock.classid = $1 AND lock.objid = $2
        AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [...ownerLock],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  const name = /^remesa pid (\d+)$/.exec(row.application_name);
  return { processId: name === null ? undefined : Number(name[1]), backendId: row.pid };
}

function isAlive({ processId }: Holder, dataDirectory: string): boolean {
  // A person opened this session by hand, so waiting does not help.
  if (processId === undefined) return true;
  return processId === process.pid ? ownedHere.has(dataDirectory) : isRunning(processId);
}

function refusal(holder: Holder | undefined, dataDirectory: string): string {
  const program =
    holder?.processId === undefined
      ? `Another program (database session ${holder?.backendId ?? 'unknown'})`
      : `Another Remesa (process ${holder.processId})`;
  return `${program} is using ${dataDirectory}. Stop it, or set DATA_DIR to another folder.`;
}
