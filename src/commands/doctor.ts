/** `remesa doctor`: says what is wrong with this installation, and how to fix it. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.js';
import { StartupRefused } from '../errors.js';
import { print, say } from './command.js';
import { examine } from './doctor/examine.js';
import { exitCodeOf, type Finding, lineOf } from './doctor/finding.js';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, replication, wake-ups, rates; say what to fix')
    .option('--json', 'print the findings as JSON')
    .action(diagnose);
}

/** Ends with 1 when there is a fault, and with 2 when there are warnings only. */
async function diagnose({ json }: { json?: boolean }): Promise<void> {
  const findings = await findAll();
  if (json) print(findings);
  else for (const finding of findings) print(lineOf(finding));
  process.exitCode = exitCodeOf(findings);
}

async function findAll(): Promise<Finding[]> {
  try {
    return await examine(readConfig(), say);
  } catch (error) {
    if (!(error instanceof StartupRefused)) throw error;
    return [
      {
        check: 'settings',
        verdict: 'fault',
        reason: error.message,
        fix: 'Correct them, then run this again.',
      },
    ];
  }
}
