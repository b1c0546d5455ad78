/** Runs the programs of PostgreSQL with a clean environment. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { RunMode } from './run-mode.js';

/** Our own environment is not passed on: it has the service's secrets, and PG… variables would change the server. */
const childEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface Outcome {
  readonly output: string;
  /** The error message, or undefined when the program succeeded. */
  readonly failure: string | undefined;
}

/** Runs a program to its end. Never throws. */
export function attempt(
  file: string,
  args: readonly string[],
  identity: { readonly uid?: number; readonly gid?: number } = {},
  timeout = 10_000,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const finished = (error: Error | null, stdout: string, stderr: string) => {
      const output = `${stdout}${stderr}`.trim();
      const message = stderr.trim() || error?.message.trim();
      resolve({ output, failure: error === null ? undefined : message });
    };
    try {
      execFile(file, [...args], { ...identity, env: childEnvironment, cwd: '/', timeout }, finished);
    } catch (error) {
      finished(error as Error, '', '');
    }
  });
}

export function attemptAs(
  runMode: RunMode,
  program: string,
  args: readonly string[],
  timeout: number,
): Promise<Outcome> {
  const command = runMode.command(program, args);
  return attempt(command.file, command.args, runMode.identity, timeout);
}

/** Starts a program in a session of its own: Ctrl-C in our terminal does not reach it, and it survives our end. */
export function launchDetached(
  runMode: RunMode,
  program: string,
  args: readonly string[],
  output: number,
): ChildProcess {
  const command = runMode.command(program, args);
  const child = spawn(command.file, [...command.args], {
    ...runMode.identity,
    env: childEnvironment,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  return child;
}
