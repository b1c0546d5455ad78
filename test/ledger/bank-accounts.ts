/** Bank accounts that operators pay from. */
import type { Remesa } from '../harness/remesa.js';

/** As after a first booking: `bank:MXN:mexico` is in the books of acme. */
export async function openBankAccounts({ sql, acme }: Pick<Remesa, 'sql' | 'acme'>, ...accounts: string[]) {
  for (const account of accounts)
    await sql.query(
      'INSERT INTO ledger_accounts (merchant_id, account) VALUES ($1, $2) ON CONFLICT (merchant_id, account) DO NOTHING',
      [acme.merchant, account],
    );
}
