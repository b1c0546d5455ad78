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
  readonly chooseJobs: ((jobs: readonly Job[]) => readonly Job[]) | undefined;
  readonly log: Log;
  readonly cleanup: CleanupStack;
}

export interface RunningJobs {
  readonly worker: Worker;
  readonly wakeUp: WakeUp;
}

export function runJobs(options: RunJobsOptions): RunningJobs {
  const { database, rooms, runsJobs, chooseJobs, log, cleanup } = options;
  const all = runsJobs ? rooms.flatMap((room) => room.jobs) : [];
  const jobs = chooseJobs?.(all) ?? all;
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
  // Jobs that began before would all have to run twice, because they could have missed a wake-up.
  void wakeUp.listen([...reactions.keys(), ...jobs.map((job) => job.name)]).then(() => worker.start());
  return { worker, wakeUp };
}
