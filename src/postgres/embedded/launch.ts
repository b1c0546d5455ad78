/** Launches the server of a database as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { StartupRefused } from '../../errors.js';
import { serverSentence } from '../../startup-faults.js';
import type { ServerBinaries } from './binaries.js';
import { cleanEnvironment, giveOwnership, type RunAs } from './run-as.js';

/** A database that exists and whose server this user may run. */
export interface Cluster {
  readonly dataDirectory: string;
  readonly directory: string;
  readonly password: string;
  readonly binaries: ServerBinaries;
  readonly settings: Readonly<Record<string, string>>;
  readonly runAs: RunAs;
}

export interface Launch {
  /** False when the server has ended and another launch may succeed. Throws `StartupRefused` when none will. */
  isUnderWay(): Promise<boolean>;
}

/** Another program took the port, another service was faster, or the previous server has not ended completely. */
const temporaryFailure = /Address already in use|lock file ".*" already exists|pre-existing shared memory block/;

export async function launchServer(cluster: Cluster): Promise<Launch> {
  const { dataDirectory, directory, binaries, settings, runAs } = cluster;
  await giveOwnership(runAs, directory);
  const logFile = join(dataDirectory, 'postgres.log');
  const log = await open(logFile, 'a', 0o600);
  const { size } = await log.stat();
  const options = Object.entries({ ...serverSettings, port: await freePort(), ...settings });
  const args = ['-D', directory, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const [program = '', ...rest] = [...runAs.prefix, binaries.postgres, ...args];
  const child = spawn(program, rest, {
    ...runAs.identity,
    env: cleanEnvironment,
    cwd: '/',
    // A session of its own: Ctrl-C in our terminal does not reach it, and it outlives our process.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.once('error', () => undefined);
  child.unref();
  await log.close();
  return {
    async isUnderWay() {
      if (child.exitCode === null && child.signalCode === null) return true;
      const output = (await readFile(logFile)).subarray(size).toString().trim();
      if (temporaryFailure.test(output)) return false;
      const reason = serverSentence(output, dataDirectory) ?? 'PostgreSQL did not start.';
      throw new StartupRefused(`${reason} It has written to ${logFile}:\n${output.slice(-4_000)}`);
    },
  };
}

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  logging_collector: 'off',
  log_destination: 'stderr',
  // Details, statements and parameters carry personal data; the log must not.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  client_connection_check_interval: '1s',
};

/**
 * Returns a port that is free now. If another program takes it before PostgreSQL does, the next launch uses another.
 */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
