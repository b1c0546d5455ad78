/** Runs the command line and returns its two outputs and its exit code. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Command } from 'commander';
import { inject, vi } from 'vitest';
import { addEventCommands } from '../../src/commands/as-merchant/events.js';
import { addLogCommand } from '../../src/commands/as-merchant/logs.js';
import { addTokenCommand } from '../../src/commands/as-merchant/token.js';
import { addTriggerCommand } from '../../src/commands/as-merchant/trigger.js';
import { addAuditCommands } from '../../src/commands/audit.js';
import { addBackupCommand } from '../../src/commands/backup/backup.js';
import { addRestoreCommand } from '../../src/commands/backup/restore.js';
import { addCitusPlanCommand } from '../../src/commands/citus-plan.js';
import { fail } from '../../src/commands/command.js';
import { addCompletionCommand } from '../../src/commands/completion.js';
import { addConfigCommand } from '../../src/commands/config.js';
import { addDoctorCommand } from '../../src/commands/doctor.js';
import { addKeyCommands } from '../../src/commands/keys.js';
import { addLedgerCommands } from '../../src/commands/ledger.js';
import { addMerchantCommands } from '../../src/commands/merchant.js';
import { addOperatorCommands } from '../../src/commands/operator.js';
import { addScreeningCommands } from '../../src/commands/screening.js';
import { eventually } from '../harness/eventually.js';
import { nodeArguments, root } from '../harness/programs.js';

/** The program as `npm start` runs it. It loads three times slower than the bundle that the other tests start. */
export const builtProgram = join(root, 'dist', 'main.js');

/** Builds it if a source changed, as `bin/remesa` does. */
export function buildRemesa(): void {
  execFileSync(process.execPath, ['scripts/remesa.mjs', '--version'], { cwd: root, stdio: 'pipe' });
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

export async function remesa(environment: Environment, ...args: string[]): Promise<Outcome> {
  const child = start(environment, args);
  const output = outputOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output() };
}

class ProcessExit extends Error {
  constructor(readonly code: number) {
    super(`the process would exit with ${code}`);
  }
}

/** Runs the same commands inside this process, which saves a second each. */
export async function remesaHere(environment: Environment, ...args: string[]): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  // The test runner sets MODE and BASE_URL.
  const ownEnvironment = { MODE: '', BASE_URL: '', ...environment };
  for (const [name, value] of Object.entries(ownEnvironment)) vi.stubEnv(name, value);
  const spies = [
    ...(['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((text) => {
        texts[name] += text;
        return true;
      }),
    ),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new ProcessExit(Number(code ?? 0));
    }),
  ];
  try {
    const code = await exitCodeOf(args);
    return { code, ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}

async function exitCodeOf(args: readonly string[]): Promise<number> {
  const program = new Command('remesa').showHelpAfterError();
  addMerchantCommands(program);
  addOperatorCommands(program);
  addKeyCommands(program);
  addTokenCommand(program);
  addEventCommands(program);
  addTriggerCommand(program);
  addLogCommand(program);
  addAuditCommands(program);
  addLedgerCommands(program);
  addScreeningCommands(program);
  addDoctorCommand(program);
  addConfigCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addCitusPlanCommand(program);
  addCompletionCommand(program);
  try {
    await program.parseAsync(args, { from: 'user' }).catch(fail);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof ProcessExit) return error.code;
    throw error;
  } finally {
    // A command may set it. It would become the exit code of the test run.
    process.exitCode = undefined;
  }
}

export interface ServedRemesa {
  readonly url: string;
  readonly output: () => { stdout: string; stderr: string };
  stop(): Promise<number | null>;
}

export async function serveRemesa(environment: Environment, program?: string): Promise<ServedRemesa> {
  const child = start({ PORT: '0', ...environment }, ['serve'], program);
  const output = outputOf(child);
  const url = await eventually(() => /Listening on\s+(\S+)/.exec(output().stderr)?.[1], {
    withinMs: 60_000,
    what: `the service listening (${output().stderr})`,
  });
  return {
    url,
    output,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
  };
}

function start(environment: Environment, args: readonly string[], program?: string): ChildProcess {
  const run = program ? [program] : nodeArguments('src/main.ts', inject('programFolder'));
  return spawn(process.execPath, [...run, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function outputOf(child: ChildProcess): () => { stdout: string; stderr: string } {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (data) => {
      texts[name] += data;
    });
  }
  return () => ({ ...texts });
}
