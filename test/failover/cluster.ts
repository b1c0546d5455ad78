/** Three machines under Patroni with synchronous replication, etcd, and HAProxy in front of the primary. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/eventually.js';
import { endDaemons, startDaemon } from './daemon.js';
import { writeExample } from './examples.js';
import { Machine } from './machine.js';
import { addressOf, buildNetwork } from './network.js';

interface Member {
  readonly name: string;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  /** Absent until a standby streams. */
  readonly timeline?: number;
}

const numbers = [1, 2, 3];

export class Cluster {
  readonly folder = process.env.FAILOVER_FOLDER ?? '';
  readonly machines: readonly Machine[];

  constructor() {
    chmodSync(this.folder, 0o755);
    buildNetwork(numbers);
    this.machines = numbers.map((number) => new Machine(number, this.folder));
  }

  async start(): Promise<void> {
    this.#startEtcd();
    this.#startHaproxy();
    for (const machine of this.machines) machine.start();
    await this.untilWhole();
  }

  async stop(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.kill()));
    await endDaemons();
  }

  /** Undefined while no machine is primary. A machine that is not asked counts as none. */
  async primary(except?: Machine): Promise<Machine | undefined> {
    const asked = this.machines.filter((machine) => machine !== except);
    const states = await Promise.all(asked.map((machine) => machine.state()));
    return asked.find((_, index) => isPrimary(states[index]?.role) && states[index]?.state === 'running');
  }

  /** All three serve again: a primary, its synchronous standby, and a third that streams. */
  async untilWhole(): Promise<Machine> {
    return await eventually(
      async () => {
        const members = await this.members();
        const roles = members.map(({ role }) => role).sort();
        const timelines = new Set(members.map(({ timeline }) => timeline));
        const isWhole = roles.join() === 'leader,replica,sync_standby' && timelines.size === 1;
        return isWhole && !timelines.has(undefined) ? await this.primary() : undefined;
      },
      { withinMs: 180_000, everyMs: 250, what: 'three healthy machines' },
    );
  }

  async members(): Promise<readonly Member[]> {
    for (const machine of this.machines) {
      const url = `http://${addressOf('clients', machine.number)}:8008/cluster`;
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
      const body = (await response?.json().catch(() => undefined)) as { members?: Member[] } | undefined;
      if (body?.members) return body.members;
    }
    return [];
  }

  /** Asks Patroni for an orderly change of the primary. */
  async switchOver(primary: Machine): Promise<void> {
    const url = `http://${addressOf('clients', primary.number)}:8008/switchover`;
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader: primary.name }) });
    if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`);
  }

  #startEtcd(): void {
    const client = `http://${addressOf('peers')}:2379`;
    const peer = `http://${addressOf('peers')}:2380`;
    const options = {
      name: 'etcd',
      'data-dir': join(this.folder, 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `etcd=${peer}`,
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    startDaemon(this.folder, 'etcd', ['etcd', '--enable-v2', ...args]);
  }

  #startHaproxy(): void {
    const config = writeExample('haproxy.cfg', join(this.folder, 'haproxy.cfg'), {
      '10.0.0.1:': `${addressOf('clients', 1)}:`,
      '10.0.0.2:': `${addressOf('clients', 2)}:`,
      '10.0.0.3:': `${addressOf('clients', 3)}:`,
    });
    startDaemon(this.folder, 'haproxy', ['haproxy', '-f', config, '-db']);
  }
}

function isPrimary(role: string | undefined): boolean {
  return role === 'master' || role === 'primary';
}
