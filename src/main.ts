/** The command line: its commands, and what a person reads. */
import { createRequire } from 'node:module';
import { Command } from 'commander';
import { auditHeadFile, openDatabase, startService, UndoList } from './app.js';
import { verifyAudit } from './audit/verify.js';
import { readConfig } from './config.js';
import { StartupRefused } from './errors.js';
import { deriveSigningKey } from './keys.js';
import { createLog } from './log.js';
import { endOnUnforeseenError, serveUntilSignal } from './serve.js';
import { welcome } from './welcome.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

process.setSourceMapsEnabled(true);

const program = new Command('remesa')
  .description('An open, self-hostable cross-border money-transfer service')
  .version(version)
  .showHelpAfterError();

program.command('serve').description('run the service (the default of npm start)').action(serve);
program.command('migrate').description('bring the database up to date, then end').action(migrateOnly);
program.command('verify').description('check that nobody has touched the audit log').action(verify);

program.parseAsync().catch(refuse);

async function serve(): Promise<void> {
  const config = readConfig();
  const sink = createLog({ level: config.logLevel });
  endOnUnforeseenError(sink);
  const service = await startService(config, { log: sink.log, say });
  serveUntilSignal(service, sink, say);
  process.stdout.write(welcome({ version, url: service.url, config }));
}

async function migrateOnly(): Promise<void> {
  const undo = new UndoList();
  try {
    await openDatabase(readConfig(), { say }, undo);
    say('The database is up to date.');
  } finally {
    await undo.run();
  }
}

async function verify(): Promise<void> {
  const undo = new UndoList();
  try {
    const config = readConfig();
    const { database, masterKey } = await openDatabase(config, { say }, undo);
    const report = await verifyAudit(
      database,
      deriveSigningKey(masterKey, 'audit head'),
      auditHeadFile(config),
    );
    for (const fault of report.faults) say(`  FAULT: ${fault}`);
    say(
      `Audit log: ${report.entries} entries, ${report.heads} signed heads, ${report.faults.length} faults.`,
    );
    if (report.faults.length > 0) process.exitCode = 1;
  } finally {
    await undo.run();
  }
}

function refuse(error: unknown): void {
  const reason =
    error instanceof StartupRefused ? error.message : error instanceof Error ? error.stack : String(error);
  say(`Remesa did not start.\n${reason}`);
  process.exit(1);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
