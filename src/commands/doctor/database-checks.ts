/** Checks of the database server: what it guarantees, and whether it is reached the way the settings say. */
import { systemClock } from '../../clock.js';
import type { Config } from '../../config/config.js';
import { findMasterKey } from '../../keys/master-key.js';
import { KeyVault } from '../../keys/vault.js';
import { isDistributed, readTables } from '../../postgres/citus/catalogue.js';
import { misplaced } from '../../postgres/citus/plan.js';
import type { Database } from '../../postgres/database.js';
import { confirmInstance, isInitialised } from '../../postgres/instance.js';
import {
  limitsAdvice,
  missingLimits,
  replicationFault,
  replicationState,
  serverFacts,
  unsafeSettings,
} from '../../postgres/server-checks.js';
import { heldSending } from '../../startup/sending.js';
import { receivesNotifications } from '../../worker/listen-check.js';
import { fault, ok, type Result, warning } from './finding.js';

const tolerableSkewSeconds = 2;
const worstSkewSeconds = 60;

export async function checkServer(database: Database): Promise<Result> {
  return ok(`PostgreSQL ${(await serverFacts(database)).version} answers, and it is the primary.`);
}

/** The clock of this machine decides when tokens end; that of the database decides everything else. */
export async function checkClock(database: Database): Promise<Result> {
  const askedAt = systemClock.now().getTime();
  const { now } = await serverFacts(database);
  const skew = Math.abs(now.getTime() - (askedAt + systemClock.now().getTime()) / 2) / 1000;
  const reason = `This machine and the database differ by ${skew.toFixed(1)} s.`;
  if (skew > worstSkewSeconds) return fault(reason, 'Run a time service (NTP) on both machines.');
  return skew > tolerableSkewSeconds ? warning(reason, 'Run a time service (NTP) on both machines.') : ok(reason);
}

export async function checkInstance(database: Database, config: Config): Promise<Result> {
  if (!(await isInitialised(database)))
    return warning('The service was never started on this database.', 'Start it: ./bin/remesa serve.');
  await confirmInstance(database, config.mode);
  await KeyVault.open(database, { current: findMasterKey(config), previous: config.previousMasterKey });
  return ok(`The database is a ${config.mode} instance of this master key.`);
}

/** A restored copy must not send what the instance has sent already. */
export async function checkSending(database: Database, { baseUrl }: Config): Promise<Result> {
  if (!(await isInitialised(database))) return ok('Nothing was sent yet.');
  if (!(await heldSending(database, baseUrl))) return ok('Notifications and payments may leave from here.');
  return warning(
    'Sending is held, by hand or because this is a copy or another BASE_URL.',
    'If nobody else serves this instance: ./bin/remesa sending allow (docs/running.md#a-copy-sends-nothing).',
  );
}

export async function checkLimits(database: Database): Promise<Result> {
  const missing = await missingLimits(database);
  if (missing.length === 0) return ok('The time limits of statements are in force.');
  return fault('Statements have no time limits: a pooler does not pass them on.', limitsAdvice(missing));
}

export async function checkDurability(database: Database, { mode }: Config): Promise<Result> {
  const unsafe = await unsafeSettings(database);
  if (unsafe.length === 0) return ok('A power cut loses no committed transaction.');
  const judge = mode === 'live' ? fault : warning;
  return judge(`A power cut or a failover can lose committed transactions: ${unsafe.join(', ')}.`, 'Set them to on.');
}

export async function checkReplication(database: Database, config: Config): Promise<Result> {
  const state = await replicationState(database);
  const missing = replicationFault(state);
  if (config.databaseReplication === 'none') {
    if (missing !== undefined)
      return ok('DATABASE_REPLICATION=none: the loss of the database machine can lose transactions.');
    return warning(
      'COMMIT waits for a standby, but DATABASE_REPLICATION is none, so its loss is not noticed.',
      'Set DATABASE_REPLICATION=synchronous.',
    );
  }
  if (missing !== undefined)
    return fault(
      `A failover can lose transactions: ${missing}.`,
      'Start the standby, or correct synchronous_mode in Patroni (docs/scaling.md).',
    );
  if (!state.canSeeStandbys)
    return warning(
      'COMMIT waits for a standby. This role cannot see whether one is connected.',
      'Let a superuser run GRANT pg_read_all_stats for the role of DATABASE_URL.',
    );
  return ok(`COMMIT waits for a standby; ${state.synchronousStandbys} connected.`);
}

export async function checkDistribution(database: Database): Promise<Result> {
  if (!(await isDistributed(database))) return ok('All merchants are on one database machine.');
  const missing = misplaced(await readTables(database)).map(({ name }) => name);
  if (missing.length === 0) return ok('Citus spreads the merchants over its machines.');
  return fault(
    `Citus spreads the merchants, but these tables are not in their places: ${missing.join(', ')}.`,
    'Stop the service, run the SQL of ./bin/remesa citus-plan on the coordinator, and start it again.',
  );
}

export async function checkListener(database: Database): Promise<Result> {
  if (await receivesNotifications(database)) return ok('Wake-ups arrive.');
  return fault(
    'Wake-ups do not arrive, so jobs run by their timers only.',
    'Set DATABASE_DIRECT_URL to the server itself: a pooler in transaction mode does not pass on LISTEN.',
  );
}
