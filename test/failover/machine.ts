/** One database machine: PostgreSQL under Patroni, and the harm that can be done to it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/eventually.js';
import { type Daemon, startDaemon } from './daemon.js';
import { writeExample } from './examples.js';
import { addressOf, commandOn, processesOf, setLink } from './network.js';

/** What Patroni reports about its own server. */
export interface MachineState {
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

export const superuserPassword = 'superuser-of-the-test';

export class Machine {
  readonly #folder: string;
  #patroni: Daemon | undefined;

  constructor(
    readonly number: number,
    folder: string,
  ) {
    this.#folder = join(folder, this.name);
    mkdirSync(this.#folder);
    execFileSync('chown', ['-R', 'postgres:postgres', this.#folder]);
    writeExample('patroni.yml', join(folder, `${this.name}.yml`), {
      'name: db1': `name: ${this.name}`,
      '10.0.0.1:': `${addressOf('peers', number)}:`,
      '10.0.0.9:': `${addressOf('peers')}:`,
      '10.0.0.0/24': '10.77.0.0/16',
      '/var/lib/postgresql/15/remesa': join(this.#folder, 'data'),
      '/var/lib/postgresql/patroni.pgpass': join(this.#folder, 'pgpass'),
      '/var/run/postgresql': this.#folder,
      'change-me-1': superuserPassword,
      'change-me-2': 'replicator-of-the-test',
      // A real watchdog would end the machine that runs this test.
      'mode: required': "mode: 'off'",
    });
  }

  get name(): string {
    return `db${this.number}`;
  }

  start(): void {
    const config = join(this.#folder, '..', `${this.name}.yml`);
    this.#patroni = startDaemon(
      join(this.#folder, '..'),
      `patroni-${this.name}`,
      commandOn(this.number, ['patroni', config]),
    );
  }

  /** Undefined while Patroni does not answer. */
  async state(): Promise<MachineState | undefined> {
    const url = `http://${addressOf('clients', this.number)}:8008/patroni`;
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    return (await response?.json().catch(() => undefined)) as MachineState | undefined;
  }

  /** As when the power fails: Patroni and every process of PostgreSQL end at once. */
  async kill(): Promise<void> {
    await eventually(
      () => {
        this.#signal('SIGKILL');
        return processesOf(this.number).length === 0;
      },
      { what: `the end of ${this.name}` },
    );
    await this.#patroni?.end('SIGKILL');
  }

  /** As when a virtual machine is paused: connections stay open, nobody answers. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  cut(...links: readonly ('peers' | 'clients')[]): void {
    for (const link of links) setLink(this.number, link, 'down');
  }

  reconnect(): void {
    for (const link of ['peers', 'clients'] as const) setLink(this.number, link, 'up');
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of processesOf(this.number)) sendSignal(pid, signal);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended between listing and signalling.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
