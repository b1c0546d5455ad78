/**
 * In every test, a transaction of the service that writes rows of two merchants fails: on a cluster the two could lie
 * on different machines (rule 8 of docs/scaling.md). Triggers in the template of the test databases see each row that
 * is written, by whichever process.
 */
import type pg from 'pg';
import { merchantReferenceTables } from '../../src/postgres/citus/plan.js';

/** Quotes of several merchants share one INSERT (rule 12). */
const unwatched = [...merchantReferenceTables, 'quotes'];

export async function watchMerchants(template: Pick<pg.Client, 'query'>): Promise<void> {
  await template.query(`
    CREATE SCHEMA test;
    CREATE FUNCTION test.one_merchant() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      merchant text := coalesce(NEW.merchant_id, OLD.merchant_id);
      earlier text := coalesce(current_setting('test.merchant', true), '');
    BEGIN
      IF earlier NOT IN ('', merchant) THEN
        RAISE 'one transaction writes rows of several merchants: % and, in %, %', earlier, TG_TABLE_NAME, merchant;
      END IF;
      PERFORM set_config('test.merchant', merchant, true);
      RETURN NULL;
    END $$`);
  const { rows } = await template.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE a.attname = 'merchant_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL ($1)`,
    [unwatched],
  );
  for (const { name } of rows)
    await template.query(
      `CREATE TRIGGER one_merchant AFTER INSERT OR UPDATE OR DELETE ON ${name} FOR EACH ROW
         WHEN (current_setting('application_name') LIKE 'remesa%') EXECUTE FUNCTION test.one_merchant()`,
    );
}
