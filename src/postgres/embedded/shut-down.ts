import { standingServer } from './postmaster-file.js';
import { isRunning } from './running-process.js';
import { waitFor } from './waiting.js';

export interface ShutDownOptions {
  readonly processId: number;
  readonly clusterDirectory: string;
  readonly say: (message: string) => void;
}

const FAST_SHUTDOWN_MS = 15_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;

/** Ends the server, which ends its sessions, writes everything out and removes its lock file. */
export async function shutDown({ processId, clusterDirectory, say }: ShutDownOptions): Promise<void> {
  const gone = () => (isRunning(processId) ? undefined : true);
  if (!(await isStill(processId, clusterDirectory))) return;
  process.kill(processId, 'SIGINT');
  if (await waitFor(gone, { withinMs: FAST_SHUTDOWN_MS })) return;
  if (!(await isStill(processId, clusterDirectory))) return;
  say(
    `The database server (process ${processId}) does not stop; ending it now. The next start recovers from its log.`,
  );
  process.kill(processId, 'SIGQUIT');
  if (await waitFor(gone, { withinMs: IMMEDIATE_SHUTDOWN_MS })) return;
  say(`The database server (process ${processId}) is still there; it was left alone.`);
}

/** A number that has passed to another program meanwhile must not get our signal. */
async function isStill(processId: number, clusterDirectory: string): Promise<boolean> {
  return (await standingServer(clusterDirectory))?.processId === processId;
}
