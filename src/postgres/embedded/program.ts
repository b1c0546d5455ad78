import { type ChildProcess, execFile, spawn } from 'node:child_process';
import type { WayToRun } from './way-to-run.js';

/** Not our own environment: it holds the service's secrets, and PG… variables that would change the server. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface Outcome {
  readonly output: string;
  /** What went wrong, in words; undefined when the program ended well. */
  readonly failure: string | undefined;
}

/** Runs a program to its end. */
export function attempt(
  file: string,
  args: readonly string[],
  identity: { readonly uid?: number; readonly gid?: number } = {},
  timeout = 10_000,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const finished = (error: Error | null, stdout: string, stderr: string) => {
      const output = `${stdout}${stderr}`.trim();
      const said = stderr.trim() || error?.message.trim();
      resolve({ output, failure: error === null ? undefined : said });
    };
    try {
      execFile(file, [...args], { ...identity, env: ENVIRONMENT, cwd: '/', timeout }, finished);
    } catch (error) {
      finished(error as Error, '', '');
    }
  });
}

export function attemptAs(
  way: WayToRun,
  program: string,
  args: readonly string[],
  timeout: number,
): Promise<Outcome> {
  const command = way.command(program, args);
  return attempt(command.file, command.args, way.identity, timeout);
}

/** Starts a program in a session of its own: Ctrl-C in our terminal does not reach it, and it outlives us. */
export function launchDetached(
  way: WayToRun,
  program: string,
  args: readonly string[],
  output: number,
): ChildProcess {
  const command = way.command(program, args);
  const child = spawn(command.file, [...command.args], {
    ...way.identity,
    env: ENVIRONMENT,
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.unref();
  return child;
}
