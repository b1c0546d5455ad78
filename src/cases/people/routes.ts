/** Routes for operators: find a person, and see everything about one. */
import Type, { type Static } from 'typebox';
import { auditedRead, command, type Route } from '../../http/route.js';
import { type TenantId, userId } from '../../ids.js';
import { clientIdsOf, merchantIdOf } from '../../merchants/service.js';
import type { Amount } from '../../money/amount.js';
import { amountToLiteral } from '../../money/literal.js';
import { viewOfLimits } from '../../orders/limits/user-limits.js';
import type { Account } from '../../persons/service.js';
import { encodeRating } from '../../risk/routes.js';
import {
  FoundUserShape,
  PersonFileShape,
  PersonPath,
  PersonQuery,
  PersonSearchShape,
  UserNoteShape,
} from './schemas.js';
import type { PeopleService, PersonFile } from './service.js';

const forReviewers = { tag: 'People for operators', access: { token: 'operator', role: 'reviewer' } } as const;

export function peopleRoutes(people: PeopleService): Route[] {
  return [
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/users/search',
      operationId: 'searchPeople',
      summary: 'Find a person by anything that is known',
      description:
        'Users of all merchants, deleted ones included as long as the law wants them kept. What you search for is in the body, so that no log has it; the audit log records that you searched, and by what kinds of data.',
      subject: 'instance',
      idempotency: { keepForHours: 24, isSecret: true },
      returns: 'At most 500 users.',
      body: PersonSearchShape,
      answer: Type.Array(FoundUserShape),
      async run({ body, by }, tx) {
        const { name, birthDate, phone, ...rest } = body;
        const known = { ...rest, firstName: name, dateOfBirth: birthDate, phoneNumber: phone };
        const found = await people.search(tx, by, known);
        const clientIds = await clientIdsOf(
          tx,
          found.map(({ merchantId }) => merchantId),
        );
        return found.map((account) => encodeRef(account, clientIds));
      },
    }),
    auditedRead({
      ...forReviewers,
      method: 'GET',
      path: '/operator/users/{userId}',
      operationId: 'getPerson',
      summary: 'Get everything about a user',
      description:
        'The profile, levels and KYC cases with their documents, limits, orders, screening hits, blocks, notes, alerts, compliance cases, and the other users of the same person. Of a deleted user, what the law wants kept. Each reading is in the audit log.',
      returns: 'The user.',
      params: PersonPath,
      query: PersonQuery,
      answer: PersonFileShape,
      refusals: ['merchant_not_found', 'user_not_found'],
      async run({ params, query, by }, tx) {
        const file = await people.look(tx, by, query.merchant, userId(params.userId));
        const others = [file, ...file.samePerson].map(({ merchantId }) => merchantId);
        const risk = file.risk ? await encodeRating(tx, file.risk) : null;
        return { ...encodeFile(file, await clientIdsOf(tx, others)), risk };
      },
    }),
    command({
      ...forReviewers,
      method: 'POST',
      path: '/operator/users/{userId}/notes',
      operationId: 'writeUserNote',
      summary: 'Note something about a user',
      description: 'It is stored encrypted, and only operators see it, with everything else about the user.',
      subject: (call, database) => merchantIdOf(database, call.body.merchant),
      idempotency: { keepForHours: 24 },
      returns: 'The note is written.',
      params: PersonPath,
      body: UserNoteShape,
      refusals: ['merchant_not_found', 'user_not_found'],
      run: ({ params, body, by }, tx) => people.note(tx, by, body.merchant, userId(params.userId), body.note),
    }),
  ];
}

type ClientIds = ReadonlyMap<TenantId, string>;

function encodeRef({ merchantId, userId: id }: Account, clientIds: ClientIds): Static<typeof FoundUserShape> {
  return { merchant: clientIds.get(merchantId) ?? '', userId: id };
}

function encodeFile(file: PersonFile, clientIds: ClientIds): Omit<Static<typeof PersonFileShape>, 'risk'> {
  const { externalClientId, isDeleted, profile, limits, cases, hits, orders, samePerson, blocks } = file;
  return {
    ...encodeRef(file, clientIds),
    externalClientId,
    isDeleted,
    profile: profile ? { ...profile } : null,
    limits: limits ? viewOfLimits(limits) : null,
    cases: cases.map(({ caseId, level, zone, state, submittedAt, expiresAt }) => ({
      id: caseId,
      kycLevel: level,
      zone,
      status: state,
      submittedAt: submittedAt?.toISOString() ?? null,
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    hits: hits.map(({ hitId, kind, list, state, foundAt }) => ({
      id: hitId,
      kind,
      list,
      state,
      foundAt: foundAt.toISOString(),
    })),
    orders: orders.map(({ orderId, state, amountIn, amountOut, payee, createdAt }) => ({
      id: orderId,
      state,
      amountIn: written(amountIn),
      amountOut: written(amountOut),
      payoutCountry: payee.country,
      createdAt: createdAt.toISOString(),
    })),
    samePerson: samePerson.map((account) => encodeRef(account, clientIds)),
    blocks: [...blocks],
    notes: file.notes.map(({ note, by, at }) => ({ note, by, at: at.toISOString() })),
    alerts: file.alerts.map(({ alertId, kind, state, raisedAt }) => ({
      id: alertId,
      kind,
      state,
      raisedAt: raisedAt.toISOString(),
    })),
    complianceCases: [...file.complianceCases],
  };
}

function written(amount: Amount): string {
  return `${amountToLiteral(amount)} ${amount.currency}`;
}
