/** `remesa ledger verify`: checks that no ledger was changed, as the job does. */
import type { Command } from 'commander';
import { instanceTenant, type TenantId } from '../ids.js';
import { LedgerSealer } from '../ledger/sealing/seal.js';
import { allLedgers, verifyLedger } from '../ledger/verify/verify.js';
import { clientIdsOf, getMerchant } from '../merchants/service.js';
import { owedBalances } from '../payments/owed/balances.js';
import type { Database } from '../postgres/database.js';
import { rowFaultsUnder } from '../startup/row-faults.js';
import { say, wakingOthers, withDatabase } from './command.js';

interface VerifyOptions {
  merchant?: string;
  fromStart?: boolean;
}

export function addLedgerCommands(program: Command): void {
  program
    .command('ledger')
    .description('check the ledgers')
    .command('verify')
    .description('check that no ledger was changed; exits with 1 if one was')
    .option('--merchant <clientId>', 'only the ledger of this merchant')
    .option('--from-start', 'check all journals, not only those since the last verification')
    .action(verify);
}

function verify({ merchant, fromStart = false }: VerifyOptions): Promise<void> {
  return withDatabase(async ({ database, vault }) => {
    const { rootKey } = vault;
    const context = { database, sealer: new LedgerSealer(rootKey), owedBalances, rowFaults: rowFaultsUnder(rootKey) };
    let [ledgers, journals, faulty] = [0, 0, 0];
    for await (const merchantId of merchantsOf(database, merchant)) {
      const report = await wakingOthers(database, () => verifyLedger(context, merchantId, { isFull: fromStart }));
      const name = report.faults.length > 0 ? await nameOf(database, merchantId) : '';
      for (const fault of report.faults) say(`  FAULT: ${name}: ${fault}`);
      ledgers += 1;
      journals += report.journals;
      faulty += Number(report.faults.length > 0);
    }
    say(`Ledger: ${journals} journals of ${ledgers} ledgers checked, ${faulty} ledgers with faults.`);
    if (faulty > 0) process.exitCode = 1;
  });
}

async function* merchantsOf(database: Database, clientId: string | undefined): AsyncGenerator<TenantId> {
  if (clientId === undefined) yield* allLedgers(database);
  else yield (await getMerchant(database, clientId)).merchantId;
}

async function nameOf(database: Database, merchantId: TenantId): Promise<string> {
  if (merchantId === instanceTenant) return 'the instance';
  const clientIds = await clientIdsOf(database, [merchantId]);
  return `merchant ${clientIds.get(merchantId) ?? merchantId}`;
}
