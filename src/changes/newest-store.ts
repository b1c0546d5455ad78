/** SQL that finds the newest change of a subject. */
import { type OperatorId, operatorId, type TenantId } from '../ids.js';
import { type Queryable, statement } from '../postgres/statement.js';
import type { Reference } from './change.js';

const newestOfSubjects = statement(
  'changes.newest-of-subjects',
  `SELECT action, actor_kind, actor_id, approved_by, recorded_at FROM changes
    WHERE merchant_id = $merchantId AND subject = ANY ($subjects::text[])
      AND recorded_at > $after AND recorded_at <= coalesce($until::timestamptz, 'infinity')
    ORDER BY id DESC LIMIT 1`,
).rows<{
  action: string;
  actor_kind: string;
  actor_id: string;
  approved_by: bigint | null;
  recorded_at: Date;
}>();

export interface NewestChange {
  readonly action: string;
  readonly actor: Reference;
  readonly approvedBy: OperatorId | undefined;
  readonly recordedAt: Date;
}

/** The newest change of these subjects in a time. */
export async function findNewestChange(
  database: Queryable,
  merchantId: TenantId,
  subjects: readonly string[],
  time: { readonly after: Date; readonly until: Date | undefined },
): Promise<NewestChange | undefined> {
  const [row] = await database.query(newestOfSubjects, { merchantId, subjects, ...time });
  return (
    row && {
      action: row.action,
      actor: { kind: row.actor_kind, id: row.actor_id },
      approvedBy: row.approved_by === null ? undefined : operatorId(row.approved_by),
      recordedAt: row.recorded_at,
    }
  );
}
