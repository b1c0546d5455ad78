/** Stops the server with the signals that PostgreSQL defines: fast first, immediate if that takes too long. */
import { findRunningServer } from './postmaster-file.js';
import { isRunning } from './running-process.js';
import { waitFor } from './waiting.js';

export interface ShutDownOptions {
  readonly processId: number;
  readonly clusterDirectory: string;
  readonly say: (message: string) => void;
}

const fastShutdownMs = 15_000;
const immediateShutdownMs = 10_000;

/** Stops the server, which ends its sessions, writes everything to disk and removes its lock file. */
export async function shutDown({ processId, clusterDirectory, say }: ShutDownOptions): Promise<void> {
  const hasEnded = () => (isRunning(processId) ? undefined : true);
  if (!(await isServerStill(processId, clusterDirectory))) return;
  process.kill(processId, 'SIGINT');
  if (await waitFor(hasEnded, { withinMs: fastShutdownMs })) return;
  if (!(await isServerStill(processId, clusterDirectory))) return;
  say(
    `The database server (process ${processId}) does not stop and is ended now. The next start recovers its data from the write-ahead log.`,
  );
  process.kill(processId, 'SIGQUIT');
  if (await waitFor(hasEnded, { withinMs: immediateShutdownMs })) return;
  say(`The database server (process ${processId}) is still running and was left running.`);
}

/** Guards against a process id that another program got meanwhile. */
async function isServerStill(processId: number, clusterDirectory: string): Promise<boolean> {
  return (await findRunningServer(clusterDirectory))?.processId === processId;
}
