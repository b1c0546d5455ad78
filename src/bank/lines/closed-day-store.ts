/** SQL that opens days again whose lines change after they were closed. */
import { statement, type Transaction } from '../../postgres/statement.js';

/**
 * Only days of the week before last, or older, are closed. The lock lets nobody close a day meanwhile that does not
 * have the line yet.
 */
const lockDays = statement(
  'closed-day-store.lock',
  `SELECT account_id FROM bank_accounts
    WHERE account_id = $accountId AND $day::date <= statement_timestamp()::date - 7 FOR SHARE`,
).rows<{ account_id: string }>();
const openDays = statement(
  'closed-day-store.open',
  'DELETE FROM bank_closed_days WHERE account_id = $accountId AND day >= $day::date',
);
const findDay = statement(
  'closed-day-store.find-day',
  'SELECT bank, booked_on::text FROM bank_lines WHERE line_id = $lineId',
).rows<{ bank: string; booked_on: string }>();

/** Before a line of a file is added to this day of the account, or changes there. */
export async function openClosedDays(tx: Transaction, accountId: string, day: string): Promise<void> {
  if ((await tx.query(lockDays, { accountId, day })).length > 0) await tx.query(openDays, { accountId, day });
}

/** The same for a line that is set aside, or confirmed by another. */
export async function openClosedDaysOf(tx: Transaction, lineId: string): Promise<void> {
  const [line] = await tx.query(findDay, { lineId });
  if (line) await openClosedDays(tx, line.bank, line.booked_on);
}
