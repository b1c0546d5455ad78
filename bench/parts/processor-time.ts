/**
 * The processor time of this process and of the database's processes that serve it. It stands still while other
 * programs run.
 */
import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** Linux counts in hundredths of a second. */
const msPerTick = 10;

export interface ProcessorMs {
  readonly here: number;
  /** Zero where the system does not tell. */
  readonly server: number;
}

/** Adds up what each process of the server has used, also of those that end. */
export class ProcessorWatch {
  readonly #ticks = new Map<number, number>();
  #server = 0;

  constructor(readonly sql: pg.Client) {}

  /** Since the first call. */
  async read(): Promise<ProcessorMs> {
    const { rows } = await this.sql.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'remesa%'`,
    );
    for (const { pid } of rows as { pid: number }[]) {
      const ticks = ticksOf(pid);
      this.#server += (ticks - (this.#ticks.get(pid) ?? ticks)) * msPerTick;
      this.#ticks.set(pid, ticks);
    }
    const { user, system } = process.cpuUsage();
    return { here: (user + system) / 1000, server: this.#server };
  }
}

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}
