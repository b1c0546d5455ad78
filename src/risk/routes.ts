/** Routes for operators: the risk of a user. */
import type { Static } from 'typebox';
import { type FindPending, pendingField } from '../http/four-eyes.js';
import { auditedRead, command, type Route } from '../http/route.js';
import { userId } from '../ids.js';
import { merchantIdOf } from '../merchants/service.js';
import { loginsOf } from '../operators/service.js';
import type { Account } from '../persons/service.js';
import type { Queryable } from '../postgres/statement.js';
import { type RatingShape, RiskDecisionShape, RiskFileShape, RiskPath, RiskQuery } from './schemas.js';
import { type RiskFile, type RiskService, recordOf } from './service.js';

const forReviewers = { tag: 'People for operators', access: { token: 'operator', role: 'reviewer' } } as const;

export function riskRoutes(risk: RiskService, findPending: FindPending): Route[] {
  return [
    auditedRead({
      ...forReviewers,
      method: 'GET',
      path: '/operator/users/{userId}/risk',
      operationId: 'getUserRisk',
      summary: 'Get the risk of a user, and why it is what it is',
      description:
        'It is rated by the facts of now: country, corridor, product, age, behaviour, and whether the user is politically exposed. Merchants and users see nothing of it. Each reading is in the audit log.',
      returns: 'The rating.',
      params: RiskPath,
      query: RiskQuery,
      answer: RiskFileShape,
      refusals: ['merchant_not_found', 'user_not_found'],
      async run({ params, query, by }, tx) {
        const account = await accountOf(tx, params, query);
        const [file, pending] = [
          await risk.look(tx, by, account),
          (await findPending(tx, [recordOf(account)])).get(recordOf(account)),
        ];
        return { ...params, ...query, ...(await encodeRating(tx, file)), ...pendingField(pending) };
      },
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/users/{userId}/risk',
      operationId: 'decideUserRisk',
      summary: 'Decide about the risk of a user',
      description:
        'Confirms the rating or replaces its band, and sets the date of the next review. A lower band than the one that holds needs a second operator.',
      subject: (call, database) => merchantIdOf(database, call.body.merchant),
      idempotency: { keepForHours: 24, isSecret: true },
      fourEyes: {
        action: 'risk.lower',
        review: async (call, tx) =>
          risk.reviewDecision(tx, await accountOf(tx, call.params, call.body), decisionOf(call.body)),
      },
      returns: 'The rating after the decision.',
      params: RiskPath,
      body: RiskDecisionShape,
      answer: RiskFileShape,
      refusals: ['merchant_not_found', 'user_not_found', 'version_conflict'],
      async run({ params, body, by }, tx) {
        const file = await risk.decide(tx, by, await accountOf(tx, params, body), decisionOf(body));
        return { ...params, merchant: body.merchant, ...(await encodeRating(tx, file)) };
      },
    }),
  ];
}

export async function encodeRating(database: Queryable, file: RiskFile): Promise<Static<typeof RatingShape>> {
  const { band, ratedBand, points, because, version, ratedAt, reviewBy, review, note } = file;
  const logins = review && (await loginsOf(database));
  return {
    band,
    ratedBand,
    points,
    because: because.map((part) => ({ ...part })),
    version,
    ratedAt: ratedAt.toISOString(),
    reviewBy: reviewBy.toISOString(),
    reviewedAt: review?.at.toISOString() ?? null,
    reviewedBy: review ? (logins?.get(review.by) ?? String(review.by)) : null,
    note: note ?? null,
  };
}

async function accountOf(
  database: Queryable,
  params: { userId: number },
  named: { merchant: string },
): Promise<Account> {
  return { merchantId: await merchantIdOf(database, named.merchant), userId: userId(params.userId) };
}

function decisionOf({ band, note, version }: Static<typeof RiskDecisionShape>) {
  return { band: band ?? undefined, note, version };
}
