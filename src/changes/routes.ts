/** The route by which operators read the audit log. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../http/answers/answer.js';
import { readTime } from '../http/body/read-time.js';
import { type Route, read } from '../http/route.js';
import { type AuditNames, listAudit, type NamedEntry } from './listing.js';
import { AuditEntryShape, AuditQueryShape } from './schemas.js';

export function auditRoutes(names: AuditNames): Route[] {
  return [
    read({
      tag: 'Audit log',
      access: { token: 'operator', role: 'viewer' },
      method: 'GET',
      path: '/operator/audit',
      operationId: 'listAuditEntries',
      summary: 'List audit entries',
      description:
        'Who did what, for every merchant and operator. Contains ids, states and names of fields, nothing personal. ' +
        'The header `Link` names the next page.',
      returns: 'A page of entries, the newest first.',
      query: AuditQueryShape,
      answer: Type.Array(AuditEntryShape),
      refusals: ['merchant_not_found'],
      async run(call, database) {
        const { from, to, limit = 50, ...filter } = call.query;
        const times = { from: readTime('from', from), to: readTime('to', to) };
        const { entries, isLast } = await listAudit(database, names, { ...filter, ...times, limit });
        const last = entries.at(-1);
        const next = isLast || !last ? undefined : nextPagePath({ ...call.query, after: last.id });
        return new ListPage(entries.map(auditEntry), next);
      },
    }),
  ];
}

export function auditEntry(entry: NamedEntry): Static<typeof AuditEntryShape> {
  const { id, recordedAt, actor, action, subject, merchant, fromState, toState, details, requestId } = entry;
  return {
    id,
    at: recordedAt.toISOString(),
    actor,
    action,
    subject,
    ...(merchant === undefined ? {} : { merchant }),
    ...(fromState === undefined ? {} : { fromState }),
    ...(toState === undefined ? {} : { toState }),
    details,
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function nextPagePath(query: Static<typeof AuditQueryShape>): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `/operator/audit?${search}`;
}
