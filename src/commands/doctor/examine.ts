/** Runs all checks that are possible. A check that fails is a finding, so the others still run. */
import type { Config } from '../../config/config.js';
import type { Database } from '../../postgres/database.js';
import { requireMigrated } from '../../postgres/migrate.js';
import { CleanupStack } from '../../startup/cleanup.js';
import { databaseAt, existingUrl } from '../../startup/open-database.js';
import { explainStartupFault } from '../../startup-faults.js';
import {
  checkClock,
  checkDistribution,
  checkDurability,
  checkInstance,
  checkLimits,
  checkListener,
  checkReplication,
  checkSending,
  checkServer,
} from './database-checks.js';
import { type Finding, fault, ok, type Result } from './finding.js';
import { checkDataDirectory, checkDisk, checkEncryption, checkSettings } from './node-checks.js';
import {
  checkCorridors,
  checkHeads,
  checkLicensee,
  checkLists,
  checkOperators,
  checkPayinAccounts,
  checkProxy,
} from './transfer-checks.js';
import { checkRates, checkWebhooks } from './work-checks.js';

type Check = readonly [name: string, run: () => Promise<Result> | Result];

/** Changes nothing. Starts the embedded database for as long as it needs it when no service runs. */
export async function examine(config: Config, say: (message: string) => void): Promise<Finding[]> {
  const ofThisNode = await runAll(config, [
    ['settings', () => checkSettings(config)],
    ['data directory', () => checkDataDirectory(config)],
    ['disk', () => checkDisk(config)],
    ['encryption', () => checkEncryption(config)],
    ['proxy', () => checkProxy(config)],
    ['lists', () => checkLists(config)],
    ['audit heads', () => checkHeads(config)],
  ]);
  const cleanup = new CleanupStack();
  try {
    const options = { say, useRunningServer: true };
    return [...ofThisNode, ...(await examineDatabase(config, await existingUrl(config, options, cleanup), cleanup))];
  } catch (error) {
    return [...ofThisNode, { check: 'database', ...unexpected(error, config) }];
  } finally {
    await cleanup.run();
  }
}

async function examineDatabase(config: Config, url: string, cleanup: CleanupStack): Promise<Finding[]> {
  const database = databaseAt(url, config);
  cleanup.add(() => database.close());
  const server = await runAll(config, [['database', () => checkServer(database)]]);
  if (server.some(({ verdict }) => verdict === 'fault')) return server;
  const schema = await runAll(config, [['migrations', () => checkMigrations(config.databaseDirectUrl ?? url)]]);
  const ofServer = await runAll(config, [
    ['clock', () => checkClock(database)],
    ['pooler', () => checkLimits(database)],
    ['durability', () => checkDurability(database, config)],
    ['replication', () => checkReplication(database, config)],
    ['wake-ups', () => checkListener(database)],
  ]);
  const isMigrated = schema.every(({ verdict }) => verdict === 'ok');
  return [...server, ...schema, ...ofServer, ...(isMigrated ? await examineWork(config, database) : [])];
}

function examineWork(config: Config, database: Database): Promise<Finding[]> {
  return runAll(config, [
    ['distribution', () => checkDistribution(database)],
    ['instance', () => checkInstance(database, config)],
    ['sending', () => checkSending(database, config)],
    ['rates', () => checkRates(database, config)],
    ['notifications', () => checkWebhooks(database)],
    ['licensee', () => checkLicensee(database, config)],
    ['corridors', () => checkCorridors(database)],
    ['accounts', () => checkPayinAccounts(database, config)],
    ['operators', () => checkOperators(database, config)],
  ]);
}

async function checkMigrations(url: string): Promise<Result> {
  if ((await requireMigrated(url)) === 'migrated') return ok('The schema is the one of this version.');
  return fault(
    'The database is empty.',
    'If it is the right one, start the service (./bin/remesa serve) or run ./bin/remesa migrate.',
  );
}

async function runAll(config: Config, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of checks) {
    try {
      findings.push({ check, ...(await run()) });
    } catch (error) {
      findings.push({ check, ...unexpected(error, config) });
    }
  }
  return findings;
}

/** The sentences for a failed start say what is wrong and what to do. */
function unexpected(error: unknown, config: Config): Result {
  const explained = explainStartupFault(error, config);
  const text = explained instanceof Error ? explained.message : String(explained);
  const [reason = text, ...fixes] = text.split(/(?<=\.) (?=[A-Z])/);
  return fault(
    reason,
    fixes.join(' ') ||
      'Read the log of the database. A start of the service with LOG_LEVEL=debug prints the stack trace.',
  );
}
