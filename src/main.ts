/** The command line: declares the commands and runs the one that was called. */
import { Command } from 'commander';
import { addEventCommands } from './commands/as-merchant/events.js';
import { addListenCommand } from './commands/as-merchant/listen.js';
import { addLogCommand } from './commands/as-merchant/logs.js';
import { addTokenCommand } from './commands/as-merchant/token.js';
import { addTriggerCommand } from './commands/as-merchant/trigger.js';
import { addAuditCommands } from './commands/audit.js';
import { addBackupCommand } from './commands/backup/backup.js';
import { addRestoreCommand } from './commands/backup/restore.js';
import { addCitusPlanCommand } from './commands/citus-plan.js';
import { fail, say, withDatabase } from './commands/command.js';
import { addCompletionCommand } from './commands/completion.js';
import { addConfigCommand } from './commands/config.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addHealthcheckCommand } from './commands/healthcheck.js';
import { addKeyCommands } from './commands/keys.js';
import { addLedgerCommands } from './commands/ledger.js';
import { addMcpCommand } from './commands/mcp/mcp.js';
import { addMerchantCommands } from './commands/merchant.js';
import { addOperatorCommands } from './commands/operator.js';
import { withProgress } from './commands/progress.js';
import { addScreeningCommands } from './commands/screening.js';
import { addSendingCommands } from './commands/sending.js';
import { addVerifyCommand } from './commands/verification.js';
import { readConfig, readSettingsFrom } from './config/config.js';
import { createLog } from './log.js';
import { readMigrations } from './postgres/migrate.js';
import { exitOnUnexpectedError, flushAndExit, serveUntilSignal } from './startup/serve.js';
import { welcome } from './startup/welcome.js';
import { version } from './version.js';

process.setSourceMapsEnabled(true);
// The service keeps running when the reader of its output ends (`npm start | head`).
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const program = new Command('remesa')
  .description('An open, self-hostable cross-border money-transfer service')
  .version(version)
  .option('--settings <path>', 'the file with the settings, instead of .env in the current folder', readSettingsFrom)
  .showHelpAfterError();

program.command('serve').description('run the service (the default of npm start)').action(serve);
program.command('migrate').description('create the database or bring it up to date, then exit').action(migrateOnly);
addVerifyCommand(program);
addMerchantCommands(program);
addOperatorCommands(program);
addKeyCommands(program);
addTokenCommand(program);
addListenCommand(program);
addEventCommands(program);
addTriggerCommand(program);
addLogCommand(program);
addMcpCommand(program);
addAuditCommands(program);
addLedgerCommands(program);
addScreeningCommands(program);
addDoctorCommand(program);
addConfigCommand(program);
addBackupCommand(program);
addRestoreCommand(program);
addHealthcheckCommand(program);
addSendingCommands(program);
addCitusPlanCommand(program);
addCompletionCommand(program);

program.parseAsync().catch(fail);

async function serve(): Promise<void> {
  const config = readConfig();
  const sink = createLog({ level: config.logLevel });
  exitOnUnexpectedError(sink);
  // Loaded here, so that the other commands start without the whole service.
  const { startService } = await import('./app.js');
  const starting = startService(config, { log: sink.log, say, onDatabaseLost: () => flushAndExit(sink, 1) });
  serveUntilSignal(starting, sink, say);
  const { url, operatorUrl } = await starting;
  const { mode, role } = config;
  sink.log.info({ version, mode, role, url, operatorUrl }, 'service started');
  process.stderr.write(welcome({ version, url, operatorUrl, config }));
}

function migrateOnly(): Promise<void> {
  return withProgress('Migrations', readMigrations().length, (progress) =>
    withDatabase(async () => {}, { mayCreate: true, onMigrating: (done) => progress.at(done) }),
  ).then(() => say('The database is up to date.'));
}
