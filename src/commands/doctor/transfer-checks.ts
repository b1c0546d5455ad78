/** Checks of what a first transfer needs besides a running service: lists, corridors, accounts, and people. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../clock.js';
import type { Config } from '../../config/config.js';
import { findLicensee } from '../../licensee/service.js';
import { listOperators } from '../../operators/service.js';
import { PayinAccountService } from '../../payments/accounts/service.js';
import type { Database } from '../../postgres/database.js';
import { listCorridors } from '../../rates/operator/corridor-service.js';
import { ListFault } from '../../screening/lists/list-fault.js';
import type { ListSource } from '../../screening/loading/list-source.js';
import { readList } from '../../screening/loading/read-list.js';
import { fault, ok, type Result, warning } from './finding.js';

const dayMs = 86_400_000;

/** Without complete and recent lists nobody is cleared, so nobody is paid. */
export async function checkLists({ mode, screeningLists, screeningListMaxAgeDays }: Config): Promise<Result> {
  if (screeningLists.length === 0 && mode === 'sandbox') return ok('People are compared with the list of the sandbox.');
  if (screeningLists.length === 0)
    return fault('No screening list is configured, so nobody is paid.', 'Set SCREENING_LISTS (docs/screening.md).');
  const found = await Promise.all(screeningLists.map((source) => faultOf(source, screeningListMaxAgeDays)));
  const faults = found.flatMap((text) => text ?? []);
  if (faults.length === 0) return ok(`Lists are complete and recent: ${screeningLists.map(({ name }) => name)}.`);
  return fault(`Nobody is paid: ${faults.join(' ')}`, 'Download the lists again (docs/screening.md).');
}

async function faultOf(source: ListSource, maxAgeDays: number): Promise<string | undefined> {
  try {
    const { writtenAt } = await readList(source);
    const days = Math.floor((systemClock.now().getTime() - writtenAt) / dayMs);
    return days >= maxAgeDays ? `The list ${source.name} is ${days} days old.` : undefined;
  } catch (error) {
    if (error instanceof ListFault) return `The list ${source.name} cannot be used: ${error.message}`;
    throw error;
  }
}

export async function checkCorridors(database: Database): Promise<Result> {
  const open = (await listCorridors(database)).filter(({ isOpen }) => isOpen);
  if (open.length > 0) return ok(`${open.length} corridors are open.`);
  return fault('All corridors are closed, so there are no quotes.', 'Open one (docs/operating.md#corridors).');
}

export async function checkPayinAccounts(database: Database, { mode }: Config): Promise<Result> {
  if (mode === 'sandbox') return ok('Every currency can be paid in: accounts are simulated.');
  const accounts = await new PayinAccountService({ hasSimulated: false }).list(database);
  const paid = new Set(accounts.flatMap(({ account }) => (account.isEnabled ? account.currency : [])));
  const open = (await listCorridors(database)).filter(({ isOpen }) => isOpen);
  const missing = [...new Set(open.map(({ fiatIn }) => fiatIn))].filter((currency) => !paid.has(currency));
  if (paid.size > 0 && missing.length === 0) return ok(`Senders can pay in ${[...paid].sort().join(', ')}.`);
  const what = paid.size === 0 ? 'any currency' : missing.sort().join(', ');
  return fault(`No pay-in account takes ${what}.`, 'Create one: POST /operator/payin-accounts (docs/payments.md).');
}

/** Customers must be told who moves their money and who supervises it. */
export async function checkLicensee(database: Database, { mode }: Config): Promise<Result> {
  if (mode === 'sandbox') return ok('A sandbox names a made-up licensee.');
  const stored = await findLicensee(database);
  if (stored) return ok(`The licensee is ${stored.licensee.legalName}.`);
  return fault(
    'Nobody has entered who holds the licence, so no order is taken.',
    'Enter it: PUT /operator/licensee (docs/compliance.md#the-licensee).',
  );
}

/** An action of an admin that needs a second person needs two admins. */
export async function checkOperators(database: Database, { mode, fourEyes }: Config): Promise<Result> {
  const operators = (await listOperators(database)).filter(({ status }) => status === 'active');
  const admins = operators.filter(({ role }) => role === 'admin').length;
  if (mode === 'sandbox' && operators.length === 0) return ok('A sandbox can be tried without operators.');
  if (operators.length === 0)
    return fault('There is no operator.', 'Create the first one: ./bin/remesa operator create (docs/operating.md).');
  if (fourEyes.actions.size > 0 && admins < 2)
    return fault(
      `FOUR_EYES asks for a second person, and there ${admins === 1 ? 'is one admin' : 'is no admin'}: no request that needs an admin can be approved.`,
      'Create another admin: ./bin/remesa operator create.',
    );
  return ok(`${operators.length} operators, ${admins} of them admins.`);
}

/** The service speaks plain HTTP: in live somebody else speaks TLS in front of it. */
export function checkProxy({ mode, trustProxy, baseUrl }: Config): Result {
  const isBehindProxy = mode === 'live' && baseUrl?.startsWith('https:');
  if (!isBehindProxy || trustProxy) return ok('Addresses of callers are known.');
  return warning(
    'TRUST_PROXY is not set, so behind your proxy all callers have one address, and share its limits.',
    'Set TRUST_PROXY=true if only your proxy reaches this port.',
  );
}

/** The heads outside the database are what shows that somebody has rewritten it. */
export async function checkHeads({ mode, role, dataDirectory }: Config): Promise<Result> {
  if (role === 'api') return ok('Heads of the audit log are written by the process that runs jobs.');
  const isThere = await access(join(dataDirectory, 'audit-heads.jsonl')).then(
    () => true,
    () => false,
  );
  if (isThere || mode === 'sandbox') return ok('Heads of the audit log are kept outside the database.');
  return warning(
    `${dataDirectory} has no audit-heads.jsonl, so a rewritten audit log would not be noticed.`,
    'Start the service with this DATA_DIR, or restore the file from a backup, and keep the folder.',
  );
}
