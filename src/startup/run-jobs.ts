/** Starts the worker of this process and connects it to the wake-ups of all processes. */
import type { Log } from '../log.js';
import type { Database } from '../postgres/database.js';
import { WakeUp } from '../worker/wake-up.js';
import { type Job, Worker } from '../worker/worker.js';
import type { CleanupStack } from './cleanup.js';
import type { Room } from './room.js';

export interface RunJobsOptions {
  readonly database: Database;
  readonly rooms: readonly Room[];
  /** False in a process that only serves requests. It still reacts to changes that other processes announce. */
  readonly runsJobs: boolean;
  readonly log: Log;
  readonly cleanup: CleanupStack;
}

export interface RunningJobs {
  readonly worker: Worker;
  readonly wakeUp: WakeUp;
}

export function runJobs({ database, rooms, runsJobs, log, cleanup }: RunJobsOptions): RunningJobs {
  const jobs = runsJobs ? jobsOf(rooms) : [];
  const worker = new Worker(jobs, log);
  const reactions = new Map(rooms.flatMap((room) => Object.entries(room.onWake ?? {})));
  const wake = (name: string) => {
    const react = reactions.get(name);
    if (react) react();
    else worker.wake(name);
  };
  const wakeUp = new WakeUp({ database, log, wake });
  database.onWake = (names) => wakeUp.send(names);
  cleanup.add(() => wakeUp.close());
  cleanup.add(() => worker.stop());
  wakeUp.listen([...reactions.keys(), ...jobs.map((job) => job.name)]);
  worker.start();
  return { worker, wakeUp };
}

/** Of jobs with the same name the last one counts, so that tests can replace a job. */
function jobsOf(rooms: readonly Room[]): Job[] {
  return [...new Map(rooms.flatMap((room) => room.jobs).map((job) => [job.name, job])).values()];
}
