/** SQL on the actions that needed a second person at the last start. */
import { type Queryable, statement, type Transaction } from '../postgres/statement.js';

const insertFirst = statement(
  'approvals.insert-first-setting',
  `INSERT INTO four_eyes_setting (actions, set_at) VALUES ($first, statement_timestamp())
   ON CONFLICT (is_only) DO NOTHING`,
);
const lockSetting = statement(
  'approvals.lock-setting',
  'SELECT actions FROM four_eyes_setting WHERE is_only FOR UPDATE',
).rows<{ actions: string[] }>();
const findSetting = statement('approvals.find-setting', 'SELECT actions FROM four_eyes_setting').rows<{
  actions: string[];
}>();
const updateSetting = statement(
  'approvals.update-setting',
  'UPDATE four_eyes_setting SET actions = $actions, set_at = statement_timestamp() WHERE is_only',
);

/** Returns the actions of the last start; those of a first start are given. Only one node at a time gets an answer. */
export async function lockLastSetting(tx: Transaction, first: readonly string[]): Promise<string[]> {
  await tx.query(insertFirst, { first });
  const [row] = await tx.query(lockSetting);
  if (!row) throw new Error('the setting of four eyes is missing');
  return row.actions;
}

/** The actions that needed a second person at the last start; none before the first one. */
export async function findLastSetting(database: Queryable): Promise<string[]> {
  return (await database.query(findSetting))[0]?.actions ?? [];
}

export async function saveSetting(tx: Transaction, actions: readonly string[]): Promise<void> {
  await tx.query(updateSetting, { actions });
}
