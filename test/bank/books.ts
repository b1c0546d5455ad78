/** What the lines of banks say, against the ledger. */
import type { Remesa } from '../harness/remesa.js';

/**
 * The bank accounts on which the ledger does not hold what its explained lines do, in minor units: `[account, lines,
 * ledger]`.
 */
export async function bankDifferences({ sql }: Pick<Remesa, 'sql'>): Promise<unknown[][]> {
  const { rows } = await sql.query(`
    SELECT account, coalesce(lines.minor, 0)::text AS lines, coalesce(ledger.minor, 0)::text AS ledger
      FROM (SELECT 'bank:' || currency || ':' || bank AS account,
                   sum(CASE sign WHEN 'credit' THEN detail.amount_minor ELSE -detail.amount_minor END) AS minor
              FROM bank_lines JOIN bank_line_details AS detail USING (line_id)
             WHERE detail.state = 'explained' GROUP BY 1) AS lines
      FULL JOIN (SELECT account, sum(amount_minor) AS minor FROM ledger_postings WHERE account LIKE 'bank:%' GROUP BY 1)
        AS ledger USING (account)
     WHERE coalesce(lines.minor, 0) <> coalesce(ledger.minor, 0) ORDER BY 1`);
  return rows.map(({ account, lines, ledger }) => [account, lines, ledger]);
}

/** What an account of the ledger holds, in minor units. */
export async function held({ sql }: Pick<Remesa, 'sql'>, account: string): Promise<number> {
  const { rows } = await sql.query(
    'SELECT coalesce(sum(amount_minor), 0)::int AS sum FROM ledger_postings WHERE account = $1',
    [account],
  );
  return rows[0].sum;
}
