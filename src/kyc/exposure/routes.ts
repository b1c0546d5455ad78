/** The route by which management accepts a politically exposed user. */
import Type from 'typebox';
import { command, type Route } from '../../http/route.js';
import { time } from '../../http/shapes.js';
import { userId } from '../../ids.js';
import { merchantIdOf } from '../../merchants/service.js';
import type { Queryable } from '../../postgres/statement.js';
import type { ExposureService } from './service.js';

const UserPath = Type.Object({ userId: Type.Integer({ minimum: 1, description: 'The id of the user.' }) });

const NewAcceptanceShape = Type.Object(
  {
    merchant: Type.String({ minLength: 1, maxLength: 64, description: 'The client id of the merchant of the user.' }),
    note: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      description: 'Where the money and the wealth come from, and why the user is served. It is stored encrypted.',
    }),
  },
  {
    title: 'NewExposureAcceptance',
    additionalProperties: false,
    examples: [{ merchant: 'acme', note: 'Mayor of a town; the salary slips and the tax declaration agree.' }],
  },
);

const AcceptanceShape = Type.Object(
  {
    userId: Type.Integer({ description: 'The user.' }),
    acceptedAt: time('When management accepted.'),
    reviewBy: time('Until when that holds. A task asks for the next decision.'),
    note: Type.String({ description: 'Why the user is served.' }),
  },
  {
    title: 'ExposureAcceptance',
    examples: [
      {
        userId: 241_958_564_297_829,
        acceptedAt: '2026-11-15T09:41:00.000Z',
        reviewBy: '2027-11-15T09:41:00.000Z',
        note: 'Mayor of a town; the salary slips and the tax declaration agree.',
      },
    ],
  },
);

export function exposureRoutes(exposures: ExposureService): Route[] {
  const accountOf = async (database: Queryable, params: { userId: number }, body: { merchant: string }) => ({
    merchantId: await merchantIdOf(database, body.merchant),
    userId: userId(params.userId),
  });
  return [
    command({
      tag: 'KYC for operators',
      access: { token: 'operator', role: 'admin' },
      method: 'POST',
      path: '/operator/users/{userId}/exposure',
      operationId: 'acceptExposure',
      summary: 'Accept a politically exposed user as a customer',
      description:
        'The approval of senior management that the law asks for, with its reason. Without it no KYC case of the user can be approved, and no order of who is known to be exposed is paid out. It holds for a year. Merchants and users see nothing of it.',
      subject: (call, database) => merchantIdOf(database, call.body.merchant),
      idempotency: { keepForHours: 24, isSecret: true },
      fourEyes: {
        action: 'exposure.accept',
        review: async (call, tx) => exposures.reviewAcceptance(tx, await accountOf(tx, call.params, call.body)),
      },
      returns: 'What was accepted.',
      params: UserPath,
      body: NewAcceptanceShape,
      answer: AcceptanceShape,
      refusals: ['merchant_not_found', 'user_not_found'],
      async run({ params, body, by }, tx) {
        const accepted = await exposures.accept(tx, by, await accountOf(tx, params, body), body.note);
        const { acceptedAt, reviewBy, note } = accepted;
        const times = { acceptedAt: acceptedAt.toISOString(), reviewBy: reviewBy.toISOString() };
        return { userId: params.userId, ...times, note };
      },
    }),
  ];
}
