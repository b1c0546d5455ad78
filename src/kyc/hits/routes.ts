/** Routes for operators: the hits of screening. */
import Type, { type Static } from 'typebox';
import { ListPage } from '../../http/answers/answer.js';
import { type FindPending, pendingField } from '../../http/four-eyes.js';
import { auditedRead, command, type Route, read } from '../../http/route.js';
import { recordOf } from './hit.js';
import type { HitPlace } from './hit-store.js';
import type { HitFile, HitReviewService, ListedHit } from './review-service.js';
import { HitFileShape, HitQueryShape, HitShape, NoteShape } from './schemas.js';

const described = { tag: 'Screening for operators' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forReviewers = { ...described, access: { token: 'operator', role: 'reviewer' } } as const;
/** The explanation contains the user's name. */
const sealedAnswer = { keepForHours: 24, isSecret: true } as const;
const HitPath = Type.Object({ hitId: Type.String({ description: 'The id of the hit.' }) });

export function hitRoutes(hits: HitReviewService, findPending: FindPending): Route[] {
  return [listRoute(hits, findPending), fileRoute(hits, findPending), dismissRoute(hits), confirmRoute(hits)];
}

function listRoute(hits: HitReviewService, findPending: FindPending): Route {
  return read({
    ...forViewers,
    method: 'GET',
    path: '/operator/screening/hits',
    operationId: 'listScreeningHits',
    summary: 'List screening hits',
    description:
      'Contains no name. The header `Link` names the next page. Hits of deleted users are kept, and can be decided, as long as the law wants them kept.',
    returns: 'A page of hits, the oldest first.',
    query: HitQueryShape,
    answer: Type.Array(HitShape),
    refusals: ['merchant_not_found'],
    async run(call, database) {
      const { state = 'open', merchant: clientId, userId, after, limit = 50 } = call.query;
      const query = { state, clientId, userId, after: placeOf(after), limit };
      const page = await hits.list(database, query);
      const pending = await findPending(
        database,
        page.hits.map(({ hit }) => recordOf(hit)),
      );
      const items = page.hits.map((listed) => ({
        ...encodeHit(listed),
        ...pendingField(pending.get(recordOf(listed.hit))),
      }));
      return new ListPage(items, page.next && nextAddress(call.query, page.next));
    },
  });
}

function fileRoute(hits: HitReviewService, findPending: FindPending): Route {
  return auditedRead({
    ...forReviewers,
    method: 'GET',
    path: '/operator/screening/hits/{hitId}',
    operationId: 'getScreeningHit',
    summary: 'Get a screening hit with its explanation',
    returns: 'The hit, why the user and the entry match, and the note of the decision.',
    params: HitPath,
    answer: HitFileShape,
    refusals: ['screening_hit_not_found'],
    async run(call, tx) {
      const file = await hits.look(tx, call.by, call.params.hitId);
      const record = recordOf(file.hit);
      const pending = await findPending(tx, [record]);
      return { ...encodeHitFile(file), ...pendingField(pending.get(record)) };
    },
  });
}

function dismissRoute(hits: HitReviewService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/screening/hits/{hitId}/dismiss',
    operationId: 'dismissScreeningHit',
    summary: 'Dismiss a screening hit: the user is not the listed person',
    subject: (call) => hits.merchantOf(call.params.hitId),
    idempotency: sealedAnswer,
    fourEyes: {
      action: 'hit.dismiss',
      review: (call, tx) => hits.reviewDismissal(tx, call.params.hitId),
    },
    description:
      'The hit does not come back until the entry of the list or the data of the user changes. The case still waits for your decision. A hit that is not strong never waits for a second operator.',
    returns: 'The dismissed hit.',
    params: HitPath,
    body: NoteShape,
    answer: HitFileShape,
    refusals: ['screening_hit_not_found', 'screening_hit_decided'],
    run: async (call, tx) => encodeHitFile(await hits.dismiss(tx, call.by, call.params.hitId, call.body.note)),
  });
}

function confirmRoute(hits: HitReviewService): Route {
  return command({
    ...forReviewers,
    method: 'POST',
    path: '/operator/screening/hits/{hitId}/confirm',
    operationId: 'confirmScreeningHit',
    summary: 'Confirm a screening hit: the user is the listed person',
    subject: (call) => hits.merchantOf(call.params.hitId),
    idempotency: sealedAnswer,
    description:
      'Blocks the user at once: orders in which we hold money are frozen, payouts and refunds that nobody was instructed to make are withdrawn, and money in suspense is frozen. Merchants see ordinary reviews. Revokes the approved levels of the user and rejects the cases in review, with the public reason `COMPLIANCE`. No level of this user can be approved afterwards. Confirming a hit of the kind `exposure` does none of that: no order of the user is paid out before management accepts the user.',
    returns: 'The confirmed hit.',
    params: HitPath,
    body: NoteShape,
    answer: HitFileShape,
    refusals: ['screening_hit_not_found', 'screening_hit_decided'],
    run: async (call, tx) => encodeHitFile(await hits.confirm(tx, call.by, call.params.hitId, call.body.note)),
  });
}

function placeOf(after: string | undefined): HitPlace | undefined {
  const [atMicros, id] = after?.split('.') ?? [];
  return atMicros === undefined || id === undefined ? undefined : { atMicros, id };
}

function nextAddress(query: Static<typeof HitQueryShape>, next: HitPlace): string {
  const fields = Object.entries({ ...query, after: `${next.atMicros}.${next.id}` });
  return `/operator/screening/hits?${new URLSearchParams(fields.map(([name, value]) => [name, String(value)]))}`;
}

function encodeHit({ hit, clientId, decidedBy }: ListedHit): Static<typeof HitShape> {
  const { hitId, userId, kind, list, listVersion, entryId, score, isStrong, state, foundAt, decidedAt } = hit;
  return {
    id: hitId,
    merchant: clientId,
    userId,
    kind,
    list,
    listVersion,
    entryId,
    score,
    isStrong,
    state,
    foundAt: foundAt.toISOString(),
    ...(decidedAt ? { decidedAt: decidedAt.toISOString() } : {}),
    ...(decidedBy === undefined ? {} : { decidedBy }),
  };
}

export function encodeHitFile(file: HitFile): Static<typeof HitFileShape> {
  const { explanation, note } = file;
  return {
    ...encodeHit(file),
    explanation: explanation ? { ...explanation, reasons: explanation.reasons.map((reason) => ({ ...reason })) } : null,
    note: note ?? null,
  };
}
