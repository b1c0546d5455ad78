/** Builds the bank: our accounts at banks, and what the banks say about them. */
import type { FindPending } from '../http/four-eyes.js';
import { bankAccountRoutes } from './accounts/routes.js';
import { BankAccountService } from './accounts/service.js';

export interface BankRoomOptions {
  readonly mode: 'sandbox' | 'live';
  readonly findPending: FindPending;
}

export function bankRoom({ mode, findPending }: BankRoomOptions) {
  const accounts = new BankAccountService({ hasSimulated: mode === 'sandbox' });
  return { accounts, routes: bankAccountRoutes(accounts, findPending), jobs: [] };
}
