/** Routes for operators: merchants. */
import Type, { type Static } from 'typebox';
import type { Subject } from '../http/key-declaration.js';
import { command, type Route, read } from '../http/route.js';
import type { Merchant } from './merchant.js';
import { MerchantChangeShape, MerchantShape, NewMerchantShape, NewSecretShape, RotationShape } from './schemas.js';
import {
  createMerchant,
  getMerchant,
  listMerchants,
  merchantIdOf,
  reviewCreation,
  reviewRotation,
  rotateSecret,
  setMerchantStatus,
  updateMerchant,
} from './service.js';

const Params = Type.Object({ clientId: Type.String({ description: 'The client id of the merchant.' }) });
const described = { tag: 'Merchants' } as const;
const forViewers = { ...described, access: { token: 'operator', role: 'viewer' } } as const;
const forAdmins = { ...described, access: { token: 'operator', role: 'admin' } } as const;
const merchantInPath: Subject<{ params: Static<typeof Params> }> = (call, database) =>
  merchantIdOf(database, call.params.clientId);

export function merchantRoutes(): Route[] {
  return [...readRoutes(), ...changeRoutes(), statusRoute('suspend', 'suspended'), statusRoute('resume', 'active')];
}

function readRoutes(): Route[] {
  return [
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/merchants',
      operationId: 'listMerchants',
      summary: 'List all merchants',
      returns: 'Every merchant.',
      answer: Type.Array(MerchantShape),
      run: async (_call, database) => (await listMerchants(database, 0, 1000)).map(encode),
    }),
    read({
      ...forViewers,
      method: 'GET',
      path: '/operator/merchants/{clientId}',
      operationId: 'getMerchant',
      summary: 'Get a merchant',
      returns: 'The merchant.',
      params: Params,
      answer: MerchantShape,
      refusals: ['merchant_not_found'],
      run: async (call, database) => encode(await getMerchant(database, call.params.clientId)),
    }),
  ];
}

function changeRoutes(): Route[] {
  return [
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/merchants',
      operationId: 'createMerchant',
      summary: 'Create a merchant',
      // The merchant has no number yet.
      subject: 'instance',
      fourEyes: {
        action: 'merchant.create',
        hasSecretAnswer: true,
        review: ({ body }) => reviewCreation(body),
        resultPath: ({ clientId }) => `/operator/merchants/${clientId}`,
      },
      description: 'Send an Idempotency-Key: if the answer is lost, the same request gets the same secret again.',
      returns: 'The client id and the secret, shown once.',
      body: NewMerchantShape,
      answer: NewSecretShape,
      idempotency: { keepForHours: 24, isSecret: true },
      refusals: ['client_id_taken'],
      run: (call, tx) => createMerchant(tx, call.by, call.body),
    }),
    command({
      ...forAdmins,
      method: 'PATCH',
      path: '/operator/merchants/{clientId}',
      operationId: 'updateMerchant',
      summary: 'Change a merchant’s settings',
      subject: merchantInPath,
      returns: 'The merchant after the change.',
      params: Params,
      body: MerchantChangeShape,
      answer: MerchantShape,
      refusals: ['merchant_not_found'],
      async run(call, tx) {
        return encode(await updateMerchant(tx, call.by, call.params.clientId, call.body));
      },
    }),
    command({
      ...forAdmins,
      method: 'POST',
      path: '/operator/merchants/{clientId}/rotate-secret',
      operationId: 'rotateMerchantSecret',
      summary: 'Rotate a merchant’s secret',
      subject: merchantInPath,
      fourEyes: {
        action: 'merchant.secret',
        hasSecretAnswer: true,
        review: ({ params }, tx) => reviewRotation(tx, params.clientId),
      },
      description:
        'The previous secret stays valid until the next rotation. The merchant is told (`merchant.secret_rotated`). To end a leaked secret at once, use `/secrets/{secretId}/end`, which never waits for a second operator. Send an Idempotency-Key: if the answer is lost, the ' +
        'same request gets the same secret again, for 24 hours. Without a key, a retry rotates again, and the old secret ends.',
      returns: 'The client id and the new secret, shown once.',
      params: Params,
      body: RotationShape,
      answer: NewSecretShape,
      idempotency: { keepForHours: 24, isSecret: true },
      refusals: ['merchant_not_found'],
      run(call, tx) {
        return rotateSecret(tx, call.by, call.params.clientId, { endOthers: call.body.endOthers ?? false });
      },
    }),
  ];
}

function statusRoute(verb: 'suspend' | 'resume', status: Merchant['status']): Route {
  return command({
    ...forAdmins,
    method: 'POST',
    path: `/operator/merchants/{clientId}/${verb}`,
    operationId: `${verb}Merchant`,
    summary: verb === 'suspend' ? 'Suspend a merchant' : 'Resume a merchant',
    subject: merchantInPath,
    description:
      verb === 'suspend'
        ? 'Every node refuses its tokens within 5 seconds. Its data stays.'
        : 'The merchant can get tokens again.',
    returns: 'The merchant after the change.',
    params: Params,
    answer: MerchantShape,
    refusals: ['merchant_not_found'],
    async run(call, tx) {
      return encode(await setMerchantStatus(tx, call.by, call.params.clientId, status));
    },
  });
}

function encode(merchant: Merchant): Static<typeof MerchantShape> {
  const { clientId, name, status, allowedOrigins, redirectUrls, branding, notifySenders, createdAt } = merchant;
  return {
    clientId,
    name,
    status,
    allowedOrigins: [...allowedOrigins],
    redirectUrls: [...redirectUrls],
    branding,
    notifySenders,
    createdAt: createdAt.toISOString(),
  };
}
