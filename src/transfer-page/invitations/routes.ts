/** Routes for merchants and their users: invitations by which recipients enter their own accounts. */
import Type, { type Static } from 'typebox';
import type { SelectedUser } from '../../caller.js';
import { command, type Route, read } from '../../http/route.js';
import type { MerchantId } from '../../ids.js';
import { type Invitation, invitationDays, statusOf } from './invitation.js';
import { CreatedInvitationShape, InvitationPath, InvitationShape, NewInvitationShape } from './schemas.js';
import type { InvitationService } from './service.js';

export interface InvitationRouteOptions {
  readonly invitations: InvitationService;
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: () => string;
}

const described = { tag: 'Beneficiaries' } as const;
const ofUser = { token: 'either', scope: 'orders', user: 'required' } as const;

export function invitationRoutes(options: InvitationRouteOptions): Route[] {
  return [createRoute(options), ...readingRoutes(options), withdrawRoute(options)];
}

function createRoute({ invitations, baseUrl }: InvitationRouteOptions): Route {
  return command({
    ...described,
    method: 'POST',
    path: '/beneficiaries/invitations',
    operationId: 'inviteRecipient',
    summary: 'Invite a recipient to enter the account',
    description:
      'The recipient gets a page in their language with the fields that the country requires, and later sees on the same page what is on its way. What is entered becomes a beneficiary of the user.',
    returns: 'The invitation. Its address is not shown again.',
    access: ofUser,
    body: NewInvitationShape,
    answer: CreatedInvitationShape,
    idempotency: { keepForHours: 24, isSecret: true },
    refusals: ['too_many_invitations'],
    async run(call, tx) {
      const {
        country,
        currency,
        method,
        type = 'person',
        locale,
        expiresInDays: days = invitationDays.usual,
      } = call.body;
      const request = { country, currency, method, type, locale, days };
      const { invitation, token } = await invitations.create(tx, call.by, ownerOf(call), request);
      const { invitationId, expiresAt } = invitation;
      return { id: invitationId, url: `${baseUrl()}/recipient/${token}`, expiresAt: expiresAt.toISOString() };
    },
  });
}

function readingRoutes({ invitations }: InvitationRouteOptions): Route[] {
  return [
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries/invitations',
      operationId: 'listInvitations',
      summary: 'List the invitations of a user',
      returns: 'The invitations without their addresses, the newest first.',
      access: ofUser,
      answer: Type.Array(InvitationShape),
      run: async (call, database) => (await invitations.list(database, ownerOf(call))).map(viewOf),
    }),
    read({
      ...described,
      method: 'GET',
      path: '/beneficiaries/invitations/{id}',
      operationId: 'getInvitation',
      summary: 'Get an invitation',
      returns: 'The invitation. Once it is `completed`, `beneficiaryId` can be used in an order.',
      access: ofUser,
      params: InvitationPath,
      answer: InvitationShape,
      refusals: ['invitation_not_found'],
      run: async (call, database) => viewOf(await invitations.find(database, ownerOf(call), call.params.id)),
    }),
  ];
}

function withdrawRoute({ invitations }: InvitationRouteOptions): Route {
  return command({
    ...described,
    method: 'DELETE',
    path: '/beneficiaries/invitations/{id}',
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'The link opens nothing from now on. What the recipient has entered stays a beneficiary.',
    returns: 'The invitation.',
    access: ofUser,
    params: InvitationPath,
    answer: InvitationShape,
    refusals: ['invitation_not_found'],
    run: async (call, tx) => viewOf(await invitations.withdraw(tx, call.by, ownerOf(call), call.params.id)),
  });
}

function ownerOf({ caller, user }: { caller: { merchantId: MerchantId }; user: SelectedUser }) {
  return { merchantId: caller.merchantId, userId: user.id };
}

function viewOf(invitation: Invitation): Static<typeof InvitationShape> {
  const { invitationId, country, currency, method, type, beneficiaryId = null, createdAt, expiresAt } = invitation;
  return {
    id: invitationId,
    country,
    currency,
    method,
    type,
    status: statusOf(invitation),
    beneficiaryId,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
