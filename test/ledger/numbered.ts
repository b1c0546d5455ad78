/** Waits until the service, which runs its jobs, has numbered every journal. */
import { eventually } from '../harness/eventually.js';
import type { Remesa } from '../harness/remesa.js';

export async function untilNumbered({ sql }: Pick<Remesa, 'sql'>): Promise<void> {
  await eventually(async () => {
    const waiting = await sql.query('SELECT count(*)::int AS count FROM ledger_journals WHERE number IS NULL');
    return waiting.rows[0].count === 0;
  });
}
