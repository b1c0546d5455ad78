/** Our bank accounts, as operators add them. */
import { type Answer, done } from '../harness/api.js';
import type { Remesa } from '../harness/remesa.js';

type Admin = Pick<Remesa, 'api' | 'admin'>;

/** Adds an account with these fields; the others are those of an account in the United States. */
export function newBankAccount({ api, admin }: Admin, fields: Record<string, unknown>): Promise<Answer> {
  const body = {
    ...{ currency: 'USD', holder: 'Remesa Inc.', bankName: 'Bank of Examples', country: 'US', number: '123456789' },
    ...{ uses: ['payin', 'payout'], profile: 'plain' },
    ...fields,
  };
  return api.post('/operator/bank/accounts', { token: admin, body });
}

/** Adds accounts that all merchants share, by their names in the ledger: `bank:MXN:mexico`. */
export async function openBankAccounts(running: Admin, ...accounts: string[]): Promise<void> {
  for (const account of accounts) {
    const [, currency, accountId] = account.split(':');
    done(await newBankAccount(running, { currency, accountId }));
  }
}
