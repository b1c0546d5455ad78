/**
 * A network of three database machines inside the namespace of the test: each machine is a network namespace with one
 * link to its peers (replication, etcd) and one to its clients (HAProxy). A link that is down drops packets silently,
 * as a cut cable does.
 */
import { execFileSync } from 'node:child_process';

export type Link = 'peers' | 'clients';

const subnets: Record<Link, string> = { peers: '10.77.1', clients: '10.77.2' };
/** The number of the test's own machine in both subnets: etcd, HAProxy, PgBouncer and the service run there. */
const ownNumber = 254;

export function addressOf(link: Link, machine: number = ownNumber): string {
  return `${subnets[link]}.${machine}`;
}

export function buildNetwork(machines: readonly number[]): void {
  ip('link set lo up');
  for (const link of ['peers', 'clients'] as const) {
    ip(`link add ${link} type bridge`);
    ip(`addr add ${addressOf(link)}/24 dev ${link}`);
    ip(`link set ${link} up`);
  }
  for (const machine of machines) addMachine(machine);
}

export function setLink(machine: number, link: Link, state: 'up' | 'down'): void {
  ip(`link set ${link}${machine} ${state}`);
}

/** Runs a program on a machine as the user postgres. The program keeps the process id of this command. */
export function commandOn(machine: number, command: readonly string[]): string[] {
  const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--no-new-privs'];
  return ['ip', 'netns', 'exec', nameOf(machine), ...user, ...command];
}

/** All processes of a machine, whoever started them. */
export function processesOf(machine: number): number[] {
  return ip(`netns pids ${nameOf(machine)}`)
    .split('\n')
    .filter(Boolean)
    .map(Number);
}

function addMachine(machine: number): void {
  const name = nameOf(machine);
  ip(`netns add ${name}`);
  ip(`-n ${name} link set lo up`);
  for (const link of ['peers', 'clients'] as const) {
    ip(`link add ${link}${machine} type veth peer name ${link} netns ${name}`);
    ip(`link set ${link}${machine} master ${link} up`);
    ip(`-n ${name} addr add ${addressOf(link, machine)}/24 dev ${link}`);
    ip(`-n ${name} link set ${link} up`);
  }
}

function nameOf(machine: number): string {
  return `db${machine}`;
}

function ip(command: string): string {
  return execFileSync('ip', command.split(' '), { encoding: 'utf8' });
}
