/** `remesa ledger verify`: checks that no ledger was changed, as the job does. */
import type { Command } from 'commander';
import { instanceTenant, type TenantId } from '../ids.js';
import { allLedgers } from '../ledger/verify/verify.js';
import { clientIdsOf, getMerchant } from '../merchants/service.js';
import type { Database } from '../postgres/database.js';
import { say, withDatabase } from './command.js';
import { verifyLedgers } from './verification.js';

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
  return withDatabase(async (opened) => {
    const { database } = opened;
    const merchants = await merchantsOf(database, merchant);
    let [journals, faulty] = [0, 0];
    await verifyLedgers(opened, merchants, { isFull: fromStart }, async (report) => {
      const name = report.faults.length > 0 ? await nameOf(database, report.merchantId) : '';
      for (const fault of report.faults) say(`  FAULT: ${name}: ${fault}`);
      journals += report.journals;
      faulty += Number(report.faults.length > 0);
    });
    say(`Ledger: ${journals} journals of ${merchants.length} ledgers checked, ${faulty} ledgers with faults.`);
    if (faulty > 0) process.exitCode = 1;
  });
}

async function merchantsOf(database: Database, clientId: string | undefined): Promise<TenantId[]> {
  if (clientId !== undefined) return [(await getMerchant(database, clientId)).merchantId];
  return allLedgers(database);
}

async function nameOf(database: Database, merchantId: TenantId): Promise<string> {
  if (merchantId === instanceTenant) return 'the instance';
  const clientIds = await clientIdsOf(database, [merchantId]);
  return `merchant ${clientIds.get(merchantId) ?? merchantId}`;
}
