/** `remesa verify`, and the verification of log and ledgers for other commands, with progress. */
import type { Command } from 'commander';
import { type NamedReport, verifyChanges } from '../changes/room.js';
import { systemClock } from '../clock.js';
import type { Config } from '../config/config.js';
import type { TenantId } from '../ids.js';
import { LedgerSealer } from '../ledger/sealing/seal.js';
import { countToVerify, type LedgerReport, verifyLedger } from '../ledger/verify/verify.js';
import { owedBalances } from '../payments/owed/balances.js';
import type { OpenedDatabase } from '../startup/open-database.js';
import { rememberedRows, rowFaultsUnder } from '../startup/row-faults.js';
import { auditNames } from './audit.js';
import { say, wakingOthers, withDatabase } from './command.js';
import { PartsProgress, withProgress } from './progress.js';

export function addVerifyCommand(program: Command): void {
  program.command('verify').description('check that the audit log was not changed').action(verify);
}

/**
 * Exits with 1 when the log was changed, with 3 when its newest part is missing, and with 2 when a part of it could not
 * be checked.
 */
function verify(): Promise<void> {
  return withDatabase(async (opened, config) => {
    const { entries, chains, heads, faults, losses, unchecked } = await verifyLog(opened, config);
    for (const fault of faults) say(`  FAULT: ${fault}`);
    for (const loss of losses) say(`  LOST: ${loss}`);
    for (const gap of unchecked) say(`  NOT CHECKED: ${gap}`);
    say(
      `Audit log: ${entries} entries in ${chains} chains, ${heads} signed heads, ${losses.length} losses, ${faults.length} faults.`,
    );
    if (faults.length > 0) process.exitCode = 1;
    else if (losses.length > 0) process.exitCode = 3;
    else if (unchecked.length > 0) process.exitCode = 2;
  });
}

export async function verifyLog({ database, vault }: OpenedDatabase, { dataDirectory }: Config): Promise<NamedReport> {
  const shown = new PartsProgress({ heads: 'Signed heads', entries: 'Entries', rows: 'Records, by merchant' });
  const options = { database, rootKey: vault.rootKey, dataDirectory, names: auditNames, clock: systemClock };
  return verifyChanges({ ...options, rows: rememberedRows, onVerified: shown.at }).finally(() => shown.end());
}

/** Calls back with the report of each ledger. A fault stops the merchant's money at once, also in running services. */
export async function verifyLedgers(
  { database, vault }: OpenedDatabase,
  merchants: readonly TenantId[],
  extent: { readonly isFull: boolean },
  onReport: (report: LedgerReport) => void | Promise<void>,
): Promise<void> {
  const { rootKey } = vault;
  const context = { database, sealer: new LedgerSealer(rootKey), owedBalances, rowFaults: rowFaultsUnder(rootKey) };
  await withProgress('Changes', await countToVerify(database, merchants, extent), async (progress) => {
    const onChecked = (changes: number) => progress.add(changes);
    for (const merchant of merchants)
      await onReport(await wakingOthers(database, () => verifyLedger({ ...context, onChecked }, merchant, extent)));
  });
}
