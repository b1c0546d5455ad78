/** The command line: declares the commands and runs the one that was called. */
import { Command } from 'commander';
import { startService } from './app.js';
import { auditRoom } from './audit/room.js';
import { addAuditCommands } from './commands/audit.js';
import { fail, say, withDatabase } from './commands/command.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addKeyCommands } from './commands/keys.js';
import { addMerchantCommands } from './commands/merchant.js';
import { addOperatorCommands } from './commands/operator.js';
import { addTokenCommand } from './commands/token.js';
import { readConfig } from './config/config.js';
import { createLog } from './log.js';
import { auditNames } from './startup/audit-names.js';
import { exitOnUnexpectedError, flushAndExit, serveUntilSignal } from './startup/serve.js';
import { welcome } from './startup/welcome.js';
import { version } from './version.js';

process.setSourceMapsEnabled(true);
// The service keeps running when the reader of its output ends (`npm start | head`).
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const program = new Command('remesa')
  .description('An open, self-hostable cross-border money-transfer service')
  .version(version)
  .showHelpAfterError();

program.command('serve').description('run the service (the default of npm start)').action(serve);
program
  .command('migrate')
  .description('create the database or bring it up to date, then exit')
  .action(migrateOnly);
program.command('verify').description('check that the audit log was not changed').action(verify);
addMerchantCommands(program);
addOperatorCommands(program);
addKeyCommands(program);
addTokenCommand(program);
addAuditCommands(program);
addDoctorCommand(program);

program.parseAsync().catch(fail);

async function serve(): Promise<void> {
  const config = readConfig();
  const sink = createLog({ level: config.logLevel });
  exitOnUnexpectedError(sink);
  const starting = startService(config, { log: sink.log, say, onDatabaseLost: () => flushAndExit(sink, 1) });
  serveUntilSignal(starting, sink, say);
  process.stdout.write(welcome({ version, url: (await starting).url, config }));
}

function migrateOnly(): Promise<void> {
  return withDatabase(async () => say('The database is up to date.'), { mayCreate: true });
}

/** Exits with 1 when the log was changed, and with 2 when a part of it could not be checked. */
function verify(): Promise<void> {
  return withDatabase(async ({ database, vault }, config) => {
    const { dataDirectory } = config;
    const audit = auditRoom({ database, rootKey: vault.rootKey, dataDirectory, names: auditNames });
    const { entries, heads, faults, unchecked } = await audit.verify();
    for (const fault of faults) say(`  FAULT: ${fault}`);
    for (const gap of unchecked) say(`  NOT CHECKED: ${gap}`);
    say(`Audit log: ${entries} entries, ${heads} signed heads, ${faults.length} faults.`);
    if (faults.length > 0) process.exitCode = 1;
    else if (unchecked.length > 0) process.exitCode = 2;
  });
}
